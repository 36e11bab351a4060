"""Test vectors: expected values worked out by refdp, in JSON files for implementations in any language."""
