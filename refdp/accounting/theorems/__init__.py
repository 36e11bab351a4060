"""The theorems of composition as numbers: each takes exact numbers and gives bounds rounded up, or says what is missing."""
