"""`refdp.sample`: files hold the draws of the certified samplers, whole or not at all, with numpy and without."""

import io
import json
import os
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction as F
from types import SimpleNamespace

import numpy as np
import pytest

import refdp
from refdp import sample
from refdp.commands.sample_files import npy_header, number_text
from refdp.commands.sample_summary import decimal, rounded, sample_moments
from refdp.report.sample_tables import moments_table
from refdp.report.tables import console
from refdp.sampling import chunks
from refdp.sampling.bulk.chunks import ArrayChunk
from refdp.sampling.chunks import ListChunk, run_of
from refdp.sampling.drawing import Randomness
from refdp.sampling.words import SYSTEM_WORDS, Recorded
from tests.examples import few
from tests.meta.repository import ROOT
from tests.sampling.streams import Stream

REQUESTS = {
    "gaussian": {"name": "discrete_gaussian", "scale": "22/7"},
    "laplace on a grid of 4, at 8": {"name": "discrete_laplace", "scale": 1000, "granularity": 4, "input": 8},
    "truncated": {"name": "truncated_geometric", "scale": 3, "lower": -2, "upper": 9, "input": 2},
    "binary": {"name": "randomised_response", "truth": "2/3", "input": 1},
    "7-ary": {"name": "k_ary_randomised_response", "k": 7, "truth": "1/2", "input": 3},
    "exponential": {"name": "exponential", "scale": 2, "input": "1,2,7/2"},
    "permute and flip": {"name": "permute_and_flip", "scale": 1, "input": (3, 2)},
    "out of reach": {"name": "discrete_laplace", "scale": 2**57},
}
N = few(2000)


def expected(request, n, digits):
    """n draws, as the samplers' own `many` and the definition of the mechanism make them of the digits."""
    m = getattr(refdp, request["name"])
    rest = {k: v for k, v in request.items() if k not in ("name", "input")}
    m = m(*([rest.pop("scale")] if "scale" in rest else []), **rest)
    x = request.get("input", 0)
    if isinstance(x, str | tuple):
        x = [F(s) for s in (x.split(",") if isinstance(x, str) else x)]
    if request["name"] == "exponential":
        run = run_of(m.subject, tuple(x), n, digits)
        return run.table.draws.many(n, digits)
    return m.each([x] * n, source=digits)


@pytest.mark.parametrize("key", REQUESTS)
@pytest.mark.parametrize("ending", ["npy", "csv", "txt"])
def test_sample_writes_the_draws_of_the_certified_samplers(key, ending, tmp_path):
    request, out = REQUESTS[key], tmp_path / f"x.{ending}"
    n = N if key not in ("permute and flip", "out of reach") else 40
    found = sample(n=n, out=out, bits=Stream(4), **request)
    if ending == "npy":
        drawn = np.load(out, allow_pickle=False)
        assert (drawn.dtype, drawn.shape) == (np.int64, (n,))
        drawn = drawn.tolist()
    else:
        lines = out.read_text(encoding="utf-8").splitlines()
        assert lines[: ending == "csv"] == [request["name"]] * (ending == "csv")
        drawn = [F(line) for line in lines[ending == "csv" :]]
    assert drawn == list(expected(request, n, Stream(4)))
    assert (found["n"], found["file"], found["random"]) == (n, str(out), False)


def test_sample_goes_on_where_a_chunk_ends(tmp_path, monkeypatch):
    monkeypatch.setattr(chunks, "DRAWS_AT_ONCE", 100)
    digits = Stream(9)
    found = sample("discrete_laplace", 250, scale=7, bits=Stream(9))
    m = refdp.discrete_laplace(7)
    assert [F(y) for y in found["draws"]] == [y for n in (100, 100, 50) for y in m.each([0] * n, source=digits)]
    assert found["digits"] == 8 * digits.used


def test_sample_states_the_exact_moments_of_its_draws(tmp_path):
    found = sample("discrete_gaussian", N, sigma=10**6, granularity="1/2", input="7/2", bits=Stream(1))
    drawn = [F(y) for y in found["draws"]]
    mean = sum(drawn) / N
    assert found["sample"] == {
        "mean": decimal(mean),
        "variance": decimal(sum((y - mean) ** 2 for y in drawn) / (N - 1)),
        "least": str(min(drawn)),
        "greatest": str(max(drawn)),
        "rounded": [
            name
            for name, exactly in (("mean", mean), ("variance", sum((y - mean) ** 2 for y in drawn) / (N - 1)))
            if F(decimal(exactly)) != exactly
        ],
    }


