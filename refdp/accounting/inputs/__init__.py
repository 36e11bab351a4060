"""What users have at hand, read as events: documents, trees of other libraries, histories, maps and functions."""
