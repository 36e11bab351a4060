"""The theorems of composition as numbers: exact numbers in, bounds rounded up out, or a sentence that says why not."""
