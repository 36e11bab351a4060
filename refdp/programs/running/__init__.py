"""Programs are run: the names that users write, exact draws, exact reals, and the law of what a program returns."""
