"""Worker process: `python -m refdp.sensitivities.machine.bitwuzla_worker bitwuzla` decides bit-vector and float texts.

Request: {"text", "engine", "seconds"}.  Reply: {"answer": "unsat" | "sat" | "unknown", "reason", "models"}; a model
maps symbols of bit-vectors to the numbers that their bits write, as text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from refdp.provers.serving import OVER, Answerer, serve


def load_bitwuzla() -> tuple[str, Answerer]:
    """Bitwuzla's name and version, and its answers."""
    import bitwuzla

    def answer(request: Mapping[str, Any]) -> dict[str, Any]:
        manager, options = bitwuzla.TermManager(), bitwuzla.Options()
        options.set(bitwuzla.Option.PRODUCE_MODELS, True)
        parser = bitwuzla.Parser(manager, options)
        parser.parse(request["text"].replace("(check-sat)", ""), True, False)
        solver = parser.bitwuzla()
        looks = 0

        def is_over() -> bool:
            nonlocal looks
            looks += 1
            return looks > int(request["units"])

        solver.configure_terminator(is_over)
        verdict = solver.check_sat()
        if verdict != bitwuzla.Result.SAT:
            known = verdict == bitwuzla.Result.UNSAT
            return {"answer": "unsat" if known else "unknown", "reason": "" if known else OVER, "units": looks}
        values = {t.symbol(): solver.get_value(t) for t in parser.get_declared_funs() if t.sort().is_bv()}
        models = [{str(name): str(int(v.value(2), 2)) for name, v in values.items()}]
        return {"answer": "sat", "units": looks, "models": models}

    return f"bitwuzla {bitwuzla.version()}", answer


if __name__ == "__main__":
    serve(load_bitwuzla)
