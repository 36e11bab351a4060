"""The search for counterexamples: floats rank candidates, and only what exact arithmetic confirms is returned."""
