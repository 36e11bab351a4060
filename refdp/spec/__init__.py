"""What the words mean: metrics, measures, domains, laws, and the obligations that formulas must meet."""
