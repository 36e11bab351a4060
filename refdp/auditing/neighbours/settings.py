"""How long a search may last, and what it counts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Settings:
    """Seconds of work, and pairs, of a search; its seed; whether an exception on one side alone is a difference."""

    seconds: float = 10.0
    pairs: int = 20_000
    seed: int = 0
    exceptions: bool = True

    def __post_init__(self) -> None:
        for name, value in (("seconds", self.seconds), ("pairs", self.pairs)):
            if not value > 0:
                raise ValueError(f"{name} must be > 0, got {value}")
