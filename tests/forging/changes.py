"""Structural changes of certificates: parts removed, emptied, doubled, reordered, or taken from another certificate.

A forger also writes what makes the rest fit: the conclusion and the names that its own steps give, the bound that is
computed anew.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

from refdp.kernel.judgements import KernelError
from refdp.kernel.rules.engines import READING
from refdp.kernel.rules.logic import obligation
from refdp.kernel.rules.machines import MachineClaim
from refdp.kernel.rules.questions import EngineQuestion, engine
from refdp.kernel.sources import bring, digest_of, source_of
from refdp.kernel.theorem import FAILURES, RULES
from refdp.programs.certificates.writing import said
from refdp.programs.question import Question
from refdp.sensitivities.machine.function_certificates import worked_out
from refdp.sensitivities.machine.theorems import claim_of, machine_of
from tests.forging.questions import as_before, is_question, of_before
from tests.forging.seeds import ALIGNMENT, COUNTEREXAMPLE, KERNEL, MACHINE, PROGRAM, QUERY, QUESTION, Seed
from tests.trust.mutations import Path, parts, replaced

NUMBER = re.compile(r"(?<![\w.!])\d+(?:/\d+|\.\d+)?(?![\w.!])")
SWAPPED = {"<=": "<", "<": "<=", ">=": ">", "+": "-", "max": "min", "min": "max", "True": "False", "and": "or"}
"""Words and operators of a text that are taken for each other."""
ADJACENCIES = ("ALL", "ONE", "L1", "L2", "MONO", "ADD_REMOVE", None)
EPSILONS = ("0", "epsilon/2", "epsilon/1000000", "epsilon", "2*epsilon", "999*epsilon/1000", "1/1000", None)
MOST_CHANGES = 3
HELD = ("(and (<= |cost.0| |budget.spent|) (<= |cost.0| 1.0) (<= 0.0 |budget.spent|))", "true",
        "(<= 0.0 |budget.spent|)")  # fmt: skip
"""Invariants of a loop over data."""
NOT_THERE = (KeyError, TypeError, AttributeError, IndexError, ValueError)
"""What a change raises where an earlier one took away what it is about."""


def forged(random: Random, seed: Seed, others: Sequence[Seed], texts: Callable[[Random], str]) -> tuple[str, Any]:
    """What was changed, and the changed certificate; `others` are of the same format, `texts` are sources."""
    content, said = seed.content, []
    for _ in range(random.choice((1, 1, 1, 2, 2, MOST_CHANGES))):
        donor = random.choice(others).content
        try:
            how, content = random.choice(WAYS.get(seed.form, OF_QUERIES))(random, content, donor, texts)
        except NOT_THERE:
            how = "nothing"
        said.append(how)
    if seed.form in (KERNEL, PROGRAM, QUERY, MACHINE, QUESTION) and (random.random() < 0.7 or is_unconcluded(content)):
        content = concluded(content, random)
    return "; ".join(said), content


def is_unconcluded(content: Any) -> bool:
    """Whether a certificate has steps and no conclusion yet."""
    return isinstance(content, dict) and content.get("conclusion") == ""


def dotted(path: Path) -> str:
    """Where a part stands."""
    return ".".join(map(str, path))


def some_part(random: Random, content: Any, wanted: Callable[[Any], bool] = bool) -> tuple[Path, Any] | None:
    """A part of that kind, those near the root as often as those far from it."""
    found: dict[int, list[tuple[Path, Any]]] = {}
    for path, part in parts(content):
        if path and wanted(part):
            found.setdefault(len(path), []).append((path, part))
    return random.choice(found[random.choice(sorted(found))]) if found else None


Way = Callable[[Random, Any, Any, Callable[[Random], str]], tuple[str, Any]]


def emptied(random: Random, content: Any, donor: Any, texts: Any) -> tuple[str, Any]:
    """A list or an object without anything in it."""
    if (place := some_part(random, content, lambda p: isinstance(p, list | dict) and p)) is None:
        return "nothing", content
    return f"{dotted(place[0])} is emptied", replaced(content, place[0], type(place[1])())


def removed(random: Random, content: Any, donor: Any, texts: Any) -> tuple[str, Any]:
    """An entry of a list or an object dropped; steps of the kernel are counted anew."""
    if (place := some_part(random, content, lambda p: isinstance(p, list | dict) and p)) is None:
        return "nothing", content
    path, part = place
    if path == ("steps",):
        at = random.randrange(len(part))
        return f"step {at} is removed", content | {"steps": renumbered(part, at)}
    key = random.choice(list(part) if isinstance(part, dict) else range(len(part)))
    rest = {k: v for k, v in part.items() if k != key} if isinstance(part, dict) else part[:key] + part[key + 1 :]
    return f"{dotted(path)} loses {key}", replaced(content, path, rest)


def renumbered(steps: list[Any], gone: int) -> list[Any]:
    """The steps without one, which is nobody's premise any more."""
    return [{**one, "premises": [p - (p > gone) for p in one["premises"] if p != gone]}
            for at, one in enumerate(steps) if at != gone]  # fmt: skip


