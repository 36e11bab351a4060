"""`refdp attack`: rows, verdicts, exit codes, refusals, interrupts, pictures."""

import json
import sys
from fractions import Fraction as F
from math import prod

import pytest

import refdp
from refdp.attacks import arrays, reconstruction
from refdp.attacks.averaging import Averaging
from refdp.attacks.bounds import GuessBound
from refdp.cli.app import app
from refdp.commands import attack as command
from refdp.commands.attack import ATTACKS, Effort, played
from refdp.commands.files import write_whole
from refdp.report.pictures import attacks as pictures
from refdp.report.pictures.attacks import curves, picture_of, plot_attack
from tests.command_line import CliRunner

RARE = "1e-10"


def run(words):
    return CliRunner().invoke(app, ["attack", *words.split()])


def found(words):
    done = run(f"{words} --json")
    return done, json.loads(done.stdout, parse_float=lambda text: pytest.fail(f"a float: {text}"))


SMALL = {
    "averaging": "--answers 10 --budget 1",
    "correlation": "--people 3",
    "differencing": "--people 5",
    "inference": "",
    "linkage": "",
    "membership": "--people 3 --answers 50",
    "reconstruction": "--people 8 --answers 30 --seed 7",
}


@pytest.mark.parametrize("name", ATTACKS)
def test_each_attack_has_a_row_without_noise_and_one_for_each_epsilon(name):
    done, told = found(f"{name} {SMALL[name]} --epsilon 1/10 --epsilon 2 --runs 200 --error {RARE}")
    assert (done.exit_code, done.stderr) == (0, "")
    assert [row["epsilon"] for row in told["rows"]] == [None, "1/10", "2"]
    assert [row["bound"] is None for row in told["rows"]] == [True, False, False]
    for row in told["rows"]:
        lower, upper = F(row["success"]["lower"]), F(row["success"]["upper"])
        assert 0 <= lower <= F(row["success"]["right"], row["success"]["runs"]) <= upper <= 1
    assert told["verdict"] in ("NOT_REFUTED", "MEASURED")
    assert told["error"] == RARE


@pytest.mark.parametrize("name", ATTACKS)
def test_the_table_of_each_attack_is_printed(name):
    done = run(f"{name} {SMALL[name]} --epsilon 1 --runs 50")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "no noise" in done.stdout
    assert "certified bound" in done.stdout


def test_the_function_gives_the_same_keys_as_the_command():
    told = found("reconstruction --people 8 --answers 30 --seed 7 --epsilon 1 --runs 50")[1]
    given = refdp.attack("reconstruction", people=8, answers=30, seed=7, epsilon=[1], runs=50)
    assert told.keys() == given.keys()
    assert told["parameters"] == given["parameters"]
    assert [row.keys() for row in told["rows"]] == [row.keys() for row in given["rows"]]


def test_several_ways_to_say_epsilon_are_one():
    rows = [
        refdp.attack("differencing", epsilon=said, runs=20)["rows"]
        for said in ("1/2", F(1, 2), ["0.5", "1/2"], ("1/2",))
    ]
    assert [[row["epsilon"] for row in one] for one in rows] == [[None, "1/2"]] * 4


def test_a_single_auxiliary_column_may_be_text():
    assert refdp.attack("inference", auxiliary="island", runs=20, epsilon=1)["parameters"]["auxiliary"] == ["island"]


def test_what_would_have_been_seen_is_said_and_what_could_not_be_is_measured_alone():
    told = refdp.attack("averaging", answers=9, epsilon=["1/10", "50"], runs=2000, error=RARE)
    assert [row["verdict"] for row in told["rows"]] == ["MEASURED", "NOT_REFUTED", "MEASURED"]
    assert told["rows"][1]["power"].startswith("without noise it is at least 0.9")
    assert told["verdict"] == "NOT_REFUTED"