@pytest.mark.parametrize(("draws", "rounded"), [([1, 1], []), ([0, 0, 1], ["mean", "variance"]), ([1, 1, 4], [])])
def test_means_of_more_than_twelve_digits_are_marked_as_rounded(draws, rounded, capsys):
    run = SimpleNamespace(unit=F(1), constant=F(0))
    found = sample_moments(run, ListChunk(draws).moments())
    assert found["rounded"] == rounded
    console().print(moments_table({"sample": found, "law": {"mean": None, "variance": None}}))
    lines = capsys.readouterr().out.splitlines()
    for name in ("mean", "variance"):
        (row,) = (line for line in lines if line.startswith(name))
        assert ("about " in row) == (name in rounded)


@pytest.mark.parametrize(
    "numbers", [[0], [3, -5, 7], [2**62, -(2**62), 1] * 30_000, [1 - 2**63, 5], [2**48 - 1] * 70_000]
)
def test_chunks_of_arrays_have_the_moments_of_lists(numbers):
    assert ArrayChunk(np.array(numbers, np.int64)).moments() == ListChunk(numbers).moments()


@pytest.mark.parametrize("digits", range(1, 19))
def test_headers_of_arrays_are_aligned_and_numpy_reads_them(digits):
    header = npy_header(10 ** (digits - 1))
    assert len(header) % 64 == 0
    with io.BytesIO(header) as stream:
        assert np.lib.format.read_magic(stream) == (1, 0)
        assert np.lib.format.read_array_header_1_0(stream) == ((10 ** (digits - 1),), False, np.dtype("<i8"))
        assert stream.read() == b""


def test_chunks_of_lists_have_the_moments_of_the_definition():
    found = ListChunk([3, -5, 7]).moments() | ListChunk([1]).moments()
    assert (found.count, found.total, found.squares, found.least, found.greatest) == (4, 6, 84, -5, 7)


@pytest.mark.parametrize("kind", [ListChunk, lambda numbers: ArrayChunk(np.array(numbers, np.int64))])
def test_chunks_overflow_just_beyond_int64(kind):
    most = 2**63 - 1
    assert kind([-1, 0, 5]).octets(most - 5, 1) == np.array([most - 6, most - 5, most], "<i8").tobytes()
    assert kind([-5, 5]).octets(-7, 3) == np.array([-36, -6], "<i8").tobytes()
    assert kind([-5, -6]).octets(most + 5, 1) == np.array([most, most - 1], "<i8").tobytes()
    for constant, unit in ((most - 4, 1), (-most - 1, 1), (0, 2**61)):
        with pytest.raises(OverflowError, match="a draw exceeds the range of int64"):
            kind([-1, 0, 5]).octets(constant, unit)


@pytest.mark.parametrize("key", REQUESTS)
def test_sample_states_the_claim_and_its_verdict(key):
    request = REQUESTS[key]
    found = sample(n=2, **request)
    assert (found["claim"], found["verdict"]) == (f"{request['name']}.sampler_law", "PROVED")
    assert found["trusts"] == ["code: refdp.sampling"]
    assert (found["entropy"], found["random"]) == ("the operating system", True)
    assert json.loads(json.dumps(found)) == found


LAW = {
    "discrete_laplace": ({"scale": 3, "granularity": "1/2"}, {}),
    "truncated_geometric": ({"scale": 3, "lower": 0, "upper": 5}, {"input": 1}),
    "randomised_response": ({"truth": "3/4"}, {"input": 1}),
    "exponential": ({"scale": 2}, {"input": (1, 2, 0)}),
    "permute_and_flip": ({"scale": 2}, {"input": (1, 2, 0)}),
}


@pytest.mark.parametrize("name", LAW)
def test_sample_states_the_moments_of_the_law(name):
    """Against masses of the definition; the noise beyond 100 steps is below 1e-6 of the variance."""
    parameters, at = LAW[name]
    found = sample(name, **parameters, **at)["law"]
    m = getattr(refdp, name)(**parameters)
    step = F(parameters.get("granularity", 1))
    outcomes = [step * k for k in (range(-200, 201) if name == "discrete_laplace" else range(6))]
    x = at.get("input", 0)
    masses = {y: m.pmf(y, x).lower for y in outcomes if y < 3 or not isinstance(x, tuple)}
    mean = sum(y * p for y, p in masses.items())
    spread = sum(y * y * p for y, p in masses.items()) - mean**2
    for truth, stated in ((mean, found["mean"]), (spread, found["variance"])):
        assert F(stated["lower"]) - F(1, 10**8) <= truth <= F(stated["upper"]) + F(1, 10**8)
        assert F(stated["upper"]) - F(stated["lower"]) <= F(1, 10**9)