def reordered(random: Random, content: Any, donor: Any, texts: Any) -> tuple[str, Any]:
    """A list with its members in another order, or with one twice."""
    if (place := some_part(random, content, lambda p: isinstance(p, list) and p)) is None:
        return "nothing", content
    path, part = place
    if random.random() < 0.5:
        return f"{dotted(path)} is shuffled", replaced(content, path, random.sample(part, len(part)))
    at = random.randrange(len(part))
    return f"{dotted(path)} has {at} twice", replaced(content, path, [*part[: at + 1], part[at], *part[at + 1 :]])


def merged(random: Random, content: Any, donor: Any, texts: Any) -> tuple[str, Any]:
    """A member of a list stands in the place of another one, which is dropped or kept."""
    if (place := some_part(random, content, lambda p: isinstance(p, list) and len(p) > 1)) is None:
        return emptied(random, content, donor, texts)
    path, part = place
    one, other = random.sample(range(len(part)), 2)
    found = [part[one] if at == other else p for at, p in enumerate(part)]
    return f"{dotted(path)} has {one} for {other}", replaced(content, path, found)


def grafted(random: Random, content: Any, donor: Any, texts: Any) -> tuple[str, Any]:
    """A part from the same place of another certificate, or from another place of this one."""
    source = donor if random.random() < 0.7 else content
    place = some_part(random, content, lambda p: p is not None)
    if place is None:
        return "nothing", content
    path, part = place
    alike = [p for at, p in parts(source) if at and at[-1] == path[-1] and type(p) is type(part)]
    if not alike:
        return "nothing", content
    return f"{dotted(path)} is another's", replaced(content, path, random.choice(alike))


def numbered(random: Random, content: Any, donor: Any, texts: Any) -> tuple[str, Any]:
    """A number somewhere in a text made another."""
    wanted = some_part(random, content, lambda p: isinstance(p, str) and NUMBER.search(p) is not None or is_count(p))
    if wanted is None:
        return "nothing", content
    path, part = wanted
    if is_count(part):
        return f"{dotted(path)} is another number", replaced(content, path, random.choice((0, 1, part - 1, part + 1)))
    return f"{dotted(path)} has another number", replaced(content, path, other_number(random, part))


def is_count(part: Any) -> bool:
    return type(part) is int


def other_number(random: Random, text: str) -> str:
    """The text with one of its numbers made another."""
    found = random.choice(list(NUMBER.finditer(text)))
    value = Fraction(found[0])
    other = random.choice((0, value / 2, 2 * value, value - 1, value + 1, value / 10**6, value * 999 / 1000, 10**6))
    if "." in found[0]:  # a decimal of SMT-LIB: a fraction is a quotient there
        written = f"{other.numerator}.0" if other == int(other) else f"(/ {other.numerator}.0 {other.denominator}.0)"
    else:
        written = str(other)
    return text[: found.start()] + written + text[found.end() :]


def reworded(random: Random, content: Any, donor: Any, texts: Any) -> tuple[str, Any]:
    """An operator of a text taken for another, or a text that is empty."""
    wanted = some_part(random, content, lambda p: isinstance(p, str))
    if wanted is None:
        return "nothing", content
    path, part = wanted
    here = [word for word in SWAPPED if word in part]
    if not here or random.random() < 0.1:
        return f"{dotted(path)} is empty", replaced(content, path, "")
    word = random.choice(here)
    return f"{dotted(path)} has {SWAPPED[word]} for {word}", replaced(
        content, path, part.replace(word, SWAPPED[word], 1)
    )


