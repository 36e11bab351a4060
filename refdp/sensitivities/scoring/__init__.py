"""Score functions of the exponential mechanism: how far and in which direction one row moves the scores."""
