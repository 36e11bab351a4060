"""How calls are refused: in one sentence, which names what is wrong and shows it."""

from collections.abc import Callable
from typing import Any


def refusal(call: Callable[[], Any]) -> str:
    """The one sentence with which a call is refused; AssertionError if it is not."""
    try:
        found = call()
    except ValueError as error:
        said = str(error)
        if "\n" in said or not said:
            raise AssertionError(f"a refusal must be one sentence, got {said!r}") from error
        return said
    raise AssertionError(f"the call must be refused, got {found!r}")


def shows(said: str, parameter: str, value: Any) -> bool:
    """Whether a refusal names the parameter and shows the value that is no exact number."""
    got = f"got {'the float ' if isinstance(value, float) else ''}{value!r}"
    return said.startswith(f"{parameter} must be") and got in said