def nothing_there(random: Random, content: Any, donor: Any, texts: Any) -> tuple[str, Any]:
    """A part that is null, true, 0, an empty text."""
    place = some_part(random, content, lambda p: True)
    if place is None:
        return "nothing", content
    other = random.choice((None, True, False, "", "0", "1", [], {}))
    return f"{dotted(place[0])} is {json.dumps(other)}", replaced(content, place[0], other)


# Of the kernel alone.


def spliced(random: Random, content: Any, donor: Any, texts: Any) -> tuple[str, Any]:
    """The steps of another certificate before these, and one premise of these that is theirs."""
    if not all(isinstance(one, dict) and one.get("steps") for one in (content, donor)):
        return "nothing", content
    theirs, own = donor["steps"], content["steps"]
    try:
        moved = [{**one, "premises": [p + len(theirs) for p in one["premises"]]} for one in own]
        at = random.choice([i for i, one in enumerate(moved) if one["premises"]] or [0])
        premises = list(moved[at]["premises"])
        place = random.randrange(len(premises) + 1)
        premises[place : place + random.randint(0, 1)] = [random.randrange(len(theirs))]
        moved[at] = {**moved[at], "premises": premises}
    except (KeyError, TypeError):
        return "nothing", content
    return f"step {at} has a premise of {donor.get('claim')}", content | {"steps": [*theirs, *moved]}


def repointed(random: Random, content: Any, donor: Any, texts: Any) -> tuple[str, Any]:
    """A premise that is another step."""
    steps = content.get("steps") if isinstance(content, dict) else None
    here = [at for at, one in enumerate(steps or []) if at and isinstance(one, dict) and one.get("premises")]
    if not here:
        return "nothing", content
    at = random.choice(here)
    premises = list(steps[at]["premises"])
    premises[random.randrange(len(premises))] = random.randrange(at)
    return f"step {at} has other premises", replaced(content, ("steps", at, "premises"), premises)


def continued(random: Random, content: Any, donor: Any, texts: Any) -> tuple[str, Any]:
    """One step more: the rule and the data of any step, on the last conclusions."""
    try:
        steps = content["steps"]
        wanted = random.choice([one for one in donor["steps"] if one["premises"]] or donor["steps"])
        last = range(len(steps))
        premises = [len(steps) - 1, *(random.choice(last) for _ in wanted["premises"][1:])]
        return f"a step {wanted['rule']} more", content | {"steps": [*steps, {**wanted, "premises": premises}]}
    except (KeyError, TypeError, IndexError):
        return "nothing", content


def renamed_rule(random: Random, content: Any, donor: Any, texts: Any) -> tuple[str, Any]:
    """A step by another rule, which is given the same."""
    steps = content.get("steps") if isinstance(content, dict) else None
    if not steps or not isinstance(steps[-1], dict):
        return "nothing", content
    at = random.choice((len(steps) - 1, random.randrange(len(steps))))
    return f"step {at} is by another rule", replaced(content, ("steps", at, "rule"), random.choice(sorted(RULES)))


def overfull(random: Random, content: Any, donor: Any, texts: Any) -> tuple[str, Any]:
    """A term with an argument too many, or one that is of another sort."""
    path, text = some_part(random, content["steps"], lambda p: isinstance(p, str) and ")" in p) or ((), "")
    here = [place for place, letter in enumerate(text) if letter == ")"]
    if not here:
        return "nothing", content
    place, more = (
        random.choice(here),
        random.choice((", publish_raw_data()", ", 3", ", randomised_response(3/4)", ", -3")),
    )
    return f"steps.{dotted(path)} has{more[1:]} more", replaced(
        content, ("steps", *path), text[:place] + more + text[place:]
    )


def other_claim(random: Random, content: Any, donor: Any, texts: Any) -> tuple[str, Any]:
    """The claim and the conclusion of another certificate, or one of them, or none."""
    keys = random.choice((("claim",), ("conclusion",), ("claim", "conclusion"), ("trusts",)))
    if random.random() < 0.2:
        return "it is for no claim", content | {"claim": ""}
    return f"{' and '.join(keys)} are another's", content | {key: donor.get(key) for key in keys}


