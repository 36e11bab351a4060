"""Files of pictures: the same every time, dark where that is preferred, whole or not there at all."""

import re
import time
from concurrent.futures import ThreadPoolExecutor
from xml.dom import minidom

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

import refdp
from refdp.claims import claim
from refdp.cli.app import app
from refdp.report.certificates import theorem_of
from refdp.report.pictures import colours, plotting
from refdp.report.pictures.files import STYLE, drawn, png, rendered, svg_text
from refdp.report.pictures.glyphs import spell_out
from refdp.report.pictures.kinds import Picture
from refdp.report.pictures.of_claims import derivation
from refdp.report.pictures.plotting import UNASKED, plot
from tests.command_line import CliRunner
from tests.kinds import CERTIFICATES

run = CliRunner().invoke
MAGIC = {".svg": b"<!-- Made by", ".png": b"\x89PNG", ".pdf": b"%PDF"}
HUGE = '{"neighbours": "add_remove", "events": [{"mechanism": "laplace", "scale": "7/3", "count": 900}]}'


def line(figure):
    axes = figure.subplots()
    axes.plot([0, 1], [0.123456, 2], color=colours.FIRST)
    axes.set_title("a_1 is $0.00012345 < 2")


@pytest.mark.parametrize("ending", MAGIC)
def test_files_are_the_same_every_time(ending):
    one, other = (rendered(line, "title", "caption", ending) for _ in range(2))
    assert one == other


@pytest.mark.parametrize("ending", MAGIC)
@pytest.mark.parametrize("kind", ["laws", "derivation"])
def test_plot_writes_what_the_ending_says(ending, kind, tmp_path):
    out = tmp_path / f"picture{ending}"
    assert plot("laplace.pure", out, kind=kind)["path"] == str(out)
    assert out.read_bytes().startswith(MAGIC[ending])
    assert [path.name for path in tmp_path.iterdir()] == [out.name]


@pytest.mark.parametrize("identifier", ["laplace.pure", "gaussian.classical", "discrete_laplace.half_noise"])
def test_derivations_have_all_words_within_the_picture(identifier):
    figure = Figure()
    FigureCanvasAgg(figure)
    derivation(theorem_of(claim(identifier)), identifier).draw(figure)
    ends = [text.get_window_extent() for axes in figure.axes for text in axes.texts]
    assert len(ends) > 4
    assert max(end.x1 for end in ends) <= figure.bbox.width
    assert max(end.y1 for end in ends) <= figure.bbox.height


def test_numbers_in_texts_are_left_as_they_are():
    assert "a_1 is $0.00012345 &lt; 2" in svg_text(line, "t", "c")


def test_title_and_description_are_escaped():
    text = svg_text(line, "a < b", "c & d")
    assert "<title>a &lt; b</title>" in text
    assert "<desc>c &amp; d</desc>" in text


def test_characters_that_xml_forbids_or_that_turn_the_text_are_spelt_out():
    def drawn(figure):
        figure.text(0.1, 0.5, "<b>a\x01b\u202ec]]>")

    text = svg_text(drawn, "title\x02", "caption\x7f\u2066")
    parsed = minidom.parseString(text.encode())
    assert parsed.getElementsByTagName("text")[0].firstChild.data == "<b>a\\x01b\\u202ec]]>"
    assert "<title>title\\x02</title>" in text
    assert "<desc>caption\\x7f\\u2066</desc>" in text


def foreign(figure):
    axes = figure.subplots()
    axes.set_xticks([0.25, 0.75], ["\u65e5\u672c", "here"], rotation=90)
    axes.set_title("t\x01 \u2264", fontweight="bold")
    figure.text(0.5, 0.5, "\U0001f600", family="DejaVu Sans Mono")


def texts(figure):
    return [text.get_text() for text in figure.findobj(Text) if text.get_text()]


@pytest.mark.parametrize("ending", MAGIC)
def test_characters_that_no_font_here_has_are_drawn_without_a_warning(ending):
    """Warnings are errors in this suite."""
    assert rendered(foreign, "title", "caption", ending)


def test_characters_without_a_glyph_are_spelt_out_in_files_that_hold_glyphs():
    with drawn(foreign) as figure:
        spell_out(figure)
        found = texts(figure)
        assert {r"\u65e5\u672c", "here", "t\\x01 \u2264", r"\U0001f600"} <= set(found)
        assert figure.axes[0].get_xticklabels()[0].get_rotation() == 90
    assert ">\u65e5\u672c<" in svg_text(foreign, "t", "c")


def test_texts_that_have_all_glyphs_are_left_as_they_are():
    with drawn(line) as figure:
        figure.draw_without_rendering()
        before = texts(figure)
        spell_out(figure)
        assert texts(figure) == before


