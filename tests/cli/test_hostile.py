"""Hostile values of every option of every command: exit code 2, one sentence on standard error, and nothing is left.

A row is a command that works, an option (or "" for its argument), and values that it must refuse.
"""

import os
from pathlib import Path

import pytest

import refdp
from refdp.cli.app import app
from tests.cli.small_files import FILES
from tests.cli.test_words import COMMANDS, NAMES, PROGRAM, VECTORS, command_of
from tests.command_line import CliRunner

LONG = "9" * 5000
NUMBERS = ("", "nan", "inf", "-1", "x", "1/0", "0x10", "0e9999999999", "__import__('os')")
WHOLE = ("", "nan", "-1", "0", "1.5", "x", LONG)
SECONDS = ("", "nan", "inf", "-1", "0", "x", "1e400", "1e-400", "0e9999999999", "1e-9999999999", LONG)
READ = ("nowhere", ".", "loop", "loop/x", "binary", "empty", "x" * 5000)
WRITTEN = ("no/such/folder/x", ".", "loop/x", "x" * 5000)
FOLDERS = ("binary", "loop", "binary/x")
NAMED = ("", "unknown", "\x1b[2J", "x" * 5000, "../../etc/passwd")
PAIRS = ("", "a", "=1")

SENSITIVITY = "sensitivity query.py:total --neighbours add_remove --bounds 0 1"
ACCOUNT = "account spec.json --delta 1e-6"
SGD = "account --sgd --delta 1e-6"
SAMPLE = "sample discrete_laplace --scale 2"
RELEASE = "release t.csv --query count --epsilon 1 --neighbours add_remove"
OWN = "release t.csv --query own.py:older --epsilon 1 --neighbours add_remove"
AUDIT = "audit bit.toml --workers 1"
CHECK = f"vectors check {VECTORS}"
ATTACK = "attack averaging --runs 10 --epsilon 1 --answers 2"
RECONSTRUCTION = "attack reconstruction --runs 2 --epsilon 1 --answers 4 --people 3"
LINKAGE = "attack linkage --runs 10 --epsilon 1"
NOISE = f"{ACCOUNT} --epsilon 1 --calibrate sigma"
FIT = "fit k_means t.csv --feature age=0..100 --epsilon 1"
BAYES = "fit naive_bayes t.csv --feature age=0..100 --epsilon 1 --target age=30,40"
COMPONENTS = "fit principal_components t.csv --feature age=0..100 --epsilon 1 --delta 1e-6"
LOGISTIC = "fit logistic_regression t.csv --feature age=0..100 --epsilon 1"
PENGUINS = Path(refdp.__file__).parent / "releases/examples/penguins.csv"
RIDGE = f"fit logistic_regression {PENGUINS} --feature body_mass_g=2500..6500 --target sex=female,male --epsilon 1"
TRAIN = "train --steps 1"