def concluded(content: Any, random: Random) -> Any:
    """The certificate with what its steps conclude and trust written into it, as far as they conclude anything."""
    try:
        theorems: list[Any] = []
        written: list[Any] = []
        sources = {bring(text): text for text in content["sources"].values()}
        for step in content["steps"]:
            data = dict(step["data"])
            if is_question({"steps": [step]}) and random.random() < 0.9:
                data = fitting(data, step["rule"] == "engine_proves")
            if "digest" in data and "obligation" in data and random.random() < 0.9:
                data["digest"] = obligation(data["obligation"]).digest
            written.append({**step, "data": data})
            theorems.append(RULES[step["rule"]](*(theorems[p] for p in step["premises"]), **data))
        used = needed(written)
        steps = [one for at, one in enumerate(written) if at in used]
        place = {at: i for i, at in enumerate(sorted(used))}
        steps = [{**one, "premises": [place[p] for p in one["premises"]]} for one in steps]
        last = theorems[-1]
        claim = content["claim"] if str(last.claim.term) == content["conclusion"] else ""
        return content | {"steps": steps, "claim": claim, "conclusion": str(last.claim.term),
                          "trusts": sorted(last.trusts), "sources": sources}  # fmt: skip
    except (KernelError, KeyError, TypeError, IndexError, AttributeError, ValueError):
        return content


def needed(steps: list[Any]) -> set[int]:
    """The steps that the last one rests on, and itself."""
    found, waiting = set[int](), [len(steps) - 1]
    while waiting:
        at = waiting.pop()
        if at not in found:
            found.add(at)
            waiting += steps[at]["premises"]
    return found


# Of programs alone.


def asked_otherwise(random: Random, content: Any, donor: Any, texts: Any) -> tuple[str, Any]:
    """Another question: epsilon, adjacency, the values of parameters, the number of the claim, or the whole of it."""
    asked = content.get("question") if isinstance(content, dict) else None
    if not isinstance(asked, dict) or not isinstance(donor.get("question"), dict):
        return "nothing", content
    key, value = random.choice((
        ("epsilon", random.choice(EPSILONS)), ("adjacency", random.choice(ADJACENCIES)),
        ("claim", random.choice("0012")), ("given", random.choice(({}, {"epsilon": "1"}, {"epsilon": "3"}, {"k": "1"},
                                                                    {"N": "1"}, {"f": "1/4"}))),
        ("function", donor["question"].get("function")), ("question", None),
    ))  # fmt: skip
    if key == "question":
        return "the question is another's", content | {"question": donor["question"]}
    return f"question.{key} is {value}", content | {"question": {**asked, key: value}}


def other_source(random: Random, content: Any, donor: Any, texts: Callable[[Random], str]) -> tuple[str, Any]:
    """The text of another source under the same question, or this text with a number or an operator changed."""
    asked = content.get("question") if isinstance(content, dict) else None
    if not isinstance(asked, dict):
        return "nothing", content
    text = texts(random)
    function = re.search(r"^def (\w+)", text[text.find("@claim") :], re.MULTILINE)
    changed = {**asked, "source": text, "function": function[1] if function else "", "claim": "0"}
    return "question.source is another text", content | {"question": changed | {"given": {}}}


def uncharged(random: Random, content: Any, donor: Any, texts: Any) -> tuple[str, Any]:
    """Charges or groups of an alignment taken away, one or all, or a bound or weight of 0; shifts stay."""
    proofs = content.get("alignments") if isinstance(content, dict) else None
    here = [at for at, one in enumerate(proofs or []) if isinstance(one, dict) and {"groups", "charges"} <= set(one)]
    if not here:
        return "nothing", content
    at = random.choice(here)
    one = proofs[at]
    if not isinstance(one["charges"], dict) or not isinstance(one["groups"], list):
        return "nothing", content
    less = random.choice((
        {"charges": {}}, {"groups": []}, {"charges": {}, "groups": []}, {"charges": {}, "groups": [], "lists": {}},
        {"groups": [{**g, "bound": "0.0"} if isinstance(g, dict) else g for g in one["groups"]]},
        {"charges": {s: [c[0], "0"] if isinstance(c, list) and c else c for s, c in one["charges"].items()}},
        {"charges": dict(list(one["charges"].items())[1:])}, {"groups": one["groups"][:1]},
        {"shifts": [{**s, "usual": "0.0"} if isinstance(s, dict) else s for s in one["shifts"][:1]] + one["shifts"][1:]}
        if isinstance(one["shifts"], list) and one["shifts"] else {},
    ))  # fmt: skip
    return f"alignments.{at} has other {', '.join(less)}", replaced(content, ("alignments", at), {**one, **less})


