"""One small program for each thing that Python means: what is read has the law of the function that runs."""

import pytest

from refdp.programs.language.errors import Unsupported
from tests.programs.grammar import Sample
from tests.programs.oracle import laws
from tests.programs.read_back import read_back

HEAD = "from refdp.programs import *\n\n\nLIMIT = 2\n\n\n"
CLAIM = '@claim(epsilon="epsilon", adjacency=ALL)\n'
FLIP = "bernoulli(1 / (1 + exp(epsilon)))"
MEANINGS = {
    "the order of draws": """
        a = uniform(0, 1) - 2 * uniform(0, 1)
        b = a + q[0]
        return b, a""",
    "tuples are assigned at once": """
        a, b = uniform(0, 2), q[0]
        a, b = b, a
        return a, b""",
    "augmented assignments": """
        s = uniform(0, 1)
        for x in q:
            s += x
            s *= 2
            s -= 1
        return s""",
    "chained comparisons": """
        for x in q:
            yield 0 <= x + uniform(-1, 1) < 2""",
    "and, or, not": """
        for x in q:
            a, b = FLIP, x > 0
            yield a and b or not a and not b""",
    "conditional expressions": """
        for x in q:
            yield (x if FLIP else -x) + (1 if x > 0 else 0)""",
    "break and continue": """
        for x in q:
            if FLIP:
                continue
            yield x
            if x > 0:
                break
        yield "end" """,
    "for and else": """
        for x in q:
            if FLIP:
                yield "found"
                break
        else:
            yield "none" """,
    "the loop variable after the loop": """
        i = N
        for i in range(len(q)):
            if FLIP:
                break
        return i""",
    "while over the data": """
        i, c = 0, 0
        while i < len(q) and c < N:
            x = q[i]
            c += x + uniform(0, 1)
            i += 1
        return i, c""",
    "a loop over a public number": """
        s = 0
        for i in range(N):
            s += uniform(0, 1) * (i + 1)
        return s""",
    "a while loop with a count": """
        count = 0
        for x in q:
            if count < N:
                if FLIP:
                    count += 1
                yield count""",
    "max, min, abs": """
        for x in q:
            y = x + uniform(-1, 1)
            yield max(y, 0), min(y, 1, x), abs(y)""",
    "sum and len": """
        return sum(q) + len(q) * uniform(0, 1)""",
    "the greatest of a list": """
        values = [2 * x + uniform(0, 3) for x in q]
        return values.index(max(values)), max(values)""",
    "argmax": """
        values = []
        for x in q:
            values.append(x + uniform(0, 2))
        return argmax(values)""",
    "nothing yet": """
        best, place = None, 0
        for i, x in enumerate(q):
            y = x + uniform(0, 1)
            if best is None or y >= best:
                best, place = y, i
        return place, best""",
    "minus infinity": """
        best = float("-inf")
        for x in q:
            y = x + uniform(0, 1)
            if y > best:
                best = y
        return best""",
    "division, powers and remainders of public numbers": """
        for x in q:
            yield x + uniform(0, N // 2 + 7 % (N + 1)), N ** 2, x / N""",
    "a module's constant": """
        count = 0
        for x in q:
            if count >= LIMIT:
                break
            if FLIP:
                count += 1
            yield x - LIMIT""",
    "a parameter that is assigned to": """
        N = N + uniform(0, 1)
        for x in q:
            if x + N > 1:
                yield N""",
    "texts, None and truth values": """
        for x in q:
            if FLIP:
                yield None
            elif x > 0:
                yield "up", True
            else:
                yield "down", False""",
    "weights": """
        return choice([exp(epsilon * x) for x in q]), choice([1, N, exp(epsilon)])""",
    "weights in a list": """
        weights = []
        for x in q:
            weights.append(exp(epsilon * x / 2))
        return choice(weights)""",
    "a return in a loop": """
        for i, x in enumerate(q):
            if FLIP:
                return i, x
        return -1""",
    "yields and a return": """
        for x in q:
            if FLIP:
                yield "stop"
                return
            yield x""",
    "two passes": """
        s = 0
        for x in q:
            s += x
        for x in q:
            yield x < s, FLIP""",
    "a list that is returned": """
        found = []
        for x in q:
            if FLIP:
                found.append(x)
        return found""",
    "a list that is returned at once": """
        return [x + uniform(0, 1) for x in q]""",
    "the first and the last": """
        return q[0] + uniform(0, 1), q[len(q) - 1]""",
    "a comparison with a draw on both sides": """
        level = uniform(0, 2)
        for x in q:
            if x + uniform(0, 2) > level:
                yield True
                level = uniform(0, 1)
            else:
                yield False""",
    "integers are not divided with remainder by mistake": """
        for x in q:
            y = x + uniform(-1, 1)
            yield y / 2 < 1, y / (N + 1) > 0""",
    "a name that is used again": """
        x = uniform(0, 1)
        y = x
        x = q[0] + x
        return x - y, x""",
    "pass, and conditions that are public": """
        for x in q:
            if N > 1:
                pass
            else:
                yield x
            if FLIP:
                yield N""",
    "nothing is released": """
        for x in q:
            if x + uniform(0, 1) > 5:
                yield x""",
}


def sampled(body: str) -> Sample:
    """A program with this body."""
    flips = body.replace("FLIP", FLIP)
    text = f"{HEAD}{CLAIM}def program(q: list[int], epsilon, N: int):{flips.replace(chr(10) + '    ', chr(10))}\n"
    return Sample(text, "", "ALL", "epsilon", {"epsilon": "ln(2)", "N": "2"}, (-1, 0, 2))


@pytest.mark.parametrize("meaning", MEANINGS)
def test_what_is_read_means_what_python_means(meaning: str) -> None:
    one = sampled(MEANINGS[meaning])
    read = read_back(one, "a list that is returned" in meaning)
    for n in (1, 2):
        for data, found in laws(one, n).items():
            for output, mass in found.items():
                assert read.probability(data, output) == mass, (data, output)


@pytest.mark.parametrize(
    "body",
    [
        """
        for i in range(len(q)):
            pass
        return i""",
        """
        best = None
        for i, x in enumerate(q):
            if best is None or x > best:
                best, place = x, i
        return place""",
    ],
)
def test_a_name_that_may_have_no_value_is_refused(body: str) -> None:
    with pytest.raises(Unsupported, match="may have no value here"):
        read_back(sampled(body))