TABLE = [
    ("attack --runs 10 --epsilon 1", "", NAMED),
    ("attack averaging --runs 10 --answers 2", "--epsilon", (*NUMBERS, "0")),
    ("attack averaging --epsilon 1 --answers 2", "--runs", WHOLE),
    (ATTACK, "--error", (*NUMBERS, "0", "1", "2")),
    ("attack reconstruction --runs 2 --epsilon 1 --answers 4", "--people", WHOLE),
    ("attack averaging --runs 10 --epsilon 1", "--answers", WHOLE),
    (ATTACK, "--method", NAMED),
    (RECONSTRUCTION, "--seed", ("", "nan", "-1", "1.5", "x")),
    (ATTACK, "--budget", NUMBERS),
    (LINKAGE, "--table", READ),
    (LINKAGE, "--auxiliary", NAMED),
    (LINKAGE, "--secret", NAMED),
    (ATTACK, "--out", (*WRITTEN, "x.txt")),
    (ATTACK, "--timeout", SECONDS),
    ("fit t.csv --feature age=0..100 --epsilon 1", "", NAMED),
    ("fit k_means t.csv --epsilon 1", "--feature",
     (*PAIRS, "a=", "age=5..1", "age=x..1", "age=0..nan", "age=30,40", "age=30,30", "none=0..1")),
    ("fit k_means t.csv --feature age=0..100", "--epsilon", (*NUMBERS, "0", "1e400")),
    ("fit linear_regression t.csv --feature age=0..100 --epsilon 1 --delta 1e-6", "--target",
     (*PAIRS, "age=5..1", "age=a,b", "age=0..1", "none=0..1")),
    ("fit principal_components t.csv --feature age=0..100 --epsilon 1", "--delta", (*NUMBERS, "0", "1")),
    (LOGISTIC, "--target", (*PAIRS, "age=5..1", "age=30,40", "none=0,1", "age=0..1")),
    (RIDGE, "--perturb", NAMED),
    (RIDGE, "--regularisation", (*NUMBERS, "0", "1e-4", "1e7")),
    (FIT, "--neighbours", NAMED),
    (BAYES, "--bins", (*WHOLE, "1001")),
    (FIT, "--clusters", (*WHOLE, "101")),
    (FIT, "--rounds", (*WHOLE, "101")),
    (COMPONENTS, "--components", (*WHOLE, "2")),
    (FIT, "--certificates", FOLDERS[:2]),
    (FIT, "--out", (*WRITTEN, "x.txt")),
    (FIT, "--timeout", SECONDS),
    ("train --feature age=0,100 --label age=30,40 --steps 1", "", READ),
    ("train t.csv --label age=30,40 --steps 1", "--feature", (*PAIRS, "age=5,1", "age=x,1", "age=1", "none=0,1")),
    ("train t.csv --feature age=0,100 --steps 1", "--label", (*PAIRS, "age=1", "none=0,1")),
    (TRAIN, "--model", NAMED),
    (TRAIN, "--rate", (*NUMBERS, "0", "2", "1e400")),
    ("train", "--steps", WHOLE),
    (TRAIN, "--noise", NAMED),
    (TRAIN, "--noise-multiplier", (*NUMBERS, "0")),
    (TRAIN, "--lot", (*NUMBERS, "0")),
    (TRAIN, "--learning-rate", (*NUMBERS, "0")),
    (TRAIN, "--norm", (*NUMBERS, "0")),
    (TRAIN, "--granularity", (*NUMBERS, "0", "2")),
    (TRAIN, "--delta", (*NUMBERS, "1")),
    (TRAIN, "--neighbours", NAMED),
    (f"{TRAIN} --audit", "--runs", WHOLE),
    (f"{TRAIN} --audit", "--error", (*NUMBERS, "0", "1")),
    (TRAIN, "--certificates", FOLDERS[:2]),
    (TRAIN, "--out", (*WRITTEN, "x.txt")),
    (TRAIN, "--timeout", SECONDS),
    ("verify", "", (*NAMED, "[")),
    ("verify count.*", "--certificates", FOLDERS),
    ("verify count.*", "--timeout", SECONDS),
    ("check", "", ("nowhere", "loop", "loop/x", "x" * 5000)),
    ("check spec.json", "--solver", NAMED),
    ("check spec.json", "--trust", ("", " ,", "z3,,")),
    ("check spec.json", "--timeout", SECONDS),
    ("explain", "", (*NAMED, "count.*")),
    ("explain count.add_remove", "--timeout", SECONDS),
    ("export", "", (*NAMED, "count.*")),
    ("export count.add_remove", "--timeout", SECONDS),
    ("export count.add_remove", "--to", NAMED),
    ("export count.add_remove", "--out", WRITTEN),
    ("sensitivity --neighbours add_remove --bounds 0 1", "",
     ("", "nowhere.py:f", "query.py", "query.py:", "query.py:none", ".:f", "binary:f", "loop:f", "bad.py:f",
      "nowhere.toml", "bit.toml", "empty")),
    (SENSITIVITY, "--neighbours", NAMED),
    (SENSITIVITY, "--claim", ("", "nan", "inf", "x", "1/0", "0e9999999999", "__import__('os')")),
    (SENSITIVITY, "--edits", WHOLE),
    (SENSITIVITY, "-k", WHOLE),
    (SENSITIVITY, "--norm", NAMED),
    (SENSITIVITY, "--tables", NAMED),
    (SENSITIVITY, "--set", PAIRS),
    (SENSITIVITY, "--symbol", ("", "1", "a:b", "a b")),
    (SENSITIVITY, "--assume", ("x", "1 +", "n < 0")),
    (SENSITIVITY, "--timeout", SECONDS),
    (SENSITIVITY, "--certificates", FOLDERS),
    (SENSITIVITY, "--at", (*READ, "t.csv", "t.csv:none")),
    (SENSITIVITY, "--smooth", ("1", *NUMBERS)),
    (f"{SENSITIVITY} --at t.csv:age --statistic median", "--smooth", NUMBERS),
    (f"{SENSITIVITY} --at t.csv:age --smooth 1", "--statistic", NAMED),
    (SENSITIVITY, "--empty", ("0", "x")),
    (f"{SENSITIVITY} --smooth 1", "--smooth-bound", NAMED),
    (SENSITIVITY, "--score", NAMED),
    (SENSITIVITY, "--candidates", ("", "x", "[1, 2]")),
    (SENSITIVITY, "--arithmetic", NAMED),
    (SENSITIVITY, "--sum", ("kahan", *NAMED)),
    (f"{SENSITIVITY} --arithmetic float64", "--sum", NAMED),
    (SENSITIVITY, "--rows-at-most", (*WHOLE, "10")),
    (SENSITIVITY, "--rows-at-least", ("", "-1", "x", "3")),
    ("sensitivity query.py:total --neighbours add_remove", "--bounds", ()),
    ("sensitivity query.py:total --neighbours add_remove", "--records", ("", "x", "1..0", "nan", "integers 1..0")),
    ("sensitivity query.py:total --neighbours add_remove", "--column", (*PAIRS, "a=", "a=5..1", "1=0..1")),
    ("prove", "", ("", "nowhere.py", ".", "binary", "loop", "bad.py", "empty", "query.py", "query.py:total")),
    (f"prove {PROGRAM}", "--adjacency", NAMED),
    (f"prove {PROGRAM}", "--set", (*PAIRS, "epsilon=x", "none=1")),
    (f"prove {PROGRAM}", "--solver", NAMED),
    (f"prove {PROGRAM}", "--certificates", FOLDERS),
    (f"prove {PROGRAM}", "--timeout", SECONDS),
    ("account --delta 1e-6", "", (*READ, "")),
    ("account spec.json", "--delta", (*NUMBERS, "1", LONG)),
    ("account spec.json", "--epsilon", (*NUMBERS, "1e400", LONG)),
    (ACCOUNT, "--certificates", FOLDERS),
    (f"{SGD} --rate 1/9 --steps 2", "--noise-multiplier", (*NUMBERS, "0", LONG)),
    (f"{SGD} --noise-multiplier 1 --steps 2", "--rate", (*NUMBERS, "0", "2", LONG)),
    (f"{SGD} --noise-multiplier 1 --steps 2 --rows 9", "--lot-size", (*WHOLE, "10")),
    (f"{SGD} --noise-multiplier 1 --steps 2 --lot-size 9", "--rows", (*WHOLE, "8")),
    (f"{SGD} --noise-multiplier 1 --rate 1/9", "--steps", WHOLE),
    (f"{SGD} --noise-multiplier 1 --rate 1/9", "--epochs", (*NUMBERS, "0", "1e400", LONG)),
    (f"{SGD} --noise-multiplier 1 --rate 1/9 --steps 2", "--neighbours", NAMED),
    (f"{SGD} --noise-multiplier 1 --rate 1/9 --steps 9", "--sampling", (*NAMED, "shuffle")),
    (ACCOUNT, "--width", (*NUMBERS, "0", "2")),
    (ACCOUNT, "--memory", ("", "nan", "-1", "0", "1.5", "x", LONG)),
    (ACCOUNT, "--timeout", SECONDS),
    (ACCOUNT, "--out", ("x.svg", *WRITTEN)),
    (f"{ACCOUNT} --plot", "--out", ("", "x.pdf.exe", *WRITTEN)),
    (f"{ACCOUNT} --epsilon 1", "--calibrate", (*NAMED, "rho", "delta")),
    (NOISE, "--digits", (*WHOLE, "13")),
    ("sample --scale 1", "", NAMED),
    ("sample discrete_laplace", "--scale", (*NUMBERS, "0")),
    ("sample discrete_laplace", "--epsilon", (*NUMBERS, "0")),
    (SAMPLE, "--granularity", (*NUMBERS, "0")),
    (SAMPLE, "--truth", ("1/2",)),
    (SAMPLE, "--set", (*PAIRS, "n=2", "x=1", "scale=3")),
    (SAMPLE, "--input", ("", "nan", "inf", "x", "1/3", "1,2", ",", "0e9999999999")),
    (SAMPLE, "-n", WHOLE),
    (SAMPLE, "--out", ("", "x.pdf", *WRITTEN)),
    (SAMPLE, "--bits", ("nowhere", ".", "loop", "loop/x", "x" * 5000)),
    (SAMPLE, "--timeout", SECONDS),
    (RELEASE.replace(" t.csv", ""), "", READ),
    (RELEASE, "--query", ("", "count x", "sum", "sum z", "histogram", "unknown", "mean age")),
    (RELEASE, "--epsilon", (*NUMBERS, "0", "1e400")),
    (RELEASE, "--neighbours", NAMED),
    (RELEASE, "--bounds", ("", "x", "1", "2,1", "nan,1", "age=")),
    (RELEASE, "--granularity", ("", "x", "0", "-1", "age=")),
    (RELEASE, "--categories", ("", "a", "=x", "age=")),
    (RELEASE, "--missing", ("", "x", "replace")),
    (f"{RELEASE} --missing drop", "--missing-marker", ()),
    (RELEASE, "--maximum-rows", (*WHOLE, "1")),
    (f"{RELEASE} --budget b.json", "--total", (*NUMBERS, "0", "1e400")),
    ("release t.csv --query count --neighbours add_remove", "--rho", (*NUMBERS, "0", "1e400")),
    (RELEASE, "--rho", ("1",)),
    (RELEASE, "--delta", (*NUMBERS, "0", "1", "1e400")),
    (RELEASE, "--order", (*NUMBERS, "0", "1", "1e400")),
    (f"{RELEASE} --delta 1/10", "--order", ("2",)),
    (f"{RELEASE} --delta 1/10 --budget b.json", "--total-delta", (*NUMBERS, "0", "1", "1e400")),
    (f"{RELEASE} --budget b.json", "--total-delta", ("1/10",)),
    (f"{RELEASE} --order 8 --budget b.json", "--promise",
     (*NUMBERS, "1", "1,0", "1,1", "0,1/10", "1,2,3", "1/10,1e-9")),
    (f"{RELEASE} --budget b.json", "--promise", ("1,1/10",)),
    (RELEASE, "--column", (*PAIRS, "a=", "age=0..1")),
    (f"{OWN} --column age=0..1", "--column", ("age=0..1", "age=5..1", "age=x")),
    (OWN, "--column", ("age=", "age=5..1", "age=nan", "none=0..1", "age=true | false", "age=0..30")),
    (RELEASE, "--set", (*PAIRS, "than=1")),
    (f"{OWN} --column age=0..1", "--set", (*PAIRS, "than=inf", "nothing=1")),
    (RELEASE, "--claim", (*PAIRS, "older=1")),
    (f"{OWN} --column age=0..100", "--claim", (*PAIRS, "older=", "older=x", "older=-1", "older=1/2", "other=1")),
    (f"{OWN} --column age=0..1", "--granularity", ("older=0", "older=x", "older=nan")),
    (RELEASE, "--budget", (".", "no/such/folder/x", "loop/x", "x" * 5000)),
    (RELEASE, "--certificates", FOLDERS[:2]),
    (RELEASE, "--timeout", SECONDS),
    ("audit", "", ("nowhere", "binary", "loop", "bad.py", "empty", "x" * 5000)),
    (AUDIT, "--out", WRITTEN),
    (AUDIT, "--html", WRITTEN),
    (AUDIT, "--sarif", WRITTEN),
    (AUDIT, "--store", ("no/such/folder/x", ".", "binary", "loop")),
    (AUDIT, "--scheduler", ("", "x", "tcp://")),
    ("audit bit.toml", "--workers", WHOLE),
    (AUDIT, "--python", ("", "nowhere", ".", "binary")),
    (AUDIT, "--only", ("", "nothing*")),
    (AUDIT, "--timeout", SECONDS),
    ("audit", "--replay", READ),
    ("plot --out x.svg", "", (*READ, *NAMED, "nowhere.json", "t.csv")),
    ("plot count.add_remove", "--out", ("", "x.jpg", f"{'x' * 5000}.svg", *WRITTEN)),
    ("plot count.add_remove --out x.svg", "--kind", (*NAMED, "laws")),
    ("plot count.add_remove --out x.svg", "--timeout", SECONDS),
    ("vectors write", "", FOLDERS),
    ("vectors write v", "--type", NAMED),
    ("vectors write v", "--timeout", SECONDS),
    ("vectors check", "", READ),
    (CHECK, "--against", (*NAMED, "binary", "bad.py", "loop")),
    (CHECK, "--command", ("", " ", "/no/such", "'")),
    (CHECK, "--type", NAMED),
    (CHECK, "--timeout", SECONDS),
    ("vectors import-google --out o", "", ("nowhere", ".", "binary", "loop", "x" * 5000)),
    ("vectors import-google empty", "--out", FOLDERS),
    ("vectors import-google empty --out o", "--timeout", SECONDS),
]  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    found = tmp_path_factory.mktemp("hostile")
    for name, text in {**FILES, "bad.py": "def f(:\n", "empty": ""}.items():
        (found / name).write_text(text, encoding="utf-8")
    (found / "binary").write_bytes(bytes(range(256)) * 4)
    (found / "loop").symlink_to("loop")
    return found