def test_sample_states_no_moments_where_there_are_too_many_outcomes():
    unknown = {"mean": None, "variance": None}
    assert sample("truncated_geometric", scale=3, lower=0, upper=10**6)["law"] == unknown
    assert sample("permute_and_flip", scale=3, input=tuple(range(200)))["law"] == unknown


@pytest.mark.parametrize(
    ("name", "epsilon", "scale"),
    [("discrete_laplace", "1/3", "3"), ("exponential", 1, "2"), ("permute_and_flip", "0.1", "20")],
)
def test_sample_takes_epsilon_in_the_place_of_a_scale(name, epsilon, scale):
    found = sample(name, epsilon=epsilon, input=(1, 2) if name != "discrete_laplace" else 0)
    assert found["parameters"]["scale"] == scale
    assert getattr(refdp, name)(scale).map(1) == F(epsilon)


def test_sample_replays_the_octets_of_a_file(tmp_path):
    record = tmp_path / "record"
    record.write_bytes(Stream(6).octets(5000))
    replayed = sample("discrete_gaussian", 1000, sigma=1000, bits=record)
    assert replayed["draws"] == sample("discrete_gaussian", 1000, sigma=1000, bits=Stream(6))["draws"]
    assert not replayed["random"]
    assert str(record) in replayed["entropy"]


def test_sample_refuses_a_record_that_runs_out(tmp_path):
    record, out = tmp_path / "record", tmp_path / "x.npy"
    record.write_bytes(bytes(100))
    with pytest.raises(ValueError, match=r"bits must hold digits enough for n = 1000 draws, got too few: .* 100 "):
        sample("discrete_gaussian", 1000, sigma=1000, bits=record, out=out)
    assert list(tmp_path.iterdir()) == [record]


def test_sample_reads_files_as_records_are_read():
    """`FileDigits` and `Recorded` give the same digits; the definition of both is `Source`."""
    from refdp.commands.sample_digits import FileDigits

    content = bytes(range(200))
    sources = FileDigits(io.BytesIO(content)), Recorded(content)
    asked = [(s.digits(5), s.digits(64), s.octets(7), s.digits(1), s.step, s.digits(17)) for s in sources]
    assert asked[0] == asked[1]


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_sample_leaves_no_file_where_it_is_interrupted(error, tmp_path):
    def step(done, total, what):
        raise error

    for ending in ("npy", "csv"):
        with pytest.raises(error):
            sample("discrete_laplace", 10, scale=2, out=tmp_path / f"x.{ending}", step=step)
    assert list(tmp_path.iterdir()) == []


def test_sample_leaves_an_old_file_where_it_fails(tmp_path):
    out = tmp_path / "x.npy"
    out.write_text("old")
    with pytest.raises(ValueError, match=r"draws must be within int64 for .*x.npy, got a greater one; write .csv"):
        sample("discrete_laplace", 100, scale=2**80, out=out)  # all fit: probability below 2^-17 each, 100 times
    assert out.read_text() == "old"
    assert list(tmp_path.iterdir()) == [out]


def test_sample_stops_in_time(tmp_path, monkeypatch):
    monkeypatch.setattr(chunks, "DRAWS_AT_ONCE", 10)
    with pytest.raises(TimeoutError, match="of 100000000 draws were made in time, and nothing was written"):
        sample("discrete_laplace", 10**8, scale=2, out=tmp_path / "x.npy", timeout=0.1)
    assert list(tmp_path.iterdir()) == []


def test_a_timeout_stops_draws_that_take_long_each():
    """A thousand at scale 10^300 were one chunk, and took minutes whatever the time allowed."""
    with pytest.raises(TimeoutError, match="16 of 1000 draws were made in time, and nothing was written"):
        sample("discrete_gaussian", 1000, scale=10**100, timeout=1e-9)


def test_sample_tells_how_far_it_is(monkeypatch):
    monkeypatch.setattr(chunks, "DRAWS_AT_ONCE", 30)
    told = []
    sample("discrete_laplace", 100, scale=2, step=lambda *said: told.append(said))
    assert told == [(done, 100, "discrete_laplace") for done in (30, 60, 90, 100)]


def test_sample_writes_into_an_open_text_file():
    stream, parameters = io.StringIO(), {"scale": 2, "granularity": "1/4"}
    found = sample("discrete_laplace", 4, out=stream, bits=Stream(3), **parameters)
    assert stream.getvalue().split() == sample("discrete_laplace", 4, bits=Stream(3), **parameters)["draws"]
    assert found["file"] is None
    assert "draws" not in found


