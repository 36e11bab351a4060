"""What a drawn picture is made of, and whether two are the same whatever release of matplotlib drew them."""

import re
from xml.etree import ElementTree as ET

NUMBER = re.compile(r"-?\d+\.?\d*(?:e-?\d+)?")


def differences(new, old):
    """What differs: other elements, other texts, or numbers that are more than a pixel apart."""
    ones, others = (list(ET.fromstring(svg).iter()) for svg in (new, old))
    if [e.tag for e in ones] != [e.tag for e in others]:
        return ["elements"]
    return [a.tag for a, b in zip(ones, others, strict=True) if words(a) != words(b) or not is_near(a, b)]


def words(element):
    """The text of an element."""
    return (element.text or "").strip()


def is_near(one, other):
    """Whether the paths of two elements are within a pixel of each other."""
    here, there = (list(map(float, NUMBER.findall(e.get("d") or ""))) for e in (one, other))
    return len(here) == len(there) and all(abs(x - y) < 1 for x, y in zip(here, there, strict=True))
