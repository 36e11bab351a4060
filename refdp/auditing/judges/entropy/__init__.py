"""Entropy: does noise come again where a seed is set, or in a forked child?"""
