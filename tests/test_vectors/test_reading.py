"""Hostile files: one sentence each, in bounded time and memory, and no file that is not of the form passes."""

import json
from copy import deepcopy
from fractions import Fraction

import pytest

from refdp.commands.vectors import check
from refdp.test_vectors.checking import confirmed
from refdp.test_vectors.kinds.kind import number_of
from refdp.test_vectors.numbers import VectorError, enclosed, float_over, float_under, rational, real
from refdp.test_vectors.reading import LARGEST_FILE, parsed
from tests.counting import counted
from tests.test_vectors.committed import FOLDER, data

SMALL = FOLDER / "privacy_profile_k_ary_randomised_response_test.json"
MOST_CALLS = 5_000_000


@pytest.fixture
def written(tmp_path):
    """A file of that text, or of these data."""

    def write(content):
        path = tmp_path / "hostile_test.json"
        text = content if isinstance(content, str) else json.dumps(content)
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.mark.parametrize(
    "text",
    [
        "", "{", "null", "[]", '"x"', "1", "[" * 100_000, '{"a":' * 5000, '{"a": 1, "a": 2}', '{"a": 0.5}',
        '{"a": 1e3}',
        '{"a": NaN}', '{"a": -1}', '{"a": Infinity}', '{"a": 99999999999999999999}', '{"a": "\\u00e9"}',
        '{"a": "\\u0000"}', '{"a": "\u00e9"}', '{"a": "' + "x" * 30_000 + '"}', "9" * 100_000,
        '{"schema": "other.json"}',
        '{"schema": "pmf_v1.json"}', '{"schema": []}', '{"schema": {}}', '{"a": "\\ud800"}',
    ],
)  # fmt: skip
def test_hostile_text_is_refused_in_one_sentence(written, text):
    path = written(text)
    with counted() as calls, pytest.raises(VectorError) as caught:
        check(path)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 600
    assert calls.number < MOST_CALLS


def test_large_file_is_refused_before_it_is_read(written, tmp_path):
    path = tmp_path / "large_test.json"
    with path.open("wb") as file:
        file.truncate(50 * LARGEST_FILE)
    with pytest.raises(VectorError, match="at most"):
        check(path)


def test_folder_without_files_and_missing_file_are_refused(tmp_path):
    for path in (tmp_path, tmp_path / "none"):
        with pytest.raises(VectorError, match="must be a file, or a folder"):
            check(path)


def first(name):
    found = data(name)
    return found, found["testGroups"][0], found["testGroups"][0]["tests"][0]


@pytest.mark.parametrize(
    "change",
    [
        lambda t: t | {"other": "1"}, lambda t: {k: v for k, v in t.items() if k != "epsilon"},
        lambda t: t | {"epsilon": 1},
        lambda t: t | {"epsilon": "0.5"}, lambda t: t | {"epsilon": "1/0"}, lambda t: t | {"epsilon": "01"},
        lambda t: t | {"epsilon": "1/2/3"}, lambda t: t | {"epsilon": ["1"]}, lambda t: t | {"params": "k"},
        lambda t: t | {"params": {"k": 5}}, lambda t: t | {"params": {"k": {"k": "5"}}}, lambda t: t | {"flags": []},
        lambda t: t | {"result": "maybe"}, lambda t: t | {"tcId": 0}, lambda t: t | {"tcId": True},
        lambda t: t | {"delta": "0"}, lambda t: t | {"delta": {"lo": "0"}}, lambda t: t | {"neighbours": "all"},
        lambda t: t | {"epsilon": "9" * 500}, lambda t: t | {"epsilon": "\u0661"}, lambda t: t | {"epsilon": "1 "},
    ],
)  # fmt: skip
def test_near_miss_of_the_form_is_refused(written, change):
    found, _, test = first(SMALL.name)
    found["testGroups"][0]["tests"][0] = change(test)
    with pytest.raises(VectorError) as caught:
        check(written(found))
    assert len(str(caught.value)) < 600


def test_copy_of_a_file_passes(written):
    assert check(written(SMALL.read_text(encoding="ascii")))["failed"] == 0


