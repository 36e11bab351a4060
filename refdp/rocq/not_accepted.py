"""Claims whose files would be whole, if Rocq took the proof that is written of them, and soon."""

from __future__ import annotations

from collections.abc import Mapping

SLOW, REFUSED = "it takes Rocq more than 40 seconds", "Rocq does not accept the proof that is written"
NOT_ACCEPTED: Mapping[str, str] = {
    "clipped_vector_mean.noise_for_the_sum": REFUSED,
    "docket.instantaneous_bits_that_all_rise": SLOW,
    "docket.permanent_bits_counted_once": SLOW,
    "docket.two_donated_rows_at_the_price_of_one": SLOW,
    "rappor.longitudinal_of_two_responses": REFUSED,
}
"""Claim -> what happens: until it is mended, its file holds obligations alone."""
REFUSED_OBLIGATIONS = frozenset({"classical.elementary.elementary"})
"""Obligations of which Rocq does not accept the proof that is written."""
