"""The first programs: what is written in Python is the program that is built by hand."""

import pytest

from refdp.programs.language.reading import programs_in
from refdp.programs.syntax import Branch, Draw, Emit, Loop

HEAD = "from refdp.programs import *\n"
SPARSE_VECTOR = (
    HEAD
    + """
@claim(epsilon="epsilon", adjacency=ALL)
def sparse_vector(q, epsilon, N, T):
    threshold = T + laplace(2 / epsilon)
    count = 0
    for x in q:
        if x + laplace(4 * N / epsilon) >= threshold:
            yield True
            count += 1
            if count >= N:
                break
        else:
            yield False
"""
)
NOISY_MAX = (
    HEAD
    + """
@claim(epsilon="epsilon", adjacency=ALL)
def noisy_max(q, epsilon):
    values = [x + laplace(2 / epsilon) for x in q]
    return argmax(values)
"""
)


def test_sparse_vector_is_a_draw_and_a_loop_over_the_data() -> None:
    (program,) = programs_in(SPARSE_VECTOR, "file.py")
    draw, _, _, loop = program.body
    assert isinstance(draw, Draw)
    assert isinstance(loop, Loop)
    assert loop.element == "x"
    assert [type(one) for one in loop.body] == [Draw, Branch]
    assert program.claims[0].text == "epsilon=epsilon"


def test_the_place_of_the_greatest_is_kept_in_the_loop() -> None:
    (program,) = programs_in(NOISY_MAX, "file.py")
    assert isinstance(program.body[-1], Emit)
    (place,) = program.body[-1].items
    assert repr(place) == "values.argmax"


@pytest.mark.parametrize("function", ["argmax", "choice"])
@pytest.mark.parametrize("name", ["place_of", "max", "len"])
def test_a_function_of_refdp_programs_may_have_another_name(function: str, name: str) -> None:
    """Also the name of another that lists are asked for."""
    part = "exp(epsilon * x)" if function == "choice" else "x + laplace(2 / epsilon)"
    head = f"from refdp.programs import ALL, claim, exp, laplace, {function}"
    body = f"""
@claim(epsilon="epsilon", adjacency=ALL, where="n >= 1")
def program(q, epsilon):
    return {{}}([{part} for x in q])
"""
    (plain,), (other,) = (
        programs_in(text, "file.py")
        for text in (f"{head}\n{body.format(function)}", f"{head} as {name}\n{body.format(name)}")
    )
    assert other.body == plain.body