def fitted(random: Random, content: Any, donor: Any, texts: Callable[[Random], str]) -> tuple[str, Any]:
    """A text of a family with an alignment that brings the second run to the same outputs, whatever that costs."""
    text = texts(random)
    function = re.search(r"^def (\w+)\((\w+)", text[text.find("@claim") :], re.MULTILINE)
    given = function[2] if function else ""
    is_bit, is_list, is_whole = given.startswith("bit"), given in ("q", "bits"), "x: int" in text
    moved = "(not (= |data.0| |other.0|))" if is_bit else f"(* (- {1 if is_whole else 1.0}) |change.0|)"
    source, target = ("1", "1") if is_list else ("0", "-1")
    sorts = ("True", "False") if is_bit else ("Int",) if is_whole else ("Real",)
    seen = [{"source": source, "target": target, "released": [[sort]], "shown": []} for sort in sorts]
    rate = random.choice(("|epsilon|", "(* 2.0 |epsilon|)", "1.0", "(ln 3.0)", "(/ 1.0 |s|)"))
    one = {"shifts": [{"site": "1", "seen": one, "usual": moved, "chosen": None} for one in seen],
           "groups": [{"rate": rate, "bound": random.choice(("1.0", "0.0", "2.0"))}],
           "charges": {"1": ["0", random.choice(("1", "2", "0"))]}, "lists": {}, "shown": [], "item": None,
           "others": None, "invariants": {"1": random.choice(HELD)} if is_list else {}}  # fmt: skip
    less = random.choice(({}, {}, {"groups": []}, {"charges": {}}, {"groups": [], "charges": {}}))
    asked = {"source": text, "function": function[1] if function else "", "claim": "0", "adjacency": None,
             "given": random.choice(({}, {}, {"f": "1/4"} if ", f)" in text else {}, {"epsilon": "1"})),
             "epsilon": random.choice((*EPSILONS, None, None))}  # fmt: skip
    if ", s)" in text:
        asked |= {"given": {}, "epsilon": None}
    proofs = random.choice(([{**one, **less}], [{**one, **less}], []))
    said = "no alignment" if not proofs else f"an alignment without {', '.join(less) or 'anything left out'}"
    return f"a text of a family and {said}", content | {"question": asked, "alignments": proofs}


# Of queries alone.


def lowered(random: Random, content: Any, donor: Any, texts: Any) -> tuple[str, Any]:
    """The bound is made smaller, everywhere where it stands."""
    if isinstance(content.get("claim"), dict):
        bound = content["claim"].get("claim")
        less = random.choice(("0", "1", "6.0", "0.5", "(- 1)", "(- 1.0)", f"(- {bound} 1)", f"(/ {bound} 2)", "100"))
        return f"the claim is {less}", content | {"claim": {**content["claim"], "claim": less}}
    if isinstance(content.get("bound"), str) and NUMBER.fullmatch(content["bound"]):
        value = Fraction(content["bound"]) * random.choice((0, Fraction(1, 2), Fraction(999, 1000), -1, 2))
        return f"the bound is {value}", content | {"bound": str(value)}
    return "nothing", content


def widened(random: Random, content: Any, donor: Any, texts: Any) -> tuple[str, Any]:
    """A word of the question is another: neighbours, norm, edits, tables, verdict, the bounds of records."""
    claim = content.get("claim")
    if not isinstance(claim, dict):
        keys = {"neighbours": ("add_remove", "change_one"), "tables": ("lists", "multisets"), "edits": (1, 2, 0),
                "statistic": ("median", "minimum", "maximum", "quantile 1/4"), "kind": ("sum", "mean"),
                "beta": ("1/8", "1", "0"), "order": ("naive", "pairwise", "kahan", "any"), "empty": ("0", "10", None),
                "arithmetic": ("float16", "float32", "float64"), "bounds": (["0", "11"], ["-1", "10"], ["0", "0"]),
                "rows": ([], ["0"], ["0", "10"], ["5", "5", "5"]), "parts": ([], [[]])}  # fmt: skip
        key = random.choice([key for key in keys if key in content] or ["kind"])
        return f"{key} is another", content | {key: random.choice(keys[key])}
    if "verdict" in content and random.random() < 0.15:
        other = "PROVED" if content["verdict"] == "REFUTED" else "REFUTED"
        return "the verdict is the other", content | {"verdict": other}
    numbers = {"number": {"lower": random.choice(("0", "-10", None)), "upper": random.choice(("10", "11", None)),
                          "is_integer": random.random() < 0.3}}  # fmt: skip
    key, value = random.choice((
        ("neighbours", random.choice(("add_remove", "change_one"))), ("norm", random.choice(("L1", "L2", "Linf"))),
        ("edits", random.choice("0123")), ("tables", random.choice(("lists", "multisets"))),
        ("record", random.choice((numbers, {"missing": numbers}, {"category": []},
                                  {"fields": []}, {"category": [{"number": "1"}]}))),
        ("values", random.choice(({}, {"cap": {"number": "100"}}, {"cap": {"number": "0"}}))),
        ("function", donor["claim"]["function"] if isinstance(donor.get("claim"), dict) else ""),
        ("assumption", random.choice(("true", "false", "(= n 0)", "(<= 1 n)"))),
        ("symbols", random.choice(({}, {"low": "Real", "high": "Real"}, {"cap": "Int"}))),
    ))  # fmt: skip
    return f"claim.{key} is {json.dumps(value)[:40]}", content | {"claim": {**claim, key: value}}


