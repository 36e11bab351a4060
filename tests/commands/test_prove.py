"""refdp prove: verdicts, exit codes, what is printed, certificates, and what bad input says."""

import json
from pathlib import Path

import pytest

import refdp
from refdp.cli.app import app
from refdp.commands.check import check, replayed_file
from refdp.kernel.sources import digest_of
from refdp.report.program_tables import decimal_multiple
from tests.command_line import CliRunner
from tests.meta.repository import ROOT

run = CliRunner().invoke
LIBRARY = ROOT / "refdp" / "programs" / "library"
NUMBERS = """
from refdp.programs import ALL, claim, laplace


@claim(epsilon="epsilon", adjacency=ALL)
def right(x: float, epsilon):
    return x + laplace(1 / epsilon)


@claim(epsilon="epsilon/2", adjacency=ALL{expected})
def wrong(x: float, epsilon):
    return x + laplace(1 / epsilon)


@claim(epsilon="epsilon", adjacency=ALL)
def fixed(x: float, epsilon):
    return 1
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "numbers.py"
    path.write_text(NUMBERS.format(expected=""), encoding="utf-8")
    return path


def prove(*arguments):
    return run(app, ["prove", *map(str, arguments)])


def test_prove_prints_the_alignment_of_a_textbook(tmp_path, file):
    done = prove(f"{file}:right", "--certificates", tmp_path)
    assert done.exit_code == 0
    words = " ".join(done.stdout.split())
    assert "PROVED for all data of every length" in words
    assert "7 laplace(1/epsilon) always -d" in words


def test_prove_prints_a_counterexample_and_says_so_by_its_exit_code(tmp_path, file):
    done = prove(f"{file}:wrong", "--certificates", tmp_path)
    assert done.exit_code == 1
    words = " ".join(done.stdout.split())
    assert "REFUTED a counterexample of 1 number" in words
    assert "P[event]" in words
    assert "claimed epsilon 1/2 = 0.5 ln(P/P')" in words


def test_prove_is_content_where_a_refutation_was_expected(tmp_path, file):
    file.write_text(NUMBERS.format(expected=', expected="REFUTED"'), encoding="utf-8")
    done = prove(file, "--certificates", tmp_path)
    assert done.exit_code == 0
    assert "3 claims: 2 PROVED, 1 REFUTED; 3 as expected, 0 surprises" in done.stdout


def test_prove_json_is_one_object_of_text_numbers(tmp_path, file):
    done = prove(f"{file}:right", "--certificates", tmp_path, "--json")
    found = json.loads(done.stdout, parse_float=lambda _: pytest.fail("a float in the output"))
    keys = ("verdict", "claim", "trusts", "seconds", "adjacency", "n", "counterexample", "alignment", "certificate")
    assert all(key in found for key in keys)
    assert (found["verdict"], found["n"], found["adjacency"]) == ("PROVED", "all", "ALL")


def test_prove_writes_certificates_that_check_replays(tmp_path, file):
    found = refdp.prove(file, certificates=tmp_path / "certificates")
    assert [c["verdict"] for c in found["claims"]] == ["PROVED", "REFUTED", "PROVED"]
    checked = check(tmp_path / "certificates", solver="both")
    assert sorted(c["verdict"] for c in checked["certificates"]) == ["PROVED", "PROVED", "REFUTED"]
    assert all("absolute(1), pure(" in c["conclusion"] for c in checked["certificates"])


def test_check_rejects_a_certificate_whose_program_was_changed(tmp_path, file):
    for name, old, new in (("right", "laplace(1 / epsilon)", "laplace(1 / (2 * epsilon))"),
                           ("wrong", "laplace(1 / epsilon)", "laplace(2 / epsilon)")):  # fmt: skip
        path = refdp.prove(f"{file}:{name}", certificates=tmp_path)["claims"][0]["certificate"]
        content = json.loads(Path(path).read_text(encoding="utf-8"))
        [(digest, source)], [step] = content["sources"].items(), content["steps"]
        assert digest == step["data"]["source"]
        assert old in source
        changed = source.replace(old, new)
        renamed = json.dumps(content).replace(digest, digest_of(changed))
        content = {**json.loads(renamed), "sources": {digest_of(changed): changed}}
        forged = tmp_path / "forged.json"
        forged.write_text(json.dumps(content), encoding="utf-8")
        assert replayed_file(forged, None, None, 20)["verdict"] in ("UNKNOWN", "REJECTED"), name


def test_prove_takes_another_adjacency_and_values(tmp_path):
    target = f"{LIBRARY / 'sums.py'}:partial_sum"
    found = refdp.prove(target, adjacency="ALL", set={"epsilon": 1}, certificates=tmp_path)
    assert {c["verdict"] for c in found["claims"]} == {"REFUTED"}
    assert all(c["counterexample"]["parameters"] == {"epsilon": "1"} for c in found["claims"])


def test_prove_brackets_the_true_epsilon(file):
    [found] = refdp.prove(f"{file}:wrong", bracket=True)["claims"]
    assert (found["bracket"]["lower"], found["bracket"]["upper"]) == ("9999/10000*epsilon", "epsilon")
    assert {one["adjacency"]: one["verdict"] for one in found["adjacencies"]} == dict.fromkeys(
        ("ALL", "ONE", "L1", "L2", "MONO"), "REFUTED"
    )


def test_prove_prints_the_bracket_of_each_of_several_claims(tmp_path, file):
    done = prove(file, "--bracket", "--certificates", tmp_path)
    assert done.stdout.count("the true epsilon is at least") == 2
    assert "wrong  epsilon=epsilon/2, adjacency ALL" in done.stdout


def test_prove_keeps_to_its_timeout_and_says_unknown():
    done = prove(LIBRARY / "sparse_vector.py", "--timeout", "0.2", "--json")
    found = json.loads(done.stdout)
    assert done.exit_code == 3
    assert "UNKNOWN" in {c["verdict"] for c in found["claims"]}
    assert all(c.get("reason") for c in found["claims"] if c["verdict"] == "UNKNOWN")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["missing.py"], "No such file"),
        (["missing.py"], "target must be FILE.py or FILE.py:FUNCTION, got missing.py"),
        ([str(LIBRARY / "sums.py") + ":nothing"], "no function nothing with a claim; write one of: "),
        ([str(LIBRARY / "__init__.py") + ":nothing"], "write @claim(epsilon=..., adjacency=...) above its def"),
        ([str(LIBRARY / "sums.py"), "--set", "N=1"], "set must name public parameters (epsilon), got N"),
        ([str(LIBRARY / "sums.py"), "--adjacency", "SOME"], "adjacency must be one of ALL, ONE, L1, L2, MONO"),
        ([str(LIBRARY / "sums.py"), "--solver", "yices"], "solver must be z3, cvc5 or both, got yices"),
        ([str(LIBRARY / "__init__.py")], "must have a function with a decorator @claim(...), got none"),
    ],
)
def test_prove_refuses_bad_input_in_one_sentence(arguments, sentence):
    done = prove(*arguments)
    assert done.exit_code == 2
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


def test_prove_names_line_and_column_of_what_it_does_not_read(file):
    file.write_text(NUMBERS.format(expected="").replace("return 1", "return sorted([x])"), encoding="utf-8")
    done = prove(f"{file}:fixed")
    assert done.exit_code == 2
    assert f"refdp: {file}:17:12: " in done.stderr


def test_decimal_multiples_are_short():
    assert decimal_multiple("17499/10000*epsilon") == "1.7499*epsilon"
    assert decimal_multiple("2*epsilon") == "2*epsilon"


UNREADABLE = """

