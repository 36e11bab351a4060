"""What each command does, as a function of the same name that returns the object `--json` prints."""
