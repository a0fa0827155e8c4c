"""Finished games, ratings, and what people show of them."""
