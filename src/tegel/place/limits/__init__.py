"""Rate limits and budgets, by player and by network."""