def other_query(random: Random, content: Any, donor: Any, texts: Callable[[Random], str]) -> tuple[str, Any]:
    """Another body under the function's name: a number or an operator in its text is changed."""
    claim = content.get("claim")
    if not isinstance(claim, dict) or not isinstance(claim.get("source"), str):
        return "nothing", content
    text = claim["source"]
    start = max(text.find(f"def {claim.get('function')}("), 0)
    end = text.find("\n\n\n", start) if text.find("\n\n\n", start) > 0 else len(text)
    body = text[start:end]
    here = [word for word in SWAPPED if word in body]
    if NUMBER.search(body) and random.random() < 0.6:
        body = other_number(random, body)
    elif here:
        word = random.choice(here)
        body = body.replace(word, SWAPPED[word], 1)
    return "claim.source is another text", content | {"claim": {**claim, "source": text[:start] + body + text[end:]}}


# Of steps about the text of a program.

LOSSES = ("pure(0)", "pure(epsilon / 2)", "pure(epsilon / 1000000)", "pure(epsilon)", "pure(2 * epsilon)",
          "approximate(0, 0)", "concentrated(0)", "concentrated(epsilon ** 2 / 8)")  # fmt: skip


def restated(random: Random, content: Any, donor: Any, texts: Any) -> tuple[str, Any]:
    """Another adjacency, loss, function or value of a parameter, fewer conditions, or the rule or data of another."""
    [step] = content["steps"]
    [other] = donor["steps"]
    data = step["data"]
    key, value = random.choice((
        ("adjacency", random.choice(ADJACENCIES)), ("loss", random.choice(LOSSES)),
        ("conditions", data["conditions"][1:]), ("conditions", []), ("conditions", [*data["conditions"], "1 <= n"]),
        ("parameters", {one: random.choice(("1", "1/2", "3", one)) for one in data["parameters"]}),
        ("function", other["data"]["function"]), ("evidence", other["data"]["evidence"]), ("rule", None),
    ))  # fmt: skip
    if key == "rule":
        return "the rule is another", content | {"steps": [{**step, "rule": other["rule"]}]}
    return f"data.{key} is {str(value)[:60]}", content | {"steps": [{**step, "data": {**data, key: value}}]}


def asked_of_others(random: Random, content: Any, donor: Any, texts: Any) -> tuple[str, Any]:
    """Another bound, domain, norm, relation, size or step, or the function, evidence or rule of another."""
    [step], [other] = content["steps"], donor["steps"]
    data = step["data"]
    key, value = random.choice((
        ("bound", random.choice(("0", "1", "6", "6999/1000", "8", "100", "sqrt(2)"))), ("bound", "1000"),
        ("rows", random.choice(("reals()", "interval(0, 11)", "interval(-1, 10)", "grid(1)", "bounded(1, 0, 10)"))),
        ("norm", random.choice(("L1", "L2", "Linf"))), ("neighbours", random.choice(("add_remove", "change_one"))),
        ("size", random.choice(("", "1", "2"))), ("step", random.choice(("", "1", "1/2"))),
        ("arguments", random.choice(("list_of()", "list_of(fixed('cap', 8))", "list_of(fixed('cap', -3))"))),
        ("function", other["data"]["function"]), ("evidence", other["data"]["evidence"]), ("rule", None),
    ))  # fmt: skip
    if key == "rule":
        return "the rule is another", content | {"steps": [{**step, "rule": other["rule"]}]}
    return f"data.{key} is {str(value)[:60]}", content | {"steps": [{**step, "data": {**data, key: value}}]}


