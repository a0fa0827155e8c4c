"""Fair play, blocks and reports."""
