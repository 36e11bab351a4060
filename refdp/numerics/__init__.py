"""Numbers that may carry a claim: exact ones, decided comparisons, and certified enclosures."""
