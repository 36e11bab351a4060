"""Terms of exact arithmetic, their SMT-LIB text, and questions about them that solvers answer."""