@pytest.mark.parametrize("ending", MAGIC)
def test_a_pair_of_tables_with_a_word_in_another_script_is_plotted_without_a_warning(ending, tmp_path):
    script = 'def counted(rows):\n    return sum(1 for row in rows if row == "\u65e5\u672c")\n'
    (tmp_path / "q.py").write_text(script, encoding="utf-8")
    asked = {"records": "\u65e5\u672c | A", "claim": "1/2", "certificates": tmp_path}
    found = refdp.sensitivity(f"{tmp_path}/q.py:counted", "add_remove", **asked)
    assert plot(found["certificate"], tmp_path / f"x{ending}")["kind"] == "tables"


def test_derivations_of_files_are_said_to_be_believed(tmp_path):
    copy = tmp_path / "a\x01.json"
    copy.write_text((CERTIFICATES / "laplace.pure.json").read_text())
    found = plot(copy, tmp_path / "a.svg")
    assert found["caption"].endswith(UNASKED)
    assert minidom.parse(str(tmp_path / "a.svg")).getElementsByTagName("title")[0].firstChild.data.endswith("a\\x01")
    assert UNASKED not in plot("laplace.pure", tmp_path / "b.svg", kind="derivation")["caption"]


def test_every_colour_that_is_drawn_has_one_for_the_night():
    text = svg_text(line, "t", "c")
    style, body = re.search("<style>(.*?)</style>(.*)", text, re.DOTALL).groups()
    used = set(re.findall(r"(?:fill|stroke): (#[0-9a-f]{6})", body))
    assert used <= colours.NIGHT.keys()
    assert all(f'"stroke: {c}"' in style or f'"fill: {c}"' in style for c in used)
    assert STYLE["figure.facecolor"] == colours.GROUND


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", ["INK", "QUIET", "FIRST", "SECOND", "BOUND", "GAIN", "ORACLE", "FALSE"])
@pytest.mark.parametrize("ground", ["GROUND", "SHADE"])
def test_lines_and_words_stand_out_by_day_and_by_night(name, ground):
    least = 3 if ground == "GROUND" else 2.5
    day, paper = getattr(colours, name), getattr(colours, ground)
    assert contrast(day, paper) >= least
    assert contrast(colours.NIGHT[day], colours.NIGHT[paper]) >= least


def test_png_has_a_white_ground():
    assert png(line, "t", "c").startswith(b"\x89PNG")


@pytest.mark.parametrize("kind", ["losses", "trade_off", "profile"])
def test_plot_ends_in_time_and_leaves_no_file(kind, tmp_path):
    spec, out = tmp_path / "spec.json", tmp_path / "picture.svg"
    spec.write_text(HUGE)
    done = run(app, ["plot", str(spec), "--kind", kind, "--timeout", "0.3", "--out", str(out)])
    assert done.exit_code in (0, 2, 3)
    assert out.exists() == (done.exit_code == 0)
    assert (done.stderr.count("\n"), "Traceback" in done.stderr) == (int(done.exit_code != 0), False)


def test_plot_on_another_thread_writes_nothing_once_the_time_is_over(tmp_path, monkeypatch):
    out, end = tmp_path / "picture.svg", plotting.GRACE + 0.2

    def slow(_, timeout):
        time.sleep(end)
        return {"laws": lambda: Picture("title", "caption", line)}

    monkeypatch.setattr(plotting, "makers", slow)
    with ThreadPoolExecutor(1) as threads:
        late = threads.submit(plot, "laplace.pure", out, timeout=0.1)
        in_time = threads.submit(plot, "laplace.pure", tmp_path / "in_time.svg")
    assert "needs more than 0.1 seconds; nothing is written" in str(late.exception())
    assert (type(late.exception()), out.exists(), in_time.exception()) == (TimeoutError, False, None)


@pytest.mark.parametrize(
    "content",
    ["{", "[]", "null", '{"format": "refdp-certificate/1"}', '{"format": "refdp-alignment/1"}', "\x00",
     '{"format": "refdp-counterexample/1", "counterexample": {}}', '{"format": "refdp-sensitivity/1"}',
     '{"format": "refdp-sensitivity/1", "verdict": "REFUTED"}', '{"format": "refdp-machine-function/1"}',
     '{"format": "refdp-alignment/1", "question": {}, "alignments": [{}]}', "[" * 10_000],
)  # fmt: skip
def test_plot_refuses_what_is_no_certificate_in_one_sentence(content, tmp_path):
    path, out = tmp_path / "a.json", tmp_path / "picture.svg"
    path.write_text(content)
    done = run(app, ["plot", str(path), "--out", str(out)])
    assert (done.exit_code, done.stdout, out.exists()) == (2, "", False)
    assert done.stderr.startswith("refdp: ")
    assert done.stderr.count("\n") == 1
