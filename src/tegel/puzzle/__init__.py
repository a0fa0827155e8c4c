"""Puzzles: place tiles so that every rule holds."""
