"""What a rule asks of its premises is not asked of nothing: without them, or one lemma, it concludes nothing."""

import json

import pytest

from refdp.claims import ledger
from refdp.kernel.certificate import parsed
from refdp.kernel.judgements import Holds, KernelError
from refdp.kernel.rules.logic import obligation
from refdp.kernel.theorem import RULES
from tests.made import certificate_text

NAMES = sorted(c.identifier for c in ledger())
OFTEN = 6
"""How often each rule is asked."""


def steps(found):
    """Each of a certificate's steps: its rule, its premises as theorems, its data."""
    theorems = []
    for step in found:
        premises = [theorems[place] for place in step["premises"]]
        data = dict(step["data"])
        if step["rule"] == "oracle":
            data["digest"] = obligation(data["obligation"]).digest
        theorems.append(RULES[step["rule"]](*premises, **data))
        yield step["rule"], premises, data


@pytest.mark.parametrize("half", [0, 1])
def test_rule_without_its_premises_concludes_nothing(half):
    """Every rule that some certificate of the ledger uses, with the data that it has there."""
    seen: dict[str, int] = {}
    lemmas = 0
    for identifier in NAMES[half::2]:
        found = parsed(certificate_text(identifier))["steps"]
        if all(seen.get(step["rule"], 0) >= OFTEN for step in found if step["premises"]):
            continue
        for name, premises, data in steps(found):
            if not premises or seen.get(name, 0) >= OFTEN:
                continue
            seen[name] = seen.get(name, 0) + 1
            with pytest.raises(KernelError):
                RULES[name](**data)
            if all(isinstance(one.claim, Holds) for one in premises):
                for place in range(len(premises)):
                    lemmas += 1
                    with pytest.raises(KernelError):
                        RULES[name](*premises[:place], *premises[place + 1 :], **data)
    assert len(seen) > 25, json.dumps(seen)
    assert lemmas > 50


@pytest.mark.parametrize("name", ["account", "compose", "compose_failures", "compose_optimal", "parallel"])
def test_composition_of_nothing_concludes_nothing(name):
    words = {"parallel": {"partition": "category_of('island', list_of('A'), 1)", "neighbours": "add_remove"},
             "compose_optimal": {"epsilon": "1"},
             "account": {"noises": [], "rates": [], "counts": [], "epsilon": "1", "delta": "1/2", "engine": "lattice",
                         "evidence": {}}}.get(name, {})  # fmt: skip
    with pytest.raises(KernelError):
        RULES[name](**words)


def test_oracle_that_nobody_answers_concludes_nothing():
    asked = "discrete_laplace.loss_is_bounded"
    with pytest.raises(KernelError):
        RULES["oracle"](obligation=asked, digest=obligation(asked).digest, by=[])