HUGE = "1" + "0" * 70


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("pmf_discrete_gaussian_test.json", {"params": {"sigma": HUGE}}),
        ("pmf_discrete_gaussian_test.json", {"params": {"sigma": "1", "granularity": f"1/{HUGE}"}}),
        ("pmf_discrete_laplace_test.json", {"params": {"scale": f"1/{HUGE}"}, "output": HUGE}),
        ("pmf_discrete_laplace_test.json", {"params": {"scale": "0"}}),
        ("pmf_discrete_laplace_test.json", {"params": {"scale": "-1"}}),
        ("pmf_discrete_laplace_test.json", {"params": {"scale": "1", "granularity": "0"}}),
        ("pmf_discrete_laplace_test.json", {"params": {"scale": "1"}, "input": ["0", "1"]}),
        ("pmf_truncated_geometric_test.json", {"params": {"scale": "1", "lower": "0", "upper": HUGE}}),
        ("pmf_truncated_geometric_test.json", {"params": {"scale": "1", "lower": "5", "upper": "0"}}),
        ("pmf_k_ary_randomised_response_test.json", {"params": {"k": HUGE, "truth": "1/2"}}),
        ("pmf_permute_and_flip_test.json", {"input": [str(i) for i in range(60)]}),
        ("pmf_exponential_test.json", {"input": ["0", HUGE]}),
        ("privacy_profile_laplace_test.json", {"params": {"scale": HUGE + "0" * 300}}),
        ("privacy_profile_laplace_test.json", {"params": {"mechanism": "gaussian", "sigma": "1"}}),
        ("privacy_profile_laplace_test.json", {"params": {"scale": "1", "count": "1000000000"}}),
        ("accounting_test.json", {"events": [{"mechanism": "gaussian"}]}),
        ("accounting_test.json", {"question": {"delta": "-1"}}),
        ("accounting_test.json", {"question": {"delta": "2"}}),
        ("sampler_bitstream_scalar_test.json", {"tape": "0"}),
        ("sampler_bitstream_scalar_test.json", {"tape": "00" * 5000}),
        ("sampler_bitstream_scalar_test.json", {"params": {"scale": "0"}}),
        ("sampler_statistical_test.json", {"cuts": ["1", "0"]}),
        ("sampler_statistical_test.json", {"mutant": "tail_cut"}),
        ("sampler_statistical_test.json", {"cuts": ["0", HUGE], "mutant": "half_scale"}),
        ("stability_map_test.json", {"dIn": "0"}),
        ("stability_map_test.json", {"left": ["x"]}),
        ("stability_map_test.json", {"params": {"neighbours": "others"}}),
        ("stability_map_test.json", {"params": {"other": "1"}}),
    ],
)  # fmt: skip
def test_hostile_case_fails_in_a_sentence_and_in_time(name, change):
    _, group, test = first(name)
    with counted() as calls:
        found = confirmed(group, {k: v for k, v in test.items() if k != "claimed"} | change)
    assert found.outcome == "failed"
    assert len(found.why) < 1000
    assert calls.number < MOST_CALLS


def test_hostile_certificate_is_refused():
    found = data("sampler_bitstream_words_test.json")
    group = found["testGroups"][0]
    for key, value in (("height", "1"), ("slotDigits", "64"), ("slots", []), ("tails", []), ("sides", "1"),
                       ("full", ["9"] * len(group["certificate"]["full"])), ("wordDigits", "64")):  # fmt: skip
        changed = deepcopy(group)
        changed["certificate"][key] = value
        assert confirmed(changed, group["tests"][0]).outcome == "failed", key


@pytest.mark.parametrize("text", ["2/4", "1/1", "-0", "+1", " 1", "1\n", "1_0", "", "1e5", "0.5", "1/-2", None, 1])
def test_rational_refuses_what_is_not_in_lowest_terms(text):
    with pytest.raises(VectorError):
        rational(text)


@pytest.mark.parametrize(
    "text",
    [
        "nan",
        "inf",
        "0x1.8p",
        "0x2.0p+0",
        "1e99999",
        "0x1.0p+9999",
        "0x1.8p-1074",
        "0x1.0p-2000",
        ".5",
        "5.",
        "1E5",
        "--1",
    ],
)
def test_real_refuses_what_is_no_number(text):
    with pytest.raises(VectorError):
        real(text)


def test_real_reads_each_form_exactly():
    assert (real("1/3") * 3, real("2.5e-1"), real("0x1.8000000000000p+1"), real("-3")) == (1, rational("1/4"), 3, -3)


def test_floats_beside_a_number_are_on_its_two_sides():
    for text in ("1/3", "1", "1/1000000007", "12345678901234567890"):
        x = rational(text)
        assert real(float_under(x)) < x <= real(float_over(x))


def test_enclosure_holds_its_interval():
    from fractions import Fraction

    from refdp.numerics.intervals import Interval

    found = enclosed(Interval(Fraction(1, 3), Fraction(2, 3)), 4)
    assert found == {"lo": "3.333e-1", "hi": "6.667e-1"}


def test_parsed_takes_counts_and_texts_alone():
    assert parsed('{"a": [1, "1/3"]}') == {"a": [1, "1/3"]}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e-06", "1/1000000"),
        ("2.5E+3", "2500"),
        ("1e+00", "1"),
        ("-1.5e05", "-150000"),
        ("0x1.8p+1", "3"),
        ("1/3", "1/3"),
    ],
)
def test_answer_may_have_an_exponent_as_languages_print_it(text, value):
    assert number_of(text) == Fraction(value)


@pytest.mark.parametrize("text", ["1e", "e5", "1e+-5", "1e00000000000000099999", "nan", "1e5e5", "", "1 e5"])
def test_answer_that_is_no_number_is_refused(text):
    with pytest.raises(VectorError):
        number_of(text)
