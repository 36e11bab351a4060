"""Terms, statements and claims as LaTeX: the page prints what the code says, nobody retypes it."""
