"""Who somebody is, and programs that play."""
