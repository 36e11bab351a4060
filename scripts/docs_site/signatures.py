"""Signatures as they are written, on as many lines as they need."""

from griffe import Class, Function, Parameter, ParameterKind

WIDTH = 88
STARS = {ParameterKind.var_positional: "*", ParameterKind.var_keyword: "**"}


def signature(name: str, found: Function | Class) -> str:
    """`name(parameters) -> result`; of a class, how one is made."""
    written = [text for text in parts(found) if text]
    result = f" -> {found.returns}" if isinstance(found, Function) and found.returns is not None else ""
    if not written and isinstance(found, Class):
        return f"class {name}"
    line = f"{name}({', '.join(written)}){result}"
    return line if len(line) <= WIDTH else f"{name}(\n    " + ",\n    ".join(written) + f",\n){result}"


def parts(found: Function | Class) -> list[str]:
    """Each parameter, with the * before those by keyword alone."""
    shown = [parameter for parameter in found.parameters if parameter.name not in ("self", "cls")]
    written: list[str] = []
    for parameter in shown:
        if parameter.kind is ParameterKind.keyword_only and not any(text.startswith("*") for text in written):
            written.append("*")
        written.append(part(parameter))
    return written


def part(parameter: Parameter) -> str:
    """`name: type = default`."""
    stars = STARS.get(parameter.kind or ParameterKind.positional_or_keyword, "")
    typed = f": {parameter.annotation}" if parameter.annotation is not None else ""
    is_given = parameter.default is not None and not stars
    return (
        f"{stars}{parameter.name}{typed}"
        + (f" = {parameter.default}" if is_given and typed else "")
        + (f"={parameter.default}" if is_given and not typed else "")
    )
