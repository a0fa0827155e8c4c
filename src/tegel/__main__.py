"""`python -m tegel` is the command line."""

from tegel.cli import main

main()
