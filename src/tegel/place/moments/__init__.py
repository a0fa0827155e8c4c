"""Moments: positions in which one must find the move."""
