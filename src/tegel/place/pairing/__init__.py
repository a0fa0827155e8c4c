"""People who look for somebody to play with."""
