"""Judging foreign code: what it does against what it claims."""
