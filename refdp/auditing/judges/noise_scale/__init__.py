"""Noise scale: is the noise that a calibration gives enough for the privacy asked for?"""
