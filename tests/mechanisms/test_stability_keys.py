"""stability_keys: the coin-flip tree of its sampler, and the histogram's map; by enumeration: tests/exactness."""

from fractions import Fraction as F

from refdp.mechanisms import stability_histogram, stability_keys
from tests.mechanisms.checks import MP, encloses, finite_masses, real, refuted, walked
from tests.mechanisms.local_variants import verdicts_elsewhere


def test_stability_keys_has_the_map_of_the_histogram():
    for neighbours in ("add_remove", "change_one"):
        maps = [make(1, 9, neighbours=neighbours).map(1) for make in (stability_keys, stability_histogram)]
        assert maps[0] == maps[1]
    assert stability_keys(1, 1000)((5,) * 2000 + (7,)) == (5,)


def test_stability_keys_is_proved_under_another_stem():
    assert verdicts_elsewhere("stability_keys") == {"proved"}


def test_stability_keys_draws_its_law():
    subject = "stability_keys(grid(1), 1/2, 2)"
    assert refuted(walked(subject, (F(5),), 12), subject, (F(5),), [(), (F(5),)]) == []
    assert walked(subject, (), 4).masses == {(): 1}


def test_stability_keys_masses_are_tails():
    """Below, at and above the threshold, by e^-k / (1 + e^-1)."""
    found = finite_masses("stability_keys(grid(1), 1, 3)", (F(1), F(2), F(2), F(2), F(2)))
    tail = [MP.exp(-real(k)) / (1 + MP.exp(-1)) for k in range(3)]
    assert encloses(found[F(1), F(2)], tail[2] * (1 - tail[2]))
    assert encloses(found[F(1),], tail[2] * tail[2])
