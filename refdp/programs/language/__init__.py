"""Programs as they are written in Python, read as data: a file is parsed, never imported or executed."""
