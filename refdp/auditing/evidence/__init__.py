"""Evidence from counts: e-processes valid at any stop, exact bounds, one declared error.  docs/audit_statistics.md."""
