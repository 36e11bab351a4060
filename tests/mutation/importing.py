"""`python -m tests.mutation.importing AREA KEY TEST...`: the tests on a mutant that importing puts in place."""

import sys
from ast import literal_eval

import pytest

from tests.mutation.running import Importer
from tests.mutation.sites import candidates


def main(area: str, key: str, *tests: str) -> int:
    """The exit code of pytest."""
    site = next(one for one in candidates(area) if one.key == literal_eval(key))
    if any(name.startswith("refdp") for name in sys.modules):
        raise RuntimeError("the package must not be imported yet")
    importer = Importer(site)
    sys.meta_path.insert(0, importer)
    # pytest would import the package itself, to rewrite its asserts, as it holds a plugin; it has none to rewrite.
    plain = ["--assert=plain", "-x", "-q", "-rfE", "-p", "no:cacheprovider", "-p", "no:xdist"]
    code = int(pytest.main([*plain, *tests]))
    if not importer.is_used:
        raise RuntimeError(f"{site.file} was not imported by this process")
    return code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
