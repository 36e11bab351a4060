"""Faces for people: terminal tables and the walk of a claim.  No mathematics."""