def asked_of_machines(random: Random, content: Any, donor: Any, texts: Any) -> tuple[str, Any]:
    """Another bound, limit, format, sum, relation or domain; and evidence that was worked out for just that."""
    [step], [other] = content["steps"], donor["steps"]
    data = step["data"]
    key, value = random.choice((
        ("bound", random.choice(("0", "1", "10", "9999/1000", "11", "100"))), ("bound", "1000"),
        ("rows", random.choice(("reals()", "interval(0, 11)", "interval(-1, 10)", "grid(1)", "bounded(1, 0, 10)"))),
        ("neighbours", random.choice(("add_remove", "change_one"))), ("tables", random.choice(("lists", "multisets"))),
        ("edits", random.choice("0123")), ("arithmetic", random.choice(("float64", "int64", "float65", ""))),
        ("sum", random.choice(("naive", "python3.11", "python3.12", "python", "any", "mixed", ""))),
        ("least", random.choice(("0", "1", "2", "5"))), ("most", random.choice(("0", "2", "8", "50", "500"))),
        ("numbers", random.choice(("finite", "special"))), ("arguments", "list_of(fixed('cap', 8))"),
        ("function", other["data"]["function"]), ("evidence", other["data"]["evidence"]), ("rule", None),
    ))  # fmt: skip
    if key == "rule":
        return "the rule is another", content | {"steps": [{**step, "rule": other["rule"]}]}
    data = {**data, key: value}
    if step["rule"] == "machine_stays_near" and key != "evidence" and random.random() < 0.7:
        data = {**data, "evidence": worked_again(data, content["sources"])}
    return f"data.{key} is {str(value)[:60]}", content | {"steps": [{**step, "data": data}]}


def worked_again(data: Any, sources: Any) -> Any:
    """The evidence that belongs to changed data, whatever they claim; that of before where nothing is proved."""
    for text in sources.values():
        bring(text)
    try:
        claim = MachineClaim.of({**data, "bound": "1000000", "numbers": "finite"})
        return json.dumps(worked_out(claim_of(claim), machine_of(claim)).evidence)
    except (KernelError, *FAILURES):
        return data["evidence"]


def other_text(random: Random, content: Any, donor: Any, texts: Callable[[Random], str]) -> tuple[str, Any]:
    """Another text, or this one with a number changed, under the same step or the same digest."""
    [step], [text] = content["steps"], content["sources"].values()
    function, changed = step["data"]["function"], other_number(random, text)
    if random.random() < 0.5:
        changed = texts(random)
        named = re.search(r"^def (\w+)", changed[changed.find("@claim") :], re.MULTILINE)
        function = named[1] if named else function
    if random.random() < 0.2:
        return "the text under its digest is another", content | {"sources": {step["data"]["source"]: changed}}
    digest = digest_of(changed)
    data = {**step["data"], "source": digest, "function": function}
    return "the text is another", content | {"sources": {digest: changed}, "steps": [{**step, "data": data}]}


def within(random: Random, content: Any, donor: Any, texts: Any) -> tuple[str, Any]:
    """A part of the evidence changed, or the charges of its alignments taken away."""
    [step], [other] = content["steps"], donor["steps"]
    found, others = (json.loads(one["data"]["evidence"]) for one in (step, other))
    how, changed = random.choice((*ANY, uncharged, uncharged, uncharged))(random, found, others, texts)
    data = {**step["data"], "evidence": json.dumps(changed)}
    return f"evidence: {how}", content | {"steps": [{**step, "data": data}]}


def fitted_to(random: Random, content: Any, donor: Any, texts: Callable[[Random], str]) -> tuple[str, Any]:
    """A text of a family with an alignment that brings both runs to the same outputs, and what it claims."""
    how, made = fitted(random, {"question": {}, "alignments": []}, donor, texts)
    asked = made["question"]
    question = Question(asked["source"], asked["function"], 0)
    data = said(question.source, *question.read(), {"alignments": made["alignments"]})
    step = {"rule": "program_is_private", "premises": [], "data": {**(data or {}), "by": [READING, "z3"]}}
    sources = {digest_of(question.source): question.source}
    return how, concluded(content | {"sources": sources, "steps": [step]}, random)


# Of questions of engines.


