"""Terms: the one language of formulas, claims, queries and programs, with its text, its values and its SMT-LIB."""
