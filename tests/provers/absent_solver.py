"""A worker whose solver is not installed."""

from __future__ import annotations

from refdp.provers.serving import Answerer, serve


def load() -> tuple[str, Answerer]:
    """Fail as an import of a missing package does."""
    raise ImportError("No module named 'cvc5'")


if __name__ == "__main__":
    serve(load)
