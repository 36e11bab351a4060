"""`refdp sample`: a file or numbers on standard output, a sentence for bad input, and loud replays."""

import json
import os
import re
import subprocess
import sys
from fractions import Fraction as F

import numpy as np
import pytest

from refdp.cli.app import app
from refdp.cli.completing import mechanisms
from refdp.cli.sample import THREADS, one_thread
from refdp.sampling import chunks, tables
from tests.command_line import CliRunner
from tests.sampling.streams import Stream


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Runs the command in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return lambda *options: CliRunner().invoke(app, ["sample", *options])


def test_sample_writes_a_file_and_says_what_is_in_it(run, tmp_path):
    done = run("discrete_gaussian", "--scale", "10", "-n", "1000", "--out", "x.npy")
    assert done.exit_code == 0
    assert np.load(tmp_path / "x.npy").shape == (1000,)
    for said in ("discrete_gaussian  sigma = 10, granularity = 1, at 0", "1000 draws in x.npy", "mean", "variance",
                 "discrete_gaussian.sampler_law  PROVED", "exact slots", "of the operating system"):  # fmt: skip
        assert said in done.stdout
    assert done.stderr == ""


def test_sample_prints_a_number_a_line(run):
    done = run("discrete_laplace", "--scale", "3", "--granularity", "1/4", "-n", "70")
    assert done.exit_code == 0
    assert len(done.stdout.splitlines()) == 70
    assert all((4 * F(line)).denominator == 1 for line in done.stdout.splitlines())


def test_sample_prints_one_object(run):
    found = json.loads(run("exponential", "--set", "scale=2", "--input", "3,1,1/2", "-n", "5", "--json").stdout)
    assert (found["stem"], found["input"], found["n"]) == ("exponential", ["3", "1", "0.5"], 5)
    assert set(found["draws"]) <= {"0", "1", "2"}
    assert len(found["draws"]) == 5


def test_sample_takes_every_parameter_by_its_name(run):
    options = ("--set", "lower=0", "--set", "upper=9", "--scale", "1/10000", "--input", "4", "-n", "2")
    assert run("truncated_geometric", *options).stdout == "4\n4\n"
    found = json.loads(run("k_ary_randomised_response", "--truth", "1/2", "--set", "k=3", "--json").stdout)
    assert found["parameters"] == {"k": "3", "truth": "1/2"}


def test_sample_says_loudly_that_a_replay_is_not_random(run, tmp_path):
    (tmp_path / "record").write_bytes(Stream(3).octets(4000))
    options = ("discrete_laplace", "--scale", "3", "-n", "500", "--bits", "record")
    first, again = run(*options), run(*options)
    assert first.stdout == again.stdout
    assert first.stderr == "refdp: NOT RANDOM: the digits are read from record\n"
    assert "NOT RANDOM" in run(*options, "--out", "x.csv").stdout
    assert json.loads(run(*options, "--json").stdout)["random"] is False


def test_sample_into_a_file_ends_with_the_seconds(run):
    done = run("discrete_laplace", "--scale", "3", "-n", "10", "--out", "x.csv")
    assert re.fullmatch(r"seconds +\d+\.\d\d *", done.stdout.splitlines()[-1])


def test_sample_exits_3_where_the_time_is_over(run, tmp_path, monkeypatch):
    monkeypatch.setattr(chunks, "DRAWS_AT_ONCE", 10)
    done = run("discrete_laplace", "--scale", "3", "-n", "100000000", "--timeout", "0.1", "--out", "x.npy")
    assert done.exit_code == 3
    assert "draws were made in time, and nothing was written" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_sample_says_once_that_numpy_is_missing(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "numpy", None)
    monkeypatch.setattr(tables, "MANY", 8)
    tables.has_numpy.cache_clear()
    try:
        done = run("discrete_laplace", "--scale", "3", "-n", "70000")
        again = run("discrete_laplace", "--scale", "3", "-n", "10")
    finally:
        tables.has_numpy.cache_clear()
    assert len(done.stdout.splitlines()) == 70000
    assert done.stderr.startswith("refdp: numpy is not installed: ")
    assert done.stderr.count("\n") == 1
    assert again.stderr == ""


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["laplace", "--scale", "1"], "name must be a mechanism with a sampler: "),
        (["discrete_laplace", "--scale", "x"], "scale must be"),
        (["discrete_laplace", "--scale", "-1"], "scale must be > 0, got -1"),
        (["discrete_laplace", "--scale", "1", "--set", "scale=2"], "scale must be given once, got 1 and 2"),
        (["discrete_laplace", "--scale", "1", "--set", "granularity"], "set must be NAME=VALUE, each name once, got "),
        (["discrete_laplace", "--scale", "1", "--set", "size=2"], "a parameter of discrete_laplace must be one of "),
        (["discrete_laplace", "--scale", "1", "--set", "n=2"], "n must be an option of its own, got --set n=2"),
        (["discrete_laplace", "--scale", "1", "-n", "0"], "n must be a whole number >= 1, got 0"),
        (["discrete_laplace", "--scale", "1", "--out", "x.pdf"], "out must be a file that ends in .npy, .csv, .txt"),
        (["discrete_laplace", "--scale", "1", "--bits", "nowhere"], "bits must be a file that can be read"),
        (["discrete_laplace", "--scale", "1", "-n", "1000000", "--json"], "out must be given where n is more than "),
    ],
)  # fmt: skip
def test_sample_refuses_bad_input_in_one_sentence(run, tmp_path, options, sentence):
    done = run(*options)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert sentence in done.stderr.splitlines()[-1]
    assert list(tmp_path.iterdir()) == []


def test_sample_has_help_with_an_example(run):
    assert "Example: refdp sample" in run("--help").stdout


def test_sample_completes_names():
    assert mechanisms("discrete_") == ["discrete_gaussian", "discrete_laplace"]


@pytest.mark.once
def test_sample_ends_quietly_where_nobody_reads_on():
    command = f"{sys.executable} -m refdp sample discrete_laplace --scale 3 -n 300000 | head -n 2"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True)
    assert len(done.stdout.splitlines()) == 2
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("before", [None, "3"])
def test_numpy_is_loaded_without_threads_and_the_environment_is_as_before(before, monkeypatch):
    monkeypatch.delenv(THREADS, raising=False)
    if before is not None:
        monkeypatch.setenv(THREADS, before)
    with one_thread():
        assert os.environ[THREADS] == (before or "1")
    assert os.environ.get(THREADS) == before
