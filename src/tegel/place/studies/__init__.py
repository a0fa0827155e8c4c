"""Studies: trees of moves, live lines and reports on whole games."""
