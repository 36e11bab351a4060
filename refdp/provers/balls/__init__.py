"""Inequalities on boxes, by branch and bound with Arb balls; `numerics.enclosures` is where the balls come from."""
