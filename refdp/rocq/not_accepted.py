"""Claims whose files would be whole, if Rocq took the proof that is written of them, and soon."""

from __future__ import annotations

from collections.abc import Mapping

SLOW, REFUSED = "it takes Rocq more than 40 seconds", "Rocq does not accept the proof that is written"
NOT_ACCEPTED: Mapping[str, str] = {
    "clipping_idioms.layers_of_a_part_each": SLOW,
    "composition.group_approximate": SLOW,
    "composition.pure_to_smaller_epsilon": SLOW,
    "docket.instantaneous_bits_that_all_rise": SLOW,
    "docket.permanent_bits_counted_once": SLOW,
    "docket.two_donated_rows_at_the_price_of_one": SLOW,
    "permanent_response.responses_add_up": SLOW,
    "profiles.optimal_of_two": REFUSED,
    "profiles.optimal_response": SLOW,
    "profiles.response_is_gaussian": SLOW,
    "rappor.longitudinal_of_two_responses": REFUSED,
    "renyi_bounds.from_pure": SLOW,
    "ten_row_table.seven_thresholds": REFUSED,
}
"""Claim -> what happens: until it is mended, its file holds obligations alone."""
REFUSED_OBLIGATIONS = frozenset({"classical.elementary.elementary", "huber_minimiser.slope_is_within_steepness"})
"""Obligations of which Rocq does not accept the proof that is written."""
