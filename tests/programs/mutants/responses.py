"""Mutants of the programs that answer with one of finitely many."""

from tests.programs.mutants.editing import of, right, wrong

RAPPOR_CLAIM = 'epsilon="8*ln(41/39)"'

RESPONSES = [
    *of(
        "randomised_response",
        wrong("fewer lies", "1 / (1 + exp(epsilon)) -> 1 / (2 + exp(epsilon))"),
        wrong("lies for twice the epsilon", "exp(epsilon) -> exp(2 * epsilon)"),
        wrong("nearly one", "1 / (1 + exp(epsilon)) -> 1 / exp(epsilon)"),
        wrong("9/10 of the claim", 'epsilon="epsilon" -> epsilon="9/10*epsilon"'),
        wrong("only yes is hidden", "bit != bernoulli -> bit and bernoulli"),
        wrong("only no is hidden", "bit != bernoulli -> bit or bernoulli"),
        wrong("two answers", "return bit -> first = bit != bernoulli(1 / (1 + exp(epsilon)))\n    return first, bit"),
        wrong("the bit itself", "bit != bernoulli(1 / (1 + exp(epsilon))) -> bit"),
        right("more lies than truth", "exp(epsilon) -> exp(-epsilon)"),
        right("the opposite", "bit != bernoulli -> bit == bernoulli"),
    ),
    *of(
        "randomised_response_linear",
        wrong("fewer lies", "bernoulli((1 - epsilon) / 2) -> bernoulli((1 - epsilon) / 3)"),
        wrong("the first term of the logarithm", "ln((1 + epsilon)/(1 - epsilon)) -> 2*epsilon"),
        wrong("two terms of the logarithm", "ln((1 + epsilon)/(1 - epsilon)) -> 2*epsilon + 2*epsilon**3/3"),
        wrong("another logarithm", "ln((1 + epsilon)/(1 - epsilon)) -> ln(1 + 2*epsilon)"),
        wrong("only yes is hidden", "bit != bernoulli -> bit and bernoulli"),
        wrong("two answers", "return bit -> first = bit != bernoulli((1 - epsilon) / 2)\n    return first, bit"),
        claim=1,
    ),
    *of(
        "one_time_rappor",
        wrong("nine bits differ", "changed=8 -> changed=9"),
        wrong("all bits differ", "each(any_bits, changed=8) -> ALL"),
        wrong("one bit free", "8*ln -> 7*ln"),
        wrong("fewer lies", "bernoulli(f / 2) -> bernoulli(f / 3)"),
        wrong("two answers", "yield bit -> yield bit != bernoulli(f / 2)\n        yield bit"),
        wrong("only yes is hidden", "bit != bernoulli -> bit and bernoulli"),
        wrong("a negative claim", "0 < f and f < 1 -> 0 < f and f < 2"),
        right("fewer bits differ", "changed=8 -> changed=5"),
    ),
    *of(
        "one_time_rappor",
        wrong("fewer lies", '"19/20" -> "18/20"'),
        wrong("a little less is claimed", "ln(21/19) -> ln(110/100)"),
        wrong("nine bits differ", "changed=8 -> changed=9"),
        claim=1,
    ),
    *of(
        "rappor",
        wrong("nine bits differ", "changed=8 -> changed=9"),
        wrong("one bit free", "8*ln -> 7*ln"),
        wrong("a little less is claimed", "ln(41/39) -> ln(105/100)"),
        wrong("fewer lies", '"3/4" -> "1/2"'),
        wrong("a clearer report", '"11/20" -> "12/20"'),
        wrong("the permanent answer is released, too", "yield bernoulli(r) -> yield bernoulli(r), permanent"),
        wrong("no permanent answer", "bit != bernoulli(f / 2) -> bit"),
        wrong("two reports", "        else: ->             yield bernoulli(r)\n        else:"),
    ),
    *of(
        "truncated_geometric",
        wrong("half as much is claimed", "1 + 1/A -> 1 + 1/(2*A)"),
        wrong("a little less is claimed", '"ln(1 + 1/A)" -> "ln(1124/1000)"'),
        wrong("counts may change by 2", "counts_up_to_five -> two_apart_up_to_five"),
        wrong("the comparison is strict", "drawn <= reached -> drawn < reached"),
        wrong("the count is released", "return z -> return z, count"),
        wrong("less noise", *(f"{part} + 1 -> {part} + 2" for part in ("total = 2 * A", "total *= A", "part *= A"))),
        wrong("one number is never drawn", "uniform(1, total) -> uniform(2, total)"),
    ),
]
