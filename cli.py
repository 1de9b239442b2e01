"""Starts the command line from a checkout: `python cli.py COMMAND`."""

from solver.commands.main import main

if __name__ == "__main__":
    main()
