"""Options that commands share, as decorators."""

import functools
from collections.abc import Callable, Sequence
from typing import Any

import click

from solver.game.notation import NOTATIONS
from solver.game.rules import DEFAULT_WEIGHTS, RULE_SETS, Rules
from solver.language.translations import LANGUAGES
from solver.strategies.objectives import OBJECTIVES

Command = Callable[..., Any]


def at_least_zero(text: str) -> float:
    """Return a finite number of at least 0."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise click.BadParameter(f"{text!r} is not a number of at least 0")
    return value


def place_weights(text: str | tuple[int, ...]) -> tuple[int, ...]:
    """Return the weights; their number and size are checked by `Rules`."""
    if isinstance(text, tuple):
        return text
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        message = f"{text!r} is not five whole numbers with commas between them, such as 3,4,5,6,7"
        raise click.BadParameter(message) from None


def decorated(command: Command, options: Sequence[Callable[[Command], Command]]) -> Command:
    """Add options to a command; the first is listed first in its help."""
    for option in reversed(options):
        command = option(command)
    return command


def zero_sum_objective(context: click.Context, parameter: click.Parameter, value: str) -> str:
    """Refuse `points`, which is no zero-sum objective and has no equilibrium of this kind."""
    if value == "points":
        raise click.BadParameter("'points' has no equilibrium of this kind: expected margin or win")
    return value


notation_option = click.option(
    "--notation",
    type=click.Choice(NOTATIONS),
    help="How cards are written in text: symbols on a terminal, letters elsewhere if left out.",
)
language_option = click.option(
    "--lang", type=click.Choice(LANGUAGES), default="en", show_default=True, help="Language of text results."
)


page_option = click.option(
    "--html", "page_path", metavar="FILE", help="Also write the result as a page that a browser shows by itself."
)


def rules_options(command: Command) -> Command:
    """Add the options of the rule set, gathered as `rules`."""

    @functools.wraps(command)
    def gathered(*args: Any, **values: Any) -> Any:
        rules = Rules(values.pop("rules"), values.pop("ace_low"), values.pop("weights"))
        return command(*args, rules=rules, **values)

    options = [
        click.option(
            "--rules",
            type=click.Choice(RULE_SETS),
            default="quintet",
            show_default=True,
            help="quintet: as in poker. quintet-text: only the comparisons that the printed rules spell out. "
            "telesina: a flush beats a full house, and A-7-8-9-T is a straight.",
        ),
        click.option("--ace-low", is_flag=True, help="A-7-8-9-T counts as the lowest straight."),
        click.option(
            "--weights",
            type=place_weights,
            default=DEFAULT_WEIGHTS,
            metavar="3,4,5,6,7",
            help="Points of places 1 to 5, each 1 to 1000.",
        ),
    ]
    return decorated(gathered, options)


def cards_argument(command: Command) -> Command:
    """Add the deal: CARDS and `--removed`."""
    return decorated(
        command,
        [
            click.argument("cards", nargs=-1, required=True),
            click.option("--removed", is_flag=True, help="CARDS are the 7 cards laid aside, not the 25 in play."),
        ],
    )


def opponent_options(command: Command) -> Command:
    """Add the options of the modelled opponent."""
    return decorated(
        command,
        [
            click.option(
                "--opponent",
                "specs",
                metavar="[W:]SPEC",
                multiple=True,
                default=("quantal:1",),
                show_default=True,
                help="Opponent model: greedy, greedy-shuffled, random, undominated, level:K, quantal:LAMBDA, "
                "equilibrium or file:PATH. Repeat it with weights for a mix: --opponent 2:greedy --opponent 1:random.",
            ),
            click.option(
                "--samples",
                type=click.IntRange(1, 10_000),
                default=200,
                show_default=True,
                help="Arrangements drawn for `win` from a model that is too large to list.",
            ),
        ],
    )


objective_option = click.option(
    "--objective",
    type=click.Choice(OBJECTIVES),
    default="points",
    show_default=True,
    help="points: own expected points. margin: own minus the other's. win: chance to win the match, a draw half.",
)
engine_option = click.option(
    "--engine",
    type=click.Choice(["cpsat", "enumerate", "both"]),
    default="cpsat",
    show_default=True,
    help="cpsat: the CP-SAT model. enumerate: search of the undominated partitions. both: both must agree.",
)
top_option = click.option(
    "--top", type=click.IntRange(1, 100_000), metavar="K", help="List the K best arrangements as well."
)
lock_option = click.option(
    "--lock", "locks", multiple=True, metavar="PLACE=CARDS", help="Fix a whole packet; repeat for more."
)
tolerance_option = click.option(
    "--tolerance",
    type=at_least_zero,
    metavar="GAIN",
    help="Exploitability to stop at; by default 1e-9 of a match, or of points at the default weights, in proportion.",
)
max_iterations_option = click.option(
    "--max-iterations", type=click.IntRange(0), metavar="N", help="Rounds after which to stop."
)
seed_option = click.option(
    "--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of everything that is drawn."
)
time_limit_option = click.option(
    "--time-limit", type=at_least_zero, metavar="SECONDS", help="Time for everything; the best answer by then is given."
)
