"""Databases: the log of every room, and the SQL behind the stores of all services."""