def test_with_few_runs_nothing_could_have_been_seen_so_that_nothing_is_not_refuted():
    told = refdp.attack("averaging", answers=9, epsilon="1/2", runs=2, error=RARE)
    assert [row["verdict"] for row in told["rows"]] == ["MEASURED"] * 2


def claims_too_little(self, epsilon, timeout):
    return GuessBound(F(51, 100), F(0), F(1, 50), "a lie", frozenset())


def test_a_success_beyond_its_bound_is_refuted_and_the_code_is_1(monkeypatch):
    monkeypatch.setattr(Averaging, "bound", claims_too_little)
    done, told = found(
        f"averaging --epsilon 1 --epsilon 1/10^5 --runs 2000 --error {RARE}".replace("1/10^5", "1/100000")
    )
    assert done.exit_code == 1
    assert [row["verdict"] for row in told["rows"]] == ["MEASURED", "REFUTED", "NOT_REFUTED"]
    assert told["rows"][1]["error"] == RARE
    assert told["verdict"] == "REFUTED"


def test_a_success_at_its_bound_is_not_refuted():
    """The vote attains the bound: it is refuted only where the interval does not hold."""
    told = refdp.attack("averaging", epsilon=["1/50", "1/20", "1/10", "1/5"], runs=20_000, error=RARE)
    assert {row["verdict"] for row in told["rows"][1:]} == {"NOT_REFUTED"}


def test_intervals_of_all_rows_share_the_error(monkeypatch):
    asked = []
    monkeypatch.setattr(command.Tally, "interval", lambda self, error: asked.append(error) or (F(0), F(1)))
    refdp.attack("inference", epsilon=["1", "2"], runs=20, error="6/1000")
    assert asked == [F(1, 1000)] * 6


REFUSED = [
    ("foo", "name must be one of averaging, "),
    ("averaging --people 3", "people must be left out of averaging, which has answers and method and budget, got 3"),
    ("linkage --answers 3", "answers must be left out of linkage"),
    ("averaging --epsilon 0", "epsilon must be from 1/10^6 to 100, got 0"),
    ("averaging --epsilon -1", "epsilon must be from 1/10^6 to 100, got -1"),
    ("averaging --epsilon 101", "epsilon must be from 1/10^6 to 100, got 101"),
    ("averaging --epsilon ln(3)", "epsilon must be an int, a Fraction or text"),
    ("averaging --epsilon nan", "epsilon must be an int, a Fraction or text"),
    ("averaging --runs 1", "runs must be a whole number from 2 to 1000000, got 1"),
    ("averaging --runs 1000001", "runs must be a whole number from 2 to 1000000, got 1000001"),
    ("averaging --error 0", "error must be at least 1e-100 and below 1, got 0"),
    ("averaging --error 1", "error must be at least 1e-100 and below 1, got 1"),
    ("averaging --error -1/2", "error must be at least 1e-100 and below 1, got -1/2"),
    ("averaging --answers 0", "answers must be a whole number >= 1, got 0"),
    ("averaging --answers 100001", "answers must be a whole number from 1 to 100000, got 100001"),
    ("averaging --method linear_programming", "method must be one of likelihood, mean, got linear_programming"),
    ("averaging --budget 0", "budget must be > 0, got 0"),
    ("correlation --people 1", "people must be a whole number from 2 to 1000, got 1"),
    ("differencing --people 0", "people must be a whole number >= 1, got 0"),
    ("membership --people 1000 --answers 1001", "people times answers must be at most 1000000, got 1000 times 1001"),
    ("reconstruction --people 1001", "people must be a whole number from 1 to 1000, got 1001"),
    ("reconstruction --people 1000 --answers 4001", "people times answers must be at most 4000000"),
    ("reconstruction --method mean", "method must be one of least_squares, linear_programming, got mean"),
    ("reconstruction --seed -1", "seed must be a whole number >= 0, got -1"),
    ("linkage --auxiliary island", "auxiliary must single out at least one row, got island"),
    ("linkage --auxiliary nope", "must have a column 'nope'"),
    ("linkage --secret year", "auxiliary must be columns, each once, without the secret one"),
    ("inference --auxiliary island --auxiliary island", "auxiliary must be columns, each once"),
    ("linkage --table none.csv", "the table must be a file that can be read, got none.csv"),
    ("linkage --table .", "must be a regular file"),
    ("linkage --table same.csv --auxiliary a --secret b", "secret must be a column with at least 2 different values"),
    ("linkage --table empty.csv --auxiliary a --secret b", "secret must be a column with at least 2 different values"),
    ("averaging --out x.gif", "out must be a file that ends in .svg, .png or .pdf, got x.gif"),
    ("averaging --out nowhere/x.svg", "out must be a file in a folder that exists, got nowhere/x.svg"),
    ("averaging --timeout 0", "timeout must be a number of seconds"),
]


