"""One entry of the reference: how it is called, what it says, where it stands."""

from collections.abc import Iterable, Iterator

from griffe import Alias, Attribute, Class, Function, Module, Object

from scripts.docs_site.docstrings import escaped, markdown
from scripts.docs_site.places import ROOT
from scripts.docs_site.signatures import signature

UP = "../../"
"""From docs/reference/ to the root."""


def found(package: Object | Alias, path: str) -> Object:
    """The object of that path within the package, where it is defined."""
    each = package[path]
    return each.final_target if isinstance(each, Alias) else each


def entry(name: str, thing: Object, level: int = 3) -> str:
    """The entry under a heading."""
    heading = f"{'#' * level} `{name}`"
    return "\n\n".join([heading, *shown(name, thing), *members(name, thing, level + 1)])


def shown(name: str, thing: Object) -> Iterator[str]:
    """Signature, docstring and place."""
    if isinstance(thing, Function | Class) and not is_property(thing):
        yield f"```python\n{signature(name.rpartition('.')[2], thing)}\n```"
    elif isinstance(thing, Attribute) and thing.annotation is not None:
        yield f"```python\n{name.rpartition('.')[2]}: {thing.annotation}\n```"
    if thing.docstring:
        yield markdown(thing.docstring.value)
    if not isinstance(thing.parent, Class):
        yield place_of(thing)


def place_of(thing: Object) -> str:
    """A link to the line."""
    path = str(thing.filepath).removeprefix(f"{ROOT}/")
    line = "" if isinstance(thing, Module) else f"#L{thing.lineno}"
    return f"*in* [{escaped(path)}]({UP}{path}{line})"


def is_property(thing: Object) -> bool:
    """Whether a method is read like an attribute."""
    return "property" in thing.labels


def members(name: str, thing: Object, level: int) -> Iterator[str]:
    """The public methods and properties of a class that say something."""
    if isinstance(thing, Class):
        for each in public(thing):
            if isinstance(each, Function) or is_property(each):
                yield entry(f"{name}.{each.name}", each, level)


def public(thing: Object) -> Iterator[Object]:
    """What a class or module defines itself, under a name without a leading underscore, with a docstring."""
    for member in thing.members.values():
        if not isinstance(member, Alias) and not member.name.startswith("_") and member.has_docstring:
            yield member


def entries(named: Iterable[tuple[str, Object]], level: int = 3) -> str:
    """Several entries, one after another."""
    return "\n\n".join(entry(name, thing, level) for name, thing in named)
