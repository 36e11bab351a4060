"""What a campaign of questions, or the attacks, would not look at is refused: nobody shall believe that it counted."""

import pytest

from refdp.commands.sensitivity import sensitivity
from tests.meta.repository import ROOT

CAMPAIGN = ROOT / "examples" / "sensitivity" / "penguins.toml"


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"target": "f.py:total", "attacks": True}, "target must be left out with attacks, got f.py:total"),
        ({"attacks": True, "claim": 0}, "claim must be left out with attacks, got 0"),
        (
            {"target": CAMPAIGN, "neighbours": "add_remove"},
            "neighbours must be left out with a campaign, got add_remove",
        ),
        ({"target": CAMPAIGN, "symbol": ["n"]}, "symbol must be left out with a campaign, got ['n']"),
    ],
)
def test_options_that_would_be_ignored_are_refused(given, sentence):
    with pytest.raises(ValueError, match="must be left out") as error:
        sensitivity(**given)
    assert str(error.value) == sentence


def test_attacks_are_shown_with_what_every_command_has():
    assert sensitivity(attacks=True, timeout=20.0, symbol=[], set={})["attacks"]
