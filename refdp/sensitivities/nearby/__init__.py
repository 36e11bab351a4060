"""How far a function moves from one given table: the greatest move over every neighbour of that table."""
