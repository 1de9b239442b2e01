"""The list of commands, each of which is loaded when it is called: the list alone is quick to show."""

from typing import Any

import click

COMMANDS = {
    "batch": "Solve many deals, one JSON record each.",
    "deal": "Deal 25 cards at random.",
    "equilibrium": "The mix of arrangements that nobody can beat.",
    "fit": "Learn what a player does from recorded deals.",
    "grade": "What is an arrangement of your own worth?",
    "hand": "Evaluate five-card hands, strongest first.",
    "mix": "A mix of arrangements that a person can play.",
    "play": "Play against a modelled opponent.",
    "score": "Referee two arrangements of the same deal.",
    "solve": "The best arrangement against a modelled opponent.",
    "verify": "Check a saved result again, from scratch.",
}
"""What each command does, in one line."""


class LateCommand(click.Command):
    """A command by its name and one line, in place of the whole one until that is called."""

    def __init__(self, name: str) -> None:
        super().__init__(name, short_help=COMMANDS[name])

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Load the command, and go on with it alone."""
        return load(self.name or "").make_context(info_name, args, parent, **extra)


def load(name: str) -> click.Command:
    """Return a command, from its module of the same name."""
    match name:
        case "batch":
            from solver.commands.batch import command
        case "deal":
            from solver.commands.deal import command
        case "equilibrium":
            from solver.commands.equilibrium import command
        case "fit":
            from solver.commands.fit import command
        case "grade":
            from solver.commands.grade import command
        case "hand":
            from solver.commands.hand import command
        case "mix":
            from solver.commands.mix import command
        case "play":
            from solver.commands.play import command
        case "score":
            from solver.commands.score import command
        case "solve":
            from solver.commands.solve import command
        case "verify":
            from solver.commands.verify import command
        case _:
            raise LookupError(name)
    return command
