"""The fixtures of projects."""

from tests.testing.projects import project

__all__ = ["project"]
