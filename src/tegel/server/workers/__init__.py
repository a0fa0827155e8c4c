"""The workers among themselves: which are alive, and what they tell each other."""
