"""Releases of real tables: strict input, a budget that survives crashes, and answers with their theorem."""
