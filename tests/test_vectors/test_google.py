"""The importer: a few cases written by hand in the format of Google's `proto/testing`, and texts that are none."""

import json
from fractions import Fraction

import pytest
from mpmath import exp, mp, mpf, ncdf

from refdp.commands.vectors import check, import_google
from refdp.test_vectors.google.textproto import read
from refdp.test_vectors.numbers import VectorError, real

CASES = """
# By hand.
voting_parameters { number_of_votes: 3 }
distribution_closeness_test_case {
  name: "Laplace"
  closeness_test_parameters { mean: 0.0 variance: 8.0 l2_tolerance: 0.001 granularity: 0.25 }
  noise_sampling_parameters { number_of_samples: 10 l0_sensitivity: 2 linf_sensitivity: 0.5 epsilon: 0.5 raw_input: 0 }
}
distribution_closeness_test_case {
  name: "Normal"
  closeness_test_parameters { variance: 4.0 }
  noise_sampling_parameters { l0_sensitivity: 1, linf_sensitivity: 1.0; epsilon: 1 delta: 1e-5 }
}
distribution_closeness_test_case {
  name: "Variance of another scale"
  closeness_test_parameters { variance: 7.0 }
  noise_sampling_parameters { l0_sensitivity: 2 linf_sensitivity: 0.5 epsilon: 0.5 }
}
count_dp_test_case: {
  name: 'Count'
  count_sampling_parameters { noise_type: LAPLACE max_partitions_contributed: 3 epsilon: 0.25
    raw_increment_by: [5, 6]  # two rows
    raw_increment_by: []
    neighbour_raw_increment_by: [5, 6]
    neighbour_raw_increment_by: 3
  }
}
bounded_sum_dp_test_case {
  name: "Sum"
  bounded_sum_sampling_parameters <
    noise_type: GAUSSIAN lower_bound: -2.5 upper_bound: 1.0 epsilon: 1.0 delta: 0.01
    raw_entry: [1000.0, -0.25] neighbour_raw_entry: [1000.0, -0.25, -1000.0]
  >
}
bounded_mean_dp_test_case { name: "Mean" }
bounded_sum_dp_test_case { name: "Nothing in it" }
"""


@pytest.fixture
def found(tmp_path):
    (tmp_path / "cases.textproto").write_text(CASES, encoding="utf-8")
    report = import_google(tmp_path, out=tmp_path / "out")
    files = {path.name: json.loads(path.read_text()) for path in (tmp_path / "out").iterdir()}
    return report, files, tmp_path / "out"


def cases_of(files, name):
    return files[name]["testGroups"][0]["tests"]


def test_import_reads_what_fits_and_counts_the_rest_with_reasons(found):
    report, files, _ = found
    assert (report["read"], report["fitted"]) == (7, 4)
    assert sum(one["cases"] for one in report["unfit"]) == 3
    assert any("a mean of unknown size" in one["reason"] for one in report["unfit"])
    assert any("variance is not that of Laplace noise" in one["reason"] for one in report["unfit"])
    assert sorted(files) == [
        "google_privacy_profile_gaussian_test.json",
        "google_privacy_profile_laplace_test.json",
        "google_stability_map_clamped_sum_test.json",
    ]


def test_import_takes_scale_from_sensitivity_and_epsilon(found):
    _, files, _ = found
    closeness, count = cases_of(files, "google_privacy_profile_laplace_test.json")
    assert closeness["params"] == {"scale": "2", "sensitivity": "1"}
    assert (closeness["epsilon"], closeness["claimed"], closeness["result"]) == ("1/2", "0", "valid")
    assert count["params"] == {"scale": "12", "sensitivity": "3"}


def test_import_holds_a_normal_variance_against_its_delta(found):
    _, files, _ = found
    (normal,) = cases_of(files, "google_privacy_profile_gaussian_test.json")
    with mp.workdps(40):  # sigma = 2
        delta = ncdf(mpf(1) / 4 - 2) - exp(1) * ncdf(-mpf(1) / 4 - 2)
        assert abs(delta - mpf(normal["delta"]["lo"])) < mpf(10) ** -11
    assert normal["result"] == "invalid"
    assert normal["reason"] == "claimed_below_certified_lower_bound"


def test_import_makes_tables_of_rows(found):
    _, files, _ = found
    count, total = cases_of(files, "google_stability_map_clamped_sum_test.json")
    assert (count["leftOutput"], count["rightOutput"], count["distance"]) == ("11", "14", "3")
    assert (total["leftOutput"], total["rightOutput"], total["distance"]) == ("3/4", "-7/4", "5/2")
    assert Fraction(total["dOut"]) == real("5/2")


def test_import_gives_files_that_check_passes(found):
    assert check(found[2])["failed"] == 0


@pytest.mark.parametrize(
    "text",
    [
        "a: {",
        "a: }",
        "a: [1",
        "}",
        "1: 2",
        'a: "x',
        "a { b: [",
        "a: ]",
        "a {" * 40 + "}" * 40,
        "a: \x00",
        "a: [,]",
        "a",
    ],
)
def test_text_that_is_no_message_is_refused(tmp_path, text):
    (tmp_path / "x.textproto").write_text(text)
    with pytest.raises(VectorError):
        import_google(tmp_path, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", {}),
        ("a: 1", {"a": ["1"]}),
        ("a: 1, b: -2.5e-3; a: 3", {"a": ["1", "3"], "b": ["-2.5e-3"]}),
        ('a { b: [1, {c: "#}"}] }', {"a": [{"b": ["1", {"c": ["#}"]}]}]}),
        ("a: [] # x\n", {"a": []}),
    ],
)
def test_text_of_messages_is_read(text, message):
    assert read(text) == message


@pytest.mark.parametrize("value", ["nan", "inf", "1e400000", "x", "{}", '"1"x', "[1, 2]"])
def test_odd_numbers_are_counted_and_not_imported(tmp_path, value):
    text = CASES.replace("variance: 8.0", f"variance: {value}")
    (tmp_path / "x.textproto").write_text(text)
    try:
        report = import_google(tmp_path, out=tmp_path / "out")
    except VectorError:
        return
    assert report["fitted"] == 3


def test_folder_without_cases_is_refused(tmp_path):
    with pytest.raises(VectorError, match=r"textproto"):
        import_google(tmp_path, out=tmp_path / "out")
