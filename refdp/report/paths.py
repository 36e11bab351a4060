"""Where the generated pages of a claim stand, from the root of the checkout; links from one page to another."""

from __future__ import annotations

from pathlib import PurePosixPath

FOLDER = "docs/claims"
INDEX = f"{FOLDER}/index.md"
"""The page that lists every claim."""


def stem_path(stem: str) -> str:
    """The page that lists the claims of one stem.

    >>> stem_path("laplace")
    'docs/claims/laplace.md'
    """
    return f"{FOLDER}/{stem}.md"


def general_path(claim_id: str) -> str:
    """Where a claim about all mechanisms stands on the page of its stem.

    >>> general_path("every_mechanism.group_pure")
    'docs/claims/every_mechanism.md#group_pure'
    """
    stem, _, notion = claim_id.partition(".")
    return f"{stem_path(stem)}#{notion}"


def page_path(claim_id: str) -> str:
    """The page of one claim.

    >>> page_path("laplace.pure")
    'docs/claims/laplace/pure.md'
    """
    return f"{_beside(claim_id)}.md"


def tree_path(claim_id: str) -> str:
    """The drawing of the claim's derivation.

    >>> tree_path("laplace.pure")
    'docs/claims/laplace/pure.tree.svg'
    """
    return f"{_beside(claim_id)}.tree.svg"


def picture_path(claim_id: str) -> str:
    """The picture of what the claim says, for those that have one.

    >>> picture_path("laplace.pure")
    'docs/claims/laplace/pure.svg'
    """
    return f"{_beside(claim_id)}.svg"


def _beside(claim_id: str) -> str:
    """The path of everything that is generated for one claim, without its ending."""
    stem, _, notion = claim_id.partition(".")
    return f"{FOLDER}/{stem}/{notion}"


def link_from(page: str, to: str) -> str:
    """The relative link from a page to a file, both given from the root.

    >>> link_from("docs/claims/laplace/pure.md", "proofs/laplace.py")
    '../../../proofs/laplace.py'
    >>> link_from("docs/sources/001.md", page_path("laplace.pure"))
    '../claims/laplace/pure.md'
    """
    here, there = PurePosixPath(page).parent.parts, PurePosixPath(to).parts
    common = 0
    while common < len(here) and common < len(there) - 1 and here[common] == there[common]:
        common += 1
    return "/".join((*[".."] * (len(here) - common), *there[common:]))
