"""The cases that `refdp vectors write` asks: parameters and defects; no expected value stands here."""
