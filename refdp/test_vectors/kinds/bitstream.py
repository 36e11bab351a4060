"""SamplerBitstream: a tape of random octets, and what the sampler of that name makes of it, to the last bit.

The only deterministic test of a sampler: another implementation of the same algorithm must give the same output and use
as many flips or octets.  Where the tape is too short, the output is "out_of_tape".
"""

from __future__ import annotations

from typing import Any

from refdp.test_vectors.kinds.kind import (
    INVALID,
    UNSUPPORTED,
    VALID,
    Fields,
    Group,
    Kind,
    Outcome,
    Subject,
    Test,
    accepted,
    failed,
)
from refdp.test_vectors.kinds.pmf import worst
from refdp.test_vectors.numbers import VectorError
from refdp.test_vectors.samplers import EXHAUSTED, drawn, sampler
from refdp.test_vectors.tape_mutants import mutated
from refdp.test_vectors.tapes import octets_of

COMPUTED = frozenset({"output", "used", "claimed", "result", "reason"})


def expected(group: Group, test: Test) -> Fields:
    """Output, flips or octets used, the claim if one is modelled, and whether it is the output."""
    name, params, x, content = group["algorithm"], test["params"], test.get("input"), octets_of(test["tape"])
    if group["unit"] != sampler(name).unit:
        raise VectorError(f"unit of {name} must be {sampler(name).unit}, got {group['unit']}")
    draw = drawn(name, params, x, content, group)
    found: Fields = {"output": draw.output}
    if draw.output != EXHAUSTED:
        found["used"] = str(draw.used)
    if "mutant" not in test and "claimed" not in test:
        return found | {"result": VALID}
    claimed = mutated(test["mutant"], name, params, x, content, group) if "mutant" in test else test["claimed"]
    if claimed == draw.output:
        return found | {"claimed": claimed, "result": VALID}
    return found | {"claimed": claimed, "result": INVALID, "reason": "claimed_is_not_the_output"}


def judged(group: Group, test: Test, subject: Subject) -> Outcome:
    """The judgement of sample and accepts: the output, and what was used where the subject says so."""
    asked = {key: test[key] for key in ("params", "tape")}
    asked |= {"input": test.get("input"), "algorithm": group["algorithm"], "certificate": group.get("certificate")}
    answer = subject.ask("sample", **asked)
    found = [accepted(test, "SamplerBitstream", COMPUTED, group, subject)]
    if answer is not UNSUPPORTED:
        found.append(same(answer, test))
    return worst(found)


def same(answer: Any, test: Test) -> Outcome:
    """Whether an answer is the output, or the pair of the output and what was used."""
    output, used = answer if isinstance(answer, tuple) and len(answer) == 2 else (answer, None)
    written = [str(one) for one in output] if isinstance(output, list | tuple) else str(output)
    if written != test["output"]:
        return failed("wrong: the output is another")
    if used is not None and "used" in test and str(used) != test["used"]:
        return failed("wrong: the output is right, but another number of flips or octets was used")
    return Outcome("passed")


BITSTREAM = Kind("SamplerBitstream", COMPUTED, expected, judged)
