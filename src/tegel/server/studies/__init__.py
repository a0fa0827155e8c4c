"""Studies and what is thought in them: open studies, live lines, reports on games."""
