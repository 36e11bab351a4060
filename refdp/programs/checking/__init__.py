"""Trusted: alignments of two runs of a program, and the conditions under which they prove a claim."""
