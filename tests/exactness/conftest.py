"""What the tests of this folder share."""

from tests.exactness.entering import nameless

__all__ = ["nameless"]