def fitting(data: Any, is_proof: bool) -> Any:
    """The data of a step with the question as its engine writes it, and who must be named for it."""
    text = source_of(data["source"]) if "source" in data else ""
    asked = EngineQuestion(data["kind"], text, data["function"], data["question"], data["evidence"])
    answers = engine(data["kind"])
    asked = replace(asked, question=answers.restated(asked))
    by = {}
    if is_proof:
        needed, is_asked = answers.believed(asked)
        by = {"by": sorted(needed | ({"z3"} if is_asked else set()))}
    return {**data, "question": asked.question, **by}


def as_once(random: Random, content: Any, donor: Any, texts: Callable[[Random], str]) -> tuple[str, Any]:
    """Changed as a certificate of before is."""
    then, other = as_before(content), as_before(donor)
    ways = WAYS.get(then["format"], OF_QUERIES)
    if then["format"] != other["format"]:
        other = then
    how, changed = random.choice(ways)(random, then, other, texts)
    return how, of_before(changed)


def asked_of_engines(random: Random, content: Any, donor: Any, texts: Any) -> tuple[str, Any]:
    """The kind, the function, the question, the evidence, the text, the digest or the rule of another; or none."""
    [step], [other] = content["steps"], donor["steps"]
    data, theirs = step["data"], other["data"]
    key = random.choice(
        ("kind", "function", "question", "evidence", "source", "rule", "digest", "both", "spaces", "by")
    )
    if key == "rule":
        rule = "engine_refutes" if step["rule"] == "engine_proves" else "engine_proves"
        rest = {one: part for one, part in data.items() if one != "by"}
        less = rest if rule == "engine_refutes" else {**rest, "by": [READING, "z3"]}
        return "the verdict is the other", content | {"steps": [{**step, "rule": rule, "data": less}]}
    if key == "both":
        changed = {**data, "question": theirs["question"], "evidence": theirs["evidence"]}
    elif key == "digest":
        text = next(iter(donor["sources"].values()), "")
        return "the text under its digest is another", content | {"sources": {data.get("source", ""): text}}
    elif key == "spaces":
        changed = {**data, "question": data["question"].replace(": ", ":", 1)}
    elif key == "by":
        changed = {**data, "by": random.choice(([], ["z3"], [READING], ["me", "z3"]))}
    elif key == "source":
        rest = {one: part for one, part in data.items() if one != "source"}
        changed = rest | {one: part for one, part in theirs.items() if one == "source"}
        return "the text is another's", content | {
            "sources": donor["sources"], "steps": [{**step, "data": changed}]
        }  # fmt: skip
    else:
        changed = {**data, key: theirs[key]}
    return f"data.{key} is another's", content | {"steps": [{**step, "data": changed}]}


def within_answers(random: Random, content: Any, donor: Any, texts: Any) -> tuple[str, Any]:
    """A part of the question or of the evidence changed."""
    [step], [other] = content["steps"], donor["steps"]
    key = random.choice(("question", "evidence", "evidence"))
    found, others = (json.loads(one["data"][key]) for one in (step, other))
    how, changed = random.choice((*ANY, uncharged))(random, found, others, texts)
    data = {**step["data"], key: json.dumps(changed)}
    return f"{key}: {how}", content | {"steps": [{**step, "data": data}]}


ANY: tuple[Way, ...] = (emptied, removed, reordered, merged, grafted, numbered, reworded, nothing_there)
OF_QUERIES: tuple[Way, ...] = (*ANY, lowered, lowered, widened, widened, widened, other_query, other_query)
WAYS: dict[str, tuple[Way, ...]] = {
    KERNEL: (*ANY, spliced, repointed, continued, renamed_rule, other_claim, numbered, grafted, overfull),
    ALIGNMENT: (*ANY, asked_otherwise, asked_otherwise, other_source, uncharged, uncharged, *[fitted] * 5),
    PROGRAM: (*ANY, *[restated] * 4, *[other_text] * 3, *[within] * 6, *[fitted_to] * 10),
    QUERY: (*ANY, *[asked_of_others] * 6, *[other_text] * 2, *[within] * 5),
    MACHINE: (*ANY, *[asked_of_machines] * 8, *[other_text] * 2, *[within] * 3),
    QUESTION: (*ANY, *[asked_of_engines] * 4, *[within_answers] * 5, *[as_once] * 14),
    COUNTEREXAMPLE: (*ANY, asked_otherwise, asked_otherwise, other_source),
}
"""Format -> how its certificates are changed; those of the others as queries are."""
