"""Mechanisms as users state them, each with the pair of laws, or the bounds, that it stands for."""
