"""The page of an audit in a real browser: on narrow and wide screens, by keyboard, without a network."""

import html
import json
import re
import shutil
import subprocess

import pytest

from refdp.report.audits.page import render
from tests.report.audit_reports import hostile, textbook

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = [
    pytest.mark.long,
    pytest.mark.once,
    pytest.mark.skipif(BROWSER is None, reason="needs chromium, which is not installed"),
]
WIDTHS = (400, 760, 1000, 1600)
QUIET = (
    "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-extensions", "--hide-scrollbars",
)  # fmt: skip
# The page stands in frames of given widths, and is looked at from outside: it runs nothing itself.
LOOK = """
const look = frame => {
  const page = frame.contentDocument, root = page.documentElement;
  const shown = e => e.getClientRects().length > 0 && getComputedStyle(e).visibility == "visible";
  const wide = [...page.querySelectorAll("body *")].filter(e =>
    !e.closest("svg, pre, .skip") && shown(e) && e.getBoundingClientRect().right > root.clientWidth + 1);
  const able = [...page.querySelectorAll("a, summary, input, [tabindex]")];
  const tick = page.getElementById("show-REFUTED");
  const cards = () => [...page.querySelectorAll("article, tbody tr[data-verdict]")].filter(shown).length;
  const before = cards();
  if (tick) tick.click();
  const after = cards();
  if (tick) tick.click();
  const small = [...page.querySelectorAll("svg text")].filter(shown).map(e => e.getBoundingClientRect().height);
  return {
    width: root.scrollWidth, client: root.clientWidth,
    wide: wide.map(e => e.tagName + "." + e.className).slice(0, 5),
    sheet: getComputedStyle(page.querySelector("h1")).fontWeight,
    cards: [before, after],
    titles: page.title,
    alarm: frame.contentWindow.alarmed === true,
    pictures: [...page.querySelectorAll("svg[role=img]")].filter(e => e.getBoundingClientRect().width > 100).length,
    letters: Math.min(...small, 99),
    outside: [...page.querySelectorAll("svg.plot text")].filter(t => {
      const a = t.getBoundingClientRect(), b = t.closest("svg").getBoundingClientRect();
      return shown(t) && (a.left < b.left - 4 || a.right > b.right + 4);
    }).map(t => t.textContent),
    focus: able.filter(e => { e.focus(); return page.activeElement == e; }).length,
    able: able.length,
    requests: frame.contentWindow.performance.getEntriesByType("resource").length,
  };
};
onload = () => { document.body.textContent = JSON.stringify([...document.querySelectorAll("iframe")].map(look)); };
"""


def browse(folder, page, *options, widths=WIDTHS):
    """What the browser sees of the page at each width, and everything that it wrote down about the network."""
    frames = "".join(
        f'<iframe width="{w}" height="900" style="border:0" srcdoc="{html.escape(page)}"></iframe>' for w in widths
    )
    (folder / "look.html").write_text(f'<meta charset="utf-8">{frames}<script>{LOOK}</script>', encoding="utf-8")
    log = folder / "net.json"
    command = [BROWSER, *QUIET, *options, f"--user-data-dir={folder / 'user'}", f"--log-net-log={log}", "--dump-dom",
               (folder / "look.html").as_uri()]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=80, check=True)
    seen = re.search(r"<body>(.*)</body>", done.stdout, re.DOTALL)
    assert seen, done.stdout[-500:]
    return json.loads(html.unescape(seen[1])), log.read_text(encoding="utf-8", errors="replace")


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    return browse(tmp_path_factory.mktemp("browser"), render(textbook()))


def test_browser_shows_the_page_without_overflow_from_400_to_1600_pixels(seen):
    assert [(s["client"], s["width"], s["wide"]) for s in seen[0]] == [(width, width, []) for width in WIDTHS]


def test_browser_shows_pictures_with_letters_that_can_be_read(seen):
    for s in seen[0]:
        assert s["pictures"] >= 5
        assert s["letters"] >= 9
        assert s["outside"] == []


def test_browser_hides_a_verdict_that_is_not_ticked_without_any_script(seen):
    # Three of seven targets are refuted; each has a row and an article.
    assert [s["cards"] for s in seen[0]] == [[14, 8]] * len(WIDTHS)


def test_browser_reaches_all_controls_by_keyboard(seen):
    for s in seen[0]:
        assert s["able"] - s["focus"] <= s["able"] // 2  # those in closed details, and the side at 400 pixels, are not
        assert s["focus"] > 20


def test_browser_asks_no_network_and_runs_no_foreign_text(tmp_path):
    attack = '"><img src="http://audit.invalid/a.png" onerror="alarmed=true"><script>alarmed=true</script>'
    found = json.loads(json.dumps(hostile()).replace("<script>alert(1)</script>", json.dumps(attack)[1:-1]))
    (narrow, *_, wide), log = browse(tmp_path, render(found))
    assert (narrow["alarm"], wide["alarm"]) == (False, False)
    assert (narrow["requests"], wide["requests"]) == (0, 0)
    assert "audit.invalid" not in log
    assert narrow["width"] == 400


def test_browser_would_tell_of_a_request_a_script_and_an_overflow(tmp_path):
    bad = (
        "<!DOCTYPE html><h1 style='width:500px'>x</h1><script>alarmed=true</script>"
        "<img src='http://audit.invalid/a.png'>"
    )
    (narrow, *_), log = browse(tmp_path, bad)
    assert narrow["alarm"]
    assert narrow["width"] >= 500
    assert narrow["wide"] == ["H1."]
    assert "audit.invalid" in log


def test_browser_paints_dark_where_dark_is_preferred(tmp_path):
    from PIL import Image  # comes with matplotlib

    (tmp_path / "page.html").write_text(render(textbook()), encoding="utf-8")
    grounds = []
    for scheme in (0, 1):  # dark, light
        shot = tmp_path / f"{scheme}.png"
        options = (f"--blink-settings=preferredColorScheme={scheme}", "--window-size=1600,900", f"--screenshot={shot}")
        command = [BROWSER, *QUIET, *options, f"--user-data-dir={tmp_path / 'user'}", (tmp_path / "page.html").as_uri()]
        subprocess.run(command, capture_output=True, timeout=80, check=True)
        with Image.open(shot) as image:
            grounds.append(image.convert("L").resize((1, 1)).getpixel((0, 0)))
    assert grounds[0] < 60
    assert grounds[1] > 200
