"""Questions about terms that solvers answer, and what is read of files."""