def arguments(row, value):
    command, option, _ = row
    words = command.split()
    if option:
        return [*words, option, value]
    place = 2 if words[0] == "vectors" else 1
    return [*words[:place], value, *words[place:]]


@pytest.mark.parametrize("row", TABLE, ids=[" ".join(row[0].split()[:2])[:24] + f" {row[1]}" for row in TABLE])
def test_bad_input_ends_with_code_2_and_one_sentence_and_leaves_nothing(row, folder, monkeypatch):
    monkeypatch.chdir(folder)
    before = sorted(os.listdir(folder))
    for value in row[2]:
        done = CliRunner().invoke(app, arguments(row, value), input="")
        said = f"{value[:60]!r}: {done.exit_code} {done.stderr}{done.stdout}"
        assert (done.exit_code, done.stdout) == (2, ""), said
        assert done.stderr.startswith("refdp: "), said
        assert done.stderr.count("\n") == 1, said
        assert done.stderr.rstrip("\n").isprintable(), said
        assert len(done.stderr) < 700, said
        assert sorted(os.listdir(folder)) == before, said


def test_every_option_that_takes_a_value_is_in_the_table():
    tried = {(" ".join(row[0].split()[: 1 + row[0].startswith("vectors")]), row[1]) for row in TABLE}
    for name in NAMES:
        for one in command_of(name).params:
            if one.param_type_name == "option" and not one.is_flag:
                assert {(name, text) for text in one.opts} & tried, (name, one.opts)
            elif one.param_type_name == "argument":
                assert (name, "") in tried


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("verify --no-such", "option must be one of those in refdp verify --help, got --no-such"),
        ("verify --timeou 3", "option must be one of those in refdp verify --help, such as --timeout, got --timeou"),
        ("verify a b", "arguments must be those of refdp verify --help, got b besides"),
        ("explain", "claim must be given, got nothing; see refdp explain --help"),
        ("release t.csv", "query must be given, got nothing; see refdp release --help"),
        ("verify --timeout", "timeout must have a value, got none"),
        ("sensitivity f --bounds 1", "bounds must have 2 values, got fewer"),
        ("verify --json=1", "json must have no value, got one"),
        ("prov", f"command must be one of {', '.join(COMMANDS)}, got prov"),
        ("vectors chek", "command must be one of write, check, import-google, got chek"),
        ("sensitivity query.py:total", "records must be declared by one of bounds, records or column, got 0 of them"),
    ],
)
def test_bad_usage_is_one_sentence(words, sentence):
    done = CliRunner().invoke(app, words.split())
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", f"refdp: {sentence}\n")
