"""What tests of accounting share."""

import pytest
from mpmath import mp


@pytest.fixture
def forty_digits():
    """mpmath works with 40 digits, for this test alone: its precision is one for the whole process."""
    with mp.workdps(40):
        yield
