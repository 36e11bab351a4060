"""Links of the repository lead to the pages of the site that show the same."""

import pytest
from markdown import markdown

from scripts.docs_site.breaks import Breaks
from scripts.docs_site.emphasis import StarsAlone
from scripts.docs_site.links import Links, rewritten


@pytest.mark.parametrize(
    ("page", "link", "target"),
    [
        ("trust.md", "soundness.md#algebra", "soundness.md#algebra"),
        ("trust.md", "../refdp/claims.py", "source/refdp/claims.py.html"),
        ("claims/laplace/pure.md", "../../../proofs/lines.py#L3", "../../source/proofs/lines.py.html#L3"),
        ("project/readme.md", "docs/trust.md", "../trust.md"),
        ("project/readme.md", "audits/README.md", "audits.md"),
        ("project/vectors.md", "pmf_exponential_test.json", "../source/vectors/pmf_exponential_test.json.html"),
        ("how_to/audit.md", "../../refdp/auditing/", "../source/refdp/auditing/index.html"),
        ("trust.md", "claims/", "claims/index.md"),
        ("index.md", "../README.md", "project/readme.md"),
    ],
)
def test_links_lead_to_what_shows_their_file(page, link, target):
    assert rewritten(page, link) == target


@pytest.mark.parametrize("link", ["#limits", "https://e.org/refdp/claims.py", "gone.md", "../../etc/passwd"])
def test_links_to_nothing_in_the_repository_stay(link):
    assert rewritten("trust.md", link) == link


@pytest.mark.parametrize(("anchor", "warnings"), [("L1", 0), ("L100000", 1), ("L0", 1), ("claims", 1)])
def test_links_to_a_line_that_is_not_there_are_told(anchor, warnings, caplog):
    rewritten("trust.md", f"../refdp/claims.py#{anchor}")
    assert len(caplog.records) == warnings


def test_links_and_pictures_of_a_page_are_rewritten_but_not_its_code():
    links = Links()
    links.page = "project/readme.md"
    html = markdown("[a](docs/trust.md) ![b](docs/frontier.svg) `[c](docs/trust.md)`", extensions=[links])
    assert 'href="../trust.md"' in html
    assert 'src="../frontier.svg"' in html
    assert "[c](docs/trust.md)" in html


@pytest.mark.parametrize(
    ("page", "html"),
    [
        ("[laplace.accuracy_of_a_mean](x.md)", "laplace.<wbr>accuracy_<wbr>of_<wbr>a_<wbr>mean"),
        ("[`laplace.accuracy_of_a_mean`](x.md)", "<code>laplace.<wbr>accuracy_<wbr>of_<wbr>a_<wbr>mean</code>"),
        ("[laplace.pure](x.md)", "laplace.pure"),
        ("[a sentence of several words](x.md)", "a sentence of several words"),
    ],
)
def test_links_with_long_names_may_break(page, html):
    assert f'<a href="x.md">{html}</a>' in markdown(page, extensions=[StarsAlone(), Breaks()]).replace(" />", ">")
