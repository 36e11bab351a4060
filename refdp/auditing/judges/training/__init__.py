"""The judges of training steps, refdp's own and other people's: pairs, noise, lots, set-up, and canaries last."""
