"""What a drawn picture is made of, and whether two are the same whatever release of matplotlib drew them."""

import re
from xml.etree import ElementTree as ET

NUMBER = re.compile(r"-?\d+\.?\d*(?:e-?\d+)?")


def texts(svg):
    """Every text of a picture."""
    return {(e.text or "").strip() for e in ET.fromstring(svg).iter() if e.text}


def assert_alike(new, old):
    """The same elements and the same texts; the same numbers within a pixel."""
    ones, others = (list(ET.fromstring(svg).iter()) for svg in (new, old))
    assert [e.tag for e in ones] == [e.tag for e in others]
    assert [(e.text or "").strip() for e in ones] == [(e.text or "").strip() for e in others]
    for a, b in zip(ones, others, strict=True):
        here, there = (list(map(float, NUMBER.findall(e.get("d") or ""))) for e in (a, b))
        assert len(here) == len(there)
        assert all(abs(x - y) < 1 for x, y in zip(here, there, strict=True))