@pytest.mark.parametrize(("words", "sentence"), REFUSED, ids=[row[0] for row in REFUSED])
def test_bad_input_is_one_sentence_and_leaves_nothing(words, sentence, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "same.csv").write_text("a,b\n1,x\n2,x\n", encoding="utf-8")
    (tmp_path / "empty.csv").write_text("a,b\n", encoding="utf-8")
    done = run(words)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("refdp: ")
    assert sentence in done.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"same.csv", "empty.csv"}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({"epsilon": 0.1}, "epsilon must be exact, got the float 0.1"),
        ({"epsilon": [[1]]}, "epsilon must be an int"),
        ({"epsilon": list(range(1, 102))}, "epsilon must be from|at most 100 times"),
        ({"epsilon": [F(1, n) for n in range(1, 102)]}, "epsilon must be given at most 100 times, got 101"),
        ({"runs": 2.5}, "runs must be a whole number"),
        ({"runs": True}, "runs must be a whole number"),
        ({"answers": "7"}, "answers must be a whole number"),
        ({"timeout": float("inf")}, "timeout must be a number of seconds, > 0 and finite"),
        ({"timeout": float("nan")}, "timeout must be a number of seconds, > 0 and finite"),
        ({"timeout": "5"}, "timeout must be a number of seconds, > 0 and finite, got '5'"),
        ({"timeout": None}, "timeout must be a number of seconds"),
        ({"error": 1e-9}, "error must be exact"),
    ],
)
def test_bad_keywords_are_one_sentence(words, sentence):
    with pytest.raises(ValueError, match=sentence):
        refdp.attack("averaging", **words)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({"auxiliary": 5}, "auxiliary must be the name of a column, or a list of such, got 5"),
        ({"auxiliary": [["a"]]}, "auxiliary must be names of columns"),
        ({"secret": ["sex"]}, "secret must be the name of a column"),
        ({"table": 3}, "table must be the path of a CSV file, got 3"),
        ({"table": b"x"}, "table must be the path of a CSV file"),
    ],
)
def test_bad_columns_are_one_sentence(words, sentence):
    with pytest.raises(ValueError, match=sentence):
        refdp.attack("linkage", **words)


def test_a_name_that_is_no_text_is_one_sentence():
    with pytest.raises(ValueError, match="name must be one of averaging"):
        refdp.attack(["averaging"])


def test_no_array_of_a_reconstruction_is_larger_than_a_part(monkeypatch):
    """Of the people, of the answers, and of the runs of a part none makes an array too large."""
    monkeypatch.setattr(arrays, "CHUNK", 3_000)
    drawn = []
    bits = reconstruction.fair_bits
    monkeypatch.setattr(reconstruction, "fair_bits", lambda *shape: (drawn.append(prod(shape)), bits(*shape))[1])
    refdp.attack("reconstruction", people=1000, answers=1, epsilon=1, runs=20)
    assert len(drawn) > 2
    assert max(drawn) <= 3_000


