"""What the words mean: terms, metrics, measures, domains, laws, and the obligations that formulas must meet."""