@claim(epsilon="epsilon", adjacency=ALL)
def median(q: list[int], epsilon):
    return sorted(q)[len(q) // 2]
"""


@pytest.fixture
def mixed(tmp_path):
    """A right function, one that is not read, and another right one."""
    path = tmp_path / "mixed.py"
    head, _, tail = NUMBERS.partition('\n\n\n@claim(epsilon="epsilon/2"')
    path.write_text(head + "\n" + UNREADABLE + "\n\n@claim" + tail.rpartition("@claim")[2], encoding="utf-8")
    return path


def test_a_function_that_is_not_read_leaves_the_others_judged(tmp_path, mixed):
    done = prove(mixed, "--certificates", tmp_path, "--json")
    assert done.exit_code == 3, done.stdout
    found = json.loads(done.stdout)
    assert found["verdict"] == "UNKNOWN"
    assert {one["function"]: one["verdict"] for one in found["claims"]} == {
        "right": "PROVED", "median": "UNKNOWN", "fixed": "PROVED",
    }  # fmt: skip
    unread = found["claims"][1]
    assert unread.keys() >= found["claims"][0].keys() - {"expected", "second_judge"}
    assert "mixed.py:12:12: not supported: " in unread["reason"]
    assert mixed.read_text(encoding="utf-8").splitlines()[unread["line"] - 1].startswith("def median")


def test_a_refuted_function_beside_one_that_is_not_read_is_refuted(tmp_path, file):
    file.write_text(file.read_text(encoding="utf-8") + UNREADABLE, encoding="utf-8")
    done = prove(file, "--certificates", tmp_path)
    assert done.exit_code == 1
    words = " ".join(done.stdout.split())
    assert "4 claims: 2 PROVED, 1 REFUTED, 1 UNKNOWN" in words
    assert "median, not read: UNKNOWN: " in words


def test_one_function_that_is_not_read_is_bad_input(tmp_path, mixed):
    assert prove(f"{mixed}:median").exit_code == 2
    assert prove(f"{mixed}:right", "--certificates", tmp_path).exit_code == 0
    alone = tmp_path / "alone.py"
    alone.write_text("from refdp.programs import ALL, claim\n" + UNREADABLE, encoding="utf-8")
    done = prove(alone)
    assert done.exit_code == 2
    assert "alone.py:6:12: not supported: " in done.stderr