NAMES = "name must be a mechanism with a sampler: discrete_gaussian, discrete_laplace, exponential, "


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        ({"name": "laplace", "scale": 1}, NAMES),
        ({"name": "count"}, NAMES),
        ({"name": 3}, NAMES),
        ({"name": "gumbel_noisy_max", "scale": 1}, "name must be exponential, which has the same law at the same "),
        ({"name": "discrete_laplace"}, "scale must be given for discrete_laplace, got nothing"),
        ({"name": "discrete_laplace", "scale": 0}, "scale must be > 0, got 0"),
        ({"name": "discrete_laplace", "scale": 0.5}, 'scale must be exact, got the float 0.5; write "0.5" for 1/2'),
        ({"name": "discrete_laplace", "scale": 1, "sigma": 1},
         "a parameter of discrete_laplace must be one of scale, granularity, got sigma"),
        ({"name": "discrete_laplace", "scale": 1, "dimension": 2},
         "a parameter of discrete_laplace must be one of scale, granularity, got dimension"),
        ({"name": "discrete_gaussian", "scale": 1, "sigma": 1}, "scale is sigma here and must not be given besides"),
        ({"name": "discrete_gaussian", "epsilon": 1}, "epsilon must be for a mechanism whose loss a scale sets, got 1"),
        ({"name": "truncated_geometric", "epsilon": 1}, "lower must be given for truncated_geometric, got nothing"),
        ({"name": "discrete_laplace", "epsilon": 1, "scale": 1}, "epsilon must stand in the place of a scale"),
        ({"name": "discrete_laplace", "epsilon": 0}, "epsilon must be > 0, got 0"),
        ({"name": "discrete_laplace", "epsilon": 0.1}, "epsilon must be exact, got the float 0.1"),
        ({"name": "exponential", "scale": 1}, "input must be given, a member of vector(reals(), candidates), got "),
        ({"name": "exponential", "scale": 1, "input": 3}, "input must be a member of vector("),
        ({"name": "exponential", "scale": 1, "input": ()}, "input must be a member of vector(reals(), 0), got ()"),
        ({"name": "truncated_geometric", "scale": 1, "lower": 1, "upper": 2}, "input must be given, a member of "),
        ({"name": "randomised_response", "truth": "3/4", "input": "2"}, "input must be a member of finite(2), got 2"),
        ({"name": "discrete_laplace", "scale": 1, "input": "a"}, "input must be exact numbers such as 3 or 1/2, got "),
        ({"name": "discrete_laplace", "scale": 1, "input": "1,2"}, "input must be a member of grid(1), got 1,2"),
        ({"name": "discrete_laplace", "scale": 1, "n": 0}, "n must be a whole number >= 1, got 0"),
        ({"name": "discrete_laplace", "scale": 1, "n": True}, "n must be a whole number >= 1, got True"),
        ({"name": "discrete_laplace", "scale": 1, "n": 10**6}, "out must be given where n is more than 100000, got "),
        ({"name": "discrete_laplace", "scale": 1, "out": "x.json"}, "out must be a file that ends in .npy, .csv, .txt"),
        ({"name": "discrete_laplace", "scale": 1, "out": "no/x.npy"}, "out must be a file in a folder that exists"),
        ({"name": "discrete_laplace", "scale": 1, "out": "x.npy", "granularity": "1/10"},
         "out must end in .csv where granularity is not whole, got x.npy and 1/10"),
        ({"name": "discrete_laplace", "scale": 1, "bits": "nowhere"}, "bits must be a file that can be read"),
        (
            {"name": "discrete_laplace", "scale": 1, "timeout": float("inf")},
            "timeout must be a number of seconds, > 0 and finite, got inf",
        ),
    ],
)  # fmt: skip
def test_sample_refuses_in_one_sentence(request_, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        sample(**request_)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("x", "text"),
    [
        ("1/8", "0.125"),
        ("-1/8", "-0.125"),
        ("1/25", "0.04"),
        ("-7/10", "-0.7"),
        ("1/3", "1/3"),
        ("1/6", "1/6"),
        ("0", "0"),
    ],
)
def test_numbers_are_written_exactly(x, text):
    assert number_text(F(x)) == text
    assert F(text) == F(x)


@pytest.mark.parametrize("x", [F(2, 3), F(-2, 3), F(10**40, 7), F(1, 7 * 10**30), F(5)])
def test_numbers_of_a_law_are_rounded_outward(x):
    lower, upper = F(rounded(x, -1)), F(rounded(x, 1))
    assert lower <= x <= upper
    assert upper - lower <= abs(x) / 10**11


