"""Randomised programs: read, proved for all inputs, refuted by an exact counterexample, and run with exact draws."""
