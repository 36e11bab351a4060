"""Stability: does some neighbouring pair move further than the map of a transformation says?"""
