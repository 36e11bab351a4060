"""Campaign files: read strictly, alpha shared out as declared, and each mistake told in one sentence."""

import io
import json
import math
from fractions import Fraction

import pytest

import refdp
from refdp.auditing.campaigns.documents import reported
from refdp.auditing.campaigns.files import campaigns
from refdp.auditing.campaigns.items import item
from refdp.auditing.judges.kinds import KINDS
from refdp.auditing.judges.task import TaskError
from refdp.auditing.neighbours import Choice, Real, Record, Table, Vector, Whole

SPACE = (
    'space = { number = { whole = [0, 9] } }\nclaim = { input = "absolute", d_in = 1, output = "absolute", d_out = 1 }'
)
RECIPE = 'library = "opendp"\nrecipe = "t.make_identity(size)"\nvalues = { size = 3 }'
GOOD = f'name = "good"\n[[target]]\nname = "a"\nkind = "stability"\n{RECIPE}\n{SPACE}\n'


def read(tmp_path, text, name="c.toml", **more):
    (tmp_path / name).write_text(text, encoding="utf-8")
    return campaigns([tmp_path / name], **more)[0]


@pytest.fixture(autouse=True)
def _counting(monkeypatch):
    monkeypatch.setitem(KINDS, "counting", "tests.auditing.campaigns.counting")


def test_a_file_gives_its_targets_and_what_json_keeps_of_them_gives_them_again(tmp_path):
    found = read(tmp_path, GOOD)
    (one,) = found.items
    assert (found.name, one.key, one.kind, one.alpha) == ("good", "good / a", "stability", 0)
    task = one.task(ready=False)
    assert task.target.spec["values"] == {"size": 3}
    again = item(one.as_json(), str(tmp_path))
    assert (again, again.digest) == (one, one.digest)
    sorted_keys = item(json.loads(json.dumps(one.as_json(), sort_keys=True)), str(tmp_path))
    assert str(sorted_keys.fields) == str(one.fields)  # the order of a grid is that of its target's input


def test_alpha_is_shared_equally_by_the_statistical_targets_whatever_is_chosen(tmp_path):
    two = '[[target]]\nname = "b"\nkind = "counting"\n[[target]]\nname = "c"\nkind = "counting"\n'
    found = read(tmp_path, f'alpha = "1e-6"\n{GOOD}{two}')
    assert [one.alpha for one in found.items] == [0, Fraction(1, 2 * 10**6), Fraction(1, 2 * 10**6)]


def test_defaults_are_merged_and_give_way(tmp_path):
    text = GOOD.replace("[[target]]", '[defaults]\nenvironment = "e"\nlimits = { call = 3 }\n[[target]]')
    (one,) = read(tmp_path, text).items
    assert (one.environment, one.task(ready=False).target.limits.call) == ("e", 3)
    (one,) = read(tmp_path, text.replace('name = "a"', 'name = "a"\npython = "/p"')).items
    assert (one.environment, one.python) == ("", "/p")
    (one,) = read(tmp_path, text, python="/q").items
    assert (one.environment, one.python) == ("", "/q")


def test_the_code_of_a_function_is_taken_along_and_changes_the_digest(tmp_path):
    folder = tmp_path / "targets"
    folder.mkdir()
    (folder / "mine.py").write_text("import helper\n\n\ndef f(x):\n    return helper.g(x)\n", encoding="utf-8")
    (folder / "helper.py").write_text("def g(x):\n    return x\n", encoding="utf-8")
    text = GOOD.replace(RECIPE, 'function = "mine:f"\nsearch = ["targets"]')
    (before,) = read(tmp_path, text).items
    assert sorted(before.sources) == ["helper.py", "mine.py"]
    assert str(tmp_path) not in str(before.as_json())
    (folder / "helper.py").write_text("def g(x):\n    return 2 * x\n", encoding="utf-8")
    (after,) = read(tmp_path, text).items
    assert before.digest != after.digest


def test_paths_are_files_folders_or_standard_input(tmp_path, monkeypatch):
    (tmp_path / "b.toml").write_text(GOOD.replace('"good"', '"other"'), encoding="utf-8")
    (tmp_path / "a.toml").write_text(GOOD, encoding="utf-8")
    assert [c.name for c in campaigns([tmp_path, tmp_path / "a.toml"])] == ["good", "other"]
    monkeypatch.setattr("sys.stdin", io.StringIO(GOOD.replace('name = "good"\n', "")))
    assert campaigns(["-"])[0].name == "standard input"


