"""Protocols for engines: ours for other programs, and theirs as players of our matches."""