def test_no_array_of_lots_is_larger_than_a_part(monkeypatch):
    monkeypatch.setattr(arrays, "CHUNK", 3_000)
    drawn = []
    bits = arrays.fair_bits
    monkeypatch.setattr(arrays, "fair_bits", lambda *shape: (drawn.append(prod(shape)), bits(*shape))[1])
    refdp.attack("linkage", epsilon=1, runs=300)
    assert len(drawn) > 2
    assert max(drawn) <= 3_000


def test_an_unknown_keyword_of_a_picture_is_refused(tmp_path):
    with pytest.raises(ValueError, match="colour must be left out of averaging"):
        plot_attack("averaging", tmp_path / "x.svg", colour="red")


@pytest.mark.parametrize(("module", "name", "sentence"), [
    ("scipy", "reconstruction", "reconstruction needs scipy, which the extra `audit` of refdp installs"),
    ("numpy", "averaging", "attacks need numpy, which the extra `bulk` of refdp installs"),
])  # fmt: skip
def test_what_is_not_installed_is_named_with_its_extra(module, name, sentence, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    done = run(name)
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", f"refdp: {sentence}\n")


def after(count, function, error=KeyboardInterrupt):
    """The function, which raises at its call number count + 1."""
    calls = []

    def interrupted(*args, **more):
        calls.append(1)
        if len(calls) > count:
            raise error
        return function(*args, **more)

    return interrupted


@pytest.mark.parametrize("count", [0, 1, 2])
@pytest.mark.parametrize("where", ["play", "bound"])
def test_an_interrupt_tells_the_rows_that_were_measured_by_then(count, where, monkeypatch):
    monkeypatch.setattr(Averaging, where, after(count, getattr(Averaging, where)))
    done, told = found("averaging --answers 3 --epsilon 1 --epsilon 2 --runs 50")
    whole = min(3, count if where == "play" else count + 1)
    assert [row.get("reason") for row in told["rows"]] == [None] * whole + ["interrupted"] * (3 - whole)
    assert all("success" not in row for row in told["rows"][whole:])
    assert {row["verdict"] for row in told["rows"][whole:]} <= {"UNKNOWN"}
    if whole < 3:
        assert (done.exit_code, told["verdict"]) == (130, "UNKNOWN")
        assert done.stderr == "refdp: interrupted; what was decided by then is told\n"


def test_rows_that_are_not_measured_in_time_are_unknown_and_the_code_is_3(monkeypatch):
    """The clock jumps once the second row begins."""
    clock = {"now": 0.0}
    play = Averaging.play

    def slow(self, scale, runs, step):
        clock["now"] += 100.0 if scale is not None else 0.0
        return play(self, scale, runs, step)

    monkeypatch.setattr(Averaging, "play", slow)
    monkeypatch.setattr(command.time, "monotonic", lambda: clock["now"])
    done, told = found("averaging --answers 3 --epsilon 1 --epsilon 2 --runs 50 --timeout 10")
    assert (done.exit_code, done.stderr) == (3, "")
    assert [row["verdict"] for row in told["rows"]] == ["MEASURED", "UNKNOWN", "UNKNOWN"]
    assert told["rows"][1]["reason"] == "timeout: its runs were not all made in time"


def test_a_refuted_row_counts_though_others_were_not_measured(monkeypatch):
    monkeypatch.setattr(Averaging, "bound", claims_too_little)
    monkeypatch.setattr(Averaging, "play", after(2, Averaging.play, TimeoutError))
    done, told = found(f"averaging --epsilon 1 --epsilon 2 --runs 2000 --error {RARE}")
    assert [row["verdict"] for row in told["rows"]] == ["MEASURED", "REFUTED", "UNKNOWN"]
    assert (done.exit_code, told["verdict"]) == (1, "REFUTED")


def test_progress_is_told_in_runs():
    heard = []
    refdp.attack("averaging", answers=2, epsilon=[1, 2], runs=30, step=lambda *told: heard.append(told))
    assert heard == [(0, 90, "no noise"), (30, 90, "epsilon 1"), (60, 90, "epsilon 2")]


def test_many_runs_are_played_in_parts(monkeypatch):
    monkeypatch.setattr(arrays, "CHUNK", 7)
    for name, words in {"averaging": {"answers": 2}, "membership": {"people": 2, "answers": 40}}.items():
        row = refdp.attack(name, epsilon=1, runs=20, **words)["rows"][1]
        assert row["success"]["runs"] == 20


@pytest.mark.parametrize("ending", [".svg", ".png", ".pdf"])
def test_a_picture_is_written_and_named(ending, tmp_path):
    out = tmp_path / f"x{ending}"
    done, told = found(f"averaging --answers 5 --epsilon 1 --epsilon 2 --runs 100 --out {out}")
    assert done.exit_code == 0
    assert told["picture"]["path"] == str(out)
    assert "holds for every attack" in told["picture"]["caption"]
    assert [path.name for path in tmp_path.iterdir()] == [out.name]


@pytest.mark.parametrize("name", ATTACKS)
def test_each_attack_has_a_picture(name, tmp_path):
    words = dict(zip(*[iter(SMALL[name].replace("--", "").split())] * 2, strict=True))
    whole = {key: value if key == "budget" else int(value) for key, value in words.items()}
    told = refdp.plot_attack(name, tmp_path / "x.svg", runs=50, epsilon=["1/2", "2"], **whole)
    text = (tmp_path / "x.svg").read_text(encoding="utf-8")
    assert f"{name}: success against epsilon" in text
    assert told["picture"]["caption"] in text.replace("&amp;", "&")


def test_the_curve_of_a_picture_is_the_certified_bound_at_its_points():
    attack = Averaging(answers=6)
    told = played(attack, Effort.of(["1/10", "2"], 50, RARE, 60.0))
    curve = curves(attack, [row for row in told["rows"] if row["epsilon"]])["certified bound"]
    assert len(curve) == pictures.POINTS
    assert curve[0][0] < 0.1 < 2 < curve[-1][0]
    for x, y in curve[:: pictures.POINTS // 4]:
        assert y >= float(attack.bound(F(f"{x:.4g}"), 60.0).probability)
    assert [y for _, y in curve] == sorted(y for _, y in curve)
    assert picture_of(attack, told).chance == 0.5


def test_no_picture_is_drawn_of_half_the_rows(monkeypatch, tmp_path):
    monkeypatch.setattr(Averaging, "play", after(1, Averaging.play))
    done, told = found(f"averaging --answers 3 --epsilon 1 --runs 50 --out {tmp_path / 'x.svg'}")
    assert (done.exit_code, "picture" in told, list(tmp_path.iterdir())) == (130, False, [])


def test_a_picture_that_cannot_be_written_leaves_nothing(monkeypatch, tmp_path):
    def full(path, content):
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(pictures, "write_whole", full)
    done = run(f"averaging --answers 3 --epsilon 1 --runs 50 --out {tmp_path / 'x.svg'}")
    assert (done.exit_code, done.stdout, list(tmp_path.iterdir())) == (2, "", [])
    assert write_whole is not full


def test_picture_shows_no_bound_above_one_and_says_of_how_many_answers_each_epsilon_is():
    row = {"without": {"right": 7, "runs": 10}, "bound": "0.2"}
    assert pictures.one_above(row) == pytest.approx(0.9)
    assert pictures.one_above(row | {"bound": "0.5"}) == 1
    asked = {"averaging": "epsilon of each of 10 answers", "differencing": "epsilon of one answer"}
    for name, words in asked.items():
        assert drawn_label(name) == words


def drawn_label(name):
    """What stands below the axis of a small attack's picture."""
    from matplotlib.figure import Figure

    effort = command.Effort.of("1/10", 20, "1e-9", 600.0)
    attack = command.attack_of(name, {"answers": 10} if name == "averaging" else {})
    figure = Figure()
    pictures.draw(picture_of(attack, played(attack, effort, lambda *_: None)), figure)
    return figure.axes[0].get_xlabel()