def test_a_function_is_sought_beside_the_file_unless_it_says_where(tmp_path):
    text = GOOD.replace(RECIPE, 'function = "mine:f"')
    assert read(tmp_path, text).items[0].task(ready=False).target.spec["search"] == []
    (tmp_path / "mine.py").write_text("def f(x):\n    return x\n", encoding="utf-8")
    (one,) = read(tmp_path, text).items
    assert (one.task(ready=False).target.spec["search"], sorted(one.sources)) == (["."], ["mine.py"])
    (one,) = read(tmp_path, GOOD.replace(RECIPE, 'function = "mine:f"\nsearch = []')).items
    assert (one.task(ready=False).target.spec["search"], one.sources) == ([], {})


@pytest.mark.parametrize(
    ("there", "function", "sought"),
    [
        ("opendp/results.json", "opendp.measurements:f", []),
        ("opendp/results.json", "opendp:f", []),
        ("mine/inner.py", "mine.inner:f", ["."]),
        ("mine/inner.py", "mine.other:f", []),
        ("mine/inner/__init__.py", "mine.inner:f", ["."]),
        ("mine/__init__.py", "mine.made:f", ["."]),
        ("mine.py", "mine.made:f", ["."]),
        ("mine/inner.abi3.so", "mine.inner:f", ["."]),
    ],
)
def test_a_folder_beside_the_file_that_only_has_the_name_of_a_package_is_not_sought_in(
    tmp_path, there, function, sought
):
    (tmp_path / there).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / there).write_bytes(b"")
    (one,) = read(tmp_path, GOOD.replace(RECIPE, f'function = "{function}"')).items
    assert one.task(ready=False).target.spec["search"] == sought


def test_files_beside_a_folder_of_results_do_not_shadow_what_a_target_imports(tmp_path):
    """A folder has the name of a library's module, and a file the name of one that this imports: neither is taken."""
    (tmp_path / "statistics").mkdir()
    (tmp_path / "random.py").write_text("raise ValueError('shadowed')", encoding="utf-8")
    text = GOOD.replace(RECIPE, 'function = "statistics:NormalDist"')
    (tmp_path / "c.toml").write_text(text, encoding="utf-8")
    found = refdp.audit(tmp_path / "c.toml", workers=1)
    assert "shadowed" not in json.dumps(found)


BAD = [
    ("", "campaign.target must be given"),
    ("target = []", "target must be given at least once"),
    ("target = [1]", "target must be a table, got 1"),
    ("alpha = 0.1\n" + GOOD, "campaign.alpha must be an exact number"),
    ('alpha = "2"\n' + GOOD, "alpha must be >= 1e-200 and < 1, got 2"),
    ("colour = 1\n" + GOOD, "campaign.colour is not known here"),
    ("day = 2020-01-01\n" + GOOD, "day must be no date"),
    (GOOD + "x = nan\n", 'target.x must be written as a text, such as "nan"'),
    (
        GOOD + "x = 1\n",
        "target 'a': target.x is not known here; known are claim, exceptions, pairs, seconds, seed, space",
    ),
    (GOOD + GOOD[GOOD.index("[[") :], "target 'a': name must differ"),
    (GOOD.replace('"a"', '""'), "name must be 1 to 200 printable characters, got ''"),
    (GOOD.replace("stability", "magic"), "target 'a': kind must be one of"),
    (GOOD.replace('kind = "stability"\n', ""), "target 'a': kind must be given, such as kind = "),
    (GOOD.replace("space =", "# space ="), "target 'a': space must be given, such as space = { table ="),
    (GOOD + 'expected = "FALSE"', "expected must be one of PROVED, REFUTED"),
    (GOOD.replace('library = "opendp"\n', ""), "library must be given"),
    (
        GOOD + 'command = ["ls"]',
        "only one of recipe, function, command, serialised must be given, got recipe and command",
    ),
    (GOOD.replace("t.make_identity(size)", "lambda: 1"), "a recipe must not contain Lambda"),
    (GOOD.replace("{ size = 3 }", "{ size = { float = 'x' } }"), "values.size"),
    (GOOD + "limits = { calls = 3 }", "limits.calls is not known here"),
    (GOOD + "limits = { starts = 0.5 }", "limits.starts must be a whole number, got 0.5"),
    (GOOD + "limits = { call = 0 }", "call must be > 0, got 0"),
    (GOOD.replace("d_in = 1, ", ""), "target 'a': claim.d_in must be given"),
    (GOOD.replace("d_in = 1", "d_in = -1"), "target 'a': distances must be >= 0, got -1"),
    (GOOD.replace("d_out = 1", "d_out = 0.5"), "claim.d_out must be an exact number"),
    (GOOD.replace('output = "absolute"', 'output = "pure"'), "claim.output must be a metric, got the measure pure"),
    (GOOD.replace('output = "absolute"', 'output = "near"'), "metric must be one of"),
    (GOOD.replace("[0, 9]", "[9, 0]"), "space.number.whole must be two whole numbers, the lesser first"),
    (GOOD.replace("[0, 9]", "[0]"), "space.number.whole must be a list of two numbers, got [0]"),
    (GOOD.replace("number = { whole", "number = { all"), "space.number must have one of whole, real, choice, record"),
    (GOOD.replace("number =", "row ="), "space must have one of table, vector, number, got none"),
    (GOOD + 'environment = "e"\npython = "p"', "environment and python must not both be given"),
    (GOOD.replace(RECIPE, 'function = "f"'), "a function is named module:function, got f"),
    (GOOD.replace(RECIPE, 'function = "m:f"\nsearch = ["no"]'), "search must name folders beside the file, got no"),
    (GOOD.replace(RECIPE, 'function = "m:f"\nbits = "77"'), "bits must be at least 16 octets in hexadecimal digits"),
    (GOOD.replace(RECIPE, "command = []"), "command must be a list of texts"),
    (GOOD.replace(RECIPE, ""), "must have one of recipe, function, command, serialised, got none"),
    (GOOD + "seconds = 0", "seconds must be > 0, got 0"),
    (GOOD + "seconds = true", "seconds must be a number of seconds, got True"),
    (GOOD + "limits = { call = true }", "limits.call must be a number, got True"),
    ("name = ", "a campaign must be TOML"),
]


