"""The log of every room on disk, and what is looked up besides."""
