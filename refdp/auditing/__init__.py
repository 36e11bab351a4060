"""Judging other people's code: targets in processes of their own, neighbouring pairs, statistical evidence."""
