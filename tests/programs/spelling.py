"""Ways to write the same statements: names, forms of loops and branches, chosen at random."""

from dataclasses import dataclass
from random import Random

Lines = list[str]
NAMES = {
    "data": ("q", "answers", "data", "queries"),
    "element": ("x", "value", "answer", "entry"),
    "index": ("i", "j", "k", "position"),
    "count": ("count", "c", "found", "seen"),
    "noise": ("noise", "eta", "z", "drawn"),
    "level": ("threshold", "level", "bar", "rho"),
    "total": ("total", "s", "running", "so_far"),
    "best": ("best", "top", "greatest", "leader"),
    "place": ("place", "winner", "at", "which"),
    "weights": ("weights", "scores", "w", "masses"),
}


@dataclass(frozen=True)
class Spelling:
    """How a program is written."""

    random: Random
    names: dict[str, str]

    def loop(self, body: Lines) -> Lines:
        """The body once for each element."""
        data, element, index = (self.names[one] for one in ("data", "element", "index"))
        look = f"{element} = {data}[{index}]"
        match self.random.randrange(4):
            case 0:
                return [f"for {element} in {data}:", *indented(body)]
            case 1:
                return [f"for {index} in range(len({data})):", *indented([look, *body])]
            case 2:
                return [f"for {index}, {element} in enumerate({data}):", *indented(body)]
        head = [f"{index} = 0", f"while {index} < len({data}):"]
        return [*head, *indented([look, *body, self.raised(index)])]

    def either(self, condition: str, yes: Lines, no: Lines) -> Lines:
        """The one or the other."""
        if self.random.random() < 0.5:
            condition, yes, no = f"not ({condition})", no, yes
        if not yes:
            return [f"if not ({condition}):", *indented(no)]
        return [f"if {condition}:", *indented(yes), *(["else:", *indented(no)] if no else [])]

    def raised(self, name: str, by: str = "1") -> str:
        """The name plus a number."""
        forms = (f"{name} += {by}", f"{name} = {name} + {by}", f"{name} = {by} + {name}")
        return self.random.choice(forms)

    def noisy(self, value: str, draw: str) -> tuple[Lines, str]:
        """A value plus a draw: what comes before, and the expression."""
        noise = self.names["noise"]
        match self.random.randrange(3):
            case 0:
                return [], f"{value} + {draw}"
            case 1:
                return [f"{noise} = {draw}"], f"{value} + {noise}"
        return [f"{noise} = {draw}"], f"{noise} + {value}"


def spelling(random: Random) -> Spelling:
    """Names, each thing having one of its own."""
    return Spelling(random, {thing: random.choice(names) for thing, names in NAMES.items()})


def indented(lines: Lines) -> Lines:
    """The lines one level deeper."""
    return [f"    {line}" for line in lines]
