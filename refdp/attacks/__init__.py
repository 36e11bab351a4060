"""Attacks on noisy answers, run with exact noise, and beside each a bound that holds for every attack."""
