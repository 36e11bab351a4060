"""Judging other people's code: targets, neighbouring pairs that refute their maps, and statistical evidence."""
