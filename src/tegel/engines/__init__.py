"""Protocols for engines, ours for all games and GTP for Blokus: to be an engine for other
programs, and to have theirs as players of our matches."""
