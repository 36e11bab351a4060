"""What goes wrong in a release, each in one sentence for the person at the terminal (the curator of the table).

What an error may say.  It may repeat what the curator typed (paths, column names, limits, markers, amounts) and what
the budget file says about itself.  It never repeats anything the table holds: no cell, no name found in the header
(a table without a header has a person's record there), no number of rows.  Where a row is at fault it says column and
line, because the curator must find the place.  Such a `RowError` still depends on private rows, if only by being
raised; it goes to standard error, and is neither published nor part of an answer.
"""


class InputError(ValueError):
    """The command or its files cannot be used as they are: exit code 2, and nothing was released or charged."""


class RowError(InputError):
    """An InputError that depends on the rows of the table: for the curator's eyes only, like the table."""


class BudgetExceeded(Exception):
    """The budget does not suffice, and was left as it is: exit code 1."""


class ChargeStands(Exception):
    """The charge is in the budget file, but the disk did not confirm it: no answer may be drawn on it."""

    def __init__(self, left: object, why: str) -> None:
        super().__init__(f"the disk did not confirm the charge ({why})")
        self.left = left
        """What the file says is left: a number, or words."""


class Charged(Exception):
    """Epsilon was charged, and then something went wrong: exit code 5.  It says where the answers are."""
