"""The fonts of the site, copied from installed packages: nothing is fetched when a page is read."""

from importlib.metadata import distribution

TEXT = [("", 400, "normal"), ("It", 400, "italic"), ("Semibold", 600, "normal"), ("SemiboldIt", 600, "italic")]


def file_name(style: str) -> str:
    """The name of a style's file."""
    return f"SourceSansPro-{style or 'Regular'}.ttf"


def files() -> dict[str, str]:
    """Where each font goes on the site, and where it is on this machine."""
    text, mathematics = ("font-source-sans-pro", "font_source_sans_pro/files"), ("ziamath", "ziamath/fonts")
    homes = {file_name(style): text for style, _, _ in TEXT} | {"STIXTwoMath-Regular.ttf": mathematics}
    return {f"assets/fonts/{name}": installed(*home, name) for name, home in homes.items()}


def installed(package: str, folder: str, name: str) -> str:
    """A file of an installed package, which is not imported for it."""
    return str(distribution(package).locate_file(f"{folder}/{name}"))


def face(family: str, name: str, weight: int = 400, style: str = "normal") -> str:
    """The rule that names a font."""
    rules = f'font-family: "{family}"; font-weight: {weight}; font-style: {style}; font-display: swap'
    return f'@font-face {{ {rules}; src: url("{name}") format("truetype"); }}'


def styles() -> dict[str, str]:
    """The stylesheet that names them all, beside them."""
    faces = [face("Source Sans Pro", file_name(style), weight, slant) for style, weight, slant in TEXT]
    return {"assets/fonts/fonts.css": "\n".join([*faces, face("STIX Two Math", "STIXTwoMath-Regular.ttf")]) + "\n"}
