"""Test vectors: expected values worked out by refdp, in JSON files that other languages read, check and are checked by."""