@pytest.mark.parametrize(("text", "sentence"), BAD, ids=range(len(BAD)))
def test_a_mistake_is_one_sentence_with_the_file_and_the_parameter(tmp_path, text, sentence):
    with pytest.raises(TaskError) as caught:
        read(tmp_path, text)
    assert str(caught.value).startswith(f"{tmp_path / 'c.toml'}: ")
    assert sentence in str(caught.value)


def test_two_campaigns_of_one_name_and_a_folder_without_any_are_refused(tmp_path):
    for name in ("a.toml", "b.toml"):
        (tmp_path / name).write_text(GOOD, encoding="utf-8")
    with pytest.raises(TaskError, match=r"b.toml: name must differ from that of .*a.toml, got good"):
        campaigns([tmp_path])
    (tmp_path / "none").mkdir()
    with pytest.raises(TaskError, match=r"must hold files \*\.toml"):
        campaigns([tmp_path / "none"])
    with pytest.raises(FileNotFoundError):
        campaigns([tmp_path / "c.toml"])


def test_defaults_of_another_way_to_call_are_left_alone(tmp_path):
    (tmp_path / "targets").mkdir()
    text = GOOD.replace("[[target]]", '[defaults]\nsearch = ["targets"]\nbatched = true\nfunction = "m:f"\n[[target]]')
    (one,) = read(tmp_path, text).items
    assert (one.target["family"], one.sources) == ("opendp", {})
    (one,) = read(tmp_path, text.replace(RECIPE, "")).items
    assert one.task(ready=False).target.spec["batched"]


SPACES = [
    ("{ table = { whole = [0, 10] }, size = 3 }", Table(Whole(0, 10), size=3)),
    ('{ table = { real = [-1.5, "inf"], nan = true }, least = 1 }', Table(Real(-1.5, math.inf, True), least=1)),
    ("{ vector = { whole = [-5, 5] }, dimension = 4 }", Vector(Whole(-5, 5), 4)),
    ('{ number = { real = ["0x1p-1074", "0.1"] } }', Vector(Real(math.ldexp(1.0, -1074), 0.1))),
    ('{ table = { choice = ["a", { none = true }, 7] } }', Table(Choice(("a", None, 7)))),
    (
        "{ table = { record = [{ whole = [0, 1] }, { choice = [true] }] }, columns = true }",
        Table(Record((Whole(0, 1), Choice((True,)))), columns=True),
    ),
]


@pytest.mark.parametrize(("text", "expected"), SPACES, ids=range(len(SPACES)))
def test_spaces_are_those_that_are_written(tmp_path, text, expected):
    (one,) = read(tmp_path, GOOD.replace("{ number = { whole = [0, 9] } }", text)).items
    assert one.judge(ready=False).space == expected


@pytest.mark.parametrize("read_one", [lambda path: campaigns([path]), reported], ids=["campaign", "report"])
def test_a_file_that_is_too_large_is_refused_unread(tmp_path, read_one):
    path = tmp_path / "large.toml"
    with path.open("wb") as file:
        file.truncate(500_000_001)
    with pytest.raises(TaskError, match=r"must have at most [15]00000000 bytes, got more"):
        read_one(path)
