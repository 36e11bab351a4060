"""The search for two neighbouring tables on which a function moves further than claimed; every find is run exactly."""