WITHOUT = """
import sys, json
sys.modules["numpy"] = None
import refdp
from refdp.sampling import tables
from refdp.sampling.words import Recorded
tables.MANY = 100
record = open("record", "rb").read()
for request in json.loads(sys.argv[1]):
    found = refdp.sample(n=3_000, out="x.npy", bits=Recorded(record), **request)
    print(found["path"], found["digits"], open("x.npy", "rb").read().hex())
vector = refdp.discrete_laplace(22, dimension=4_000)((0,) * 4_000, source=Recorded(record))
print(*vector)
"""
SOME = [REQUESTS[key] for key in ("gaussian", "truncated", "7-ary", "exponential")]


@pytest.mark.once
def test_without_numpy_the_same_digits_give_the_same_numbers_and_one_warning(tmp_path):
    record = Stream(12).octets(2_000_000)
    (tmp_path / "record").write_bytes(record)
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, json.dumps(SOME)],
        cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    *lines, vector = done.stdout.splitlines()
    for request, line in zip(SOME, lines, strict=True):
        found = sample(n=3_000, out=tmp_path / "y.npy", bits=Recorded(record), **request)
        content = (tmp_path / "y.npy").read_bytes().hex()
        assert line == f"python {found['digits']} {content}"
        assert found["path"] == "bulk"
    drawn = refdp.discrete_laplace(22, dimension=4_000)(np.zeros(4_000, np.int64), source=Recorded(record))
    assert vector == " ".join(map(str, drawn.tolist()))
    assert done.stderr.count("numpy is not installed") == 1


def test_sample_is_of_the_operating_system_unless_digits_are_supplied():
    assert sample("discrete_laplace", scale=1, bits=SYSTEM_WORDS)["random"]
    assert not sample("discrete_laplace", scale=1, bits=Stream(1))["random"]


@pytest.mark.parametrize("chunk", [ArrayChunk, ListChunk])
def test_octets_hold_every_number_of_64_digits_and_no_other(chunk):
    least, most = -(2**63), 2**63 - 1
    for numbers, constant, unit in (([-(2**62), 2**62 - 1], 0, 2), ([least + 1, 5], -1, 1), ([-5, most - 1], 1, 1)):
        found = chunk(np.array(numbers) if chunk is ArrayChunk else numbers).octets(constant, unit)
        assert np.frombuffer(found, "<i8").tolist() == [unit * (constant + k) for k in numbers]
    for numbers, constant, unit in (([-(2**62) - 1, 0], 0, 2), ([least + 1, 5], -2, 1), ([-5, most - 1], 2, 1)):
        with pytest.raises(OverflowError, match="range of int64"):
            chunk(np.array(numbers) if chunk is ArrayChunk else numbers).octets(constant, unit)


def test_the_path_of_a_run_says_what_draws():
    """Coins are flipped where there is no table, of the law or of every scale, and no choice of a candidate."""
    runs = {
        "bulk": (refdp.discrete_gaussian(3), F(0), "exact slots"),
        "python": (refdp.discrete_laplace(2**70), F(0), "one table for every scale"),
        "scalar": (refdp.k_ary_randomised_response(2000, "1/2"), F(0), "coin flips, by the scheme"),
    }
    for path, (mechanism, x, sampler) in runs.items():
        run = run_of(mechanism.subject, x, 10**6, Stream(1))
        assert (run.path, run.sampler, run.table is None) == (path, sampler, path != "bulk")
    chosen = run_of(refdp.permute_and_flip(1).subject, (F(3), F(2)), 10**6, Stream(1))
    assert (chosen.path, chosen.sampler, chosen.table) == ("python", "choices of a candidate", None)


def test_what_has_a_plan_and_no_table_is_drawn_one_by_one(monkeypatch):
    """Neither a table of its law nor the one of every scale: such are laws that take too long to tabulate."""
    subject = refdp.discrete_gaussian(3).subject
    run = replace(run_of(subject, F(0), 50, Stream(1)), table=None)
    monkeypatch.setattr(chunks, "of_any_scale", lambda law: None)
    assert (run.path, run.plan is None) == ("scalar", False)
    found = [run.unit * k for chunk in run.chunks() for k in chunk.plus(run.constant)]
    assert tuple(found) == Randomness(source=Stream(1)).several(subject, [F(0)] * 50)


def test_chunks_are_added_to_in_arrays_where_the_constant_fits(monkeypatch):
    monkeypatch.setattr(ArrayChunk, "plus", lambda *_: pytest.fail("made a list of"))
    assert np.frombuffer(ArrayChunk(np.array([1, -2])).octets(7, 3), "<i8").tolist() == [24, 15]
