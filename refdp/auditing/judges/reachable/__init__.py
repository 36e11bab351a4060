"""Reachable: do a mechanism's floats give its input away, since some are reached from one input only?"""
