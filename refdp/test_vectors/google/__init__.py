"""Cases of Google's `proto/testing` (google/differential-privacy), read from a user's own copy."""
