"""Options that commands share, as decorators; those that belong together reach a command as one object."""

import dataclasses
import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import click

from solver.commands.arguments import read_deal
from solver.commands.option_values import at_least_zero, known_specs, locked_packets, place_weights
from solver.game.notation import NOTATIONS
from solver.game.rules import DEFAULT_WEIGHTS, RULE_SETS, Rules
from solver.language.translations import LANGUAGES
from solver.strategies.objectives import OBJECTIVES

if TYPE_CHECKING:
    from solver.game.deal import Deal

Command = Callable[..., Any]


def decorated(command: Command, options: Sequence[Callable[[Command], Command]]) -> Command:
    """Add options to a command; the first is listed first in its help."""
    for option in reversed(options):
        command = option(command)
    return command


def option_group(
    keyword: str, group: type[Any], *options: Callable[[Command], Command]
) -> Callable[[Command], Command]:
    """Return a decorator that adds options to a command, which then gets them as one object.

    Parameters
    ----------
    keyword
        The argument of the command that receives the object.
    group
        A dataclass; the options are called as its fields. A field that is no option of the command keeps its default.
    """
    names = [each.name for each in dataclasses.fields(group)]

    def add(command: Command) -> Command:
        @functools.wraps(command)
        def gathered(*args: Any, **values: Any) -> Any:
            given = {name: values.pop(name) for name in names if name in values}
            return command(*args, **{keyword: group(**given)}, **values)

        return decorated(gathered, options)

    return add


def beginning() -> float:
    """Return the reading of `time.monotonic` at which the command was called."""
    begun: float = click.get_current_context().find_root().obj
    return begun


@dataclass(frozen=True, slots=True)
class DealOptions:
    """The deal as it is given.

    Parameters
    ----------
    cards
        The CARDS arguments.
    removed
        Whether they are the cards laid aside.
    """

    cards: tuple[str, ...]
    removed: bool

    def read(self) -> "Deal":
        """Return the deal; a single `-` reads standard input."""
        return read_deal(self.cards, self.removed)


@dataclass(frozen=True, slots=True)
class OpponentOptions:
    """The modelled opponent, as `parse_opponent` takes it."""

    specs: tuple[str, ...]
    samples: int


@dataclass(frozen=True, slots=True)
class ResponseOptions:
    """How a best response is looked for, as `solve_best_response` takes it."""

    engine: str
    top: int
    locked: Mapping[int, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class ConvergenceOptions:
    """When the search for an equilibrium ends, as `solve_equilibrium` takes it."""

    tolerance: float | None
    max_iterations: int | None


@dataclass(frozen=True, slots=True)
class LimitOptions:
    """The time that a command may take, from when it was called.

    Parameters
    ----------
    time_limit
        Seconds, or None.
    started
        Reading of `time.monotonic`.
    """

    time_limit: float | None
    started: float = field(default_factory=beginning)

    @property
    def deadline(self) -> float | None:
        """Reading of `time.monotonic` at which to stop, or None."""
        return None if self.time_limit is None else self.started + self.time_limit


deal_options = option_group(
    "dealt",
    DealOptions,
    click.argument("cards", nargs=-1, required=True),
    click.option(
        "--removed",
        is_flag=True,
        help="CARDS are the 7 cards laid aside; another number is refused.",
    ),
)
opponent_options = option_group(
    "opponent",
    OpponentOptions,
    click.option(
        "--opponent",
        "specs",
        metavar="[W:]SPEC",
        multiple=True,
        default=("quantal:1",),
        show_default=True,
        callback=known_specs,
        help="Opponent model: greedy, greedy-shuffled, random, undominated, level:K, quantal:LAMBDA, "
        "cognitive:TAU, equilibrium, fitted:PATH or file:PATH. Repeat it with weights for a mix: "
        "--opponent 2:greedy --opponent 1:random.",
    ),
    click.option(
        "--samples",
        type=click.IntRange(1, 50_000),
        default=10_000,
        show_default=True,
        help="Arrangements of `random` that are drawn for `win`, the only model that cannot be listed.",
    ),
)
response_options = option_group(
    "search",
    ResponseOptions,
    click.option(
        "--engine",
        type=click.Choice(["auto", "cpsat", "enumerate", "both"]),
        default="auto",
        show_default=True,
        help="auto: cpsat, but enumerate for win against very many arrangements. cpsat: the CP-SAT model. "
        "enumerate: search of the undominated partitions. both: both must agree.",
    ),
    click.option(
        "--top",
        type=click.IntRange(1, 100_000),
        metavar="K",
        callback=lambda context, parameter, value: value or 0,
        help="List the K best arrangements as well.",
    ),
    click.option(
        "--lock",
        "locked",
        multiple=True,
        metavar="PLACE=CARDS",
        callback=locked_packets,
        help="Fix a whole packet; repeat for more.",
    ),
)
convergence_options = option_group(
    "convergence",
    ConvergenceOptions,
    click.option(
        "--tolerance",
        type=at_least_zero,
        metavar="GAIN",
        help="Exploitability to stop at; by default 1e-9 of a match, or of points at the default weights, in "
        "proportion.",
    ),
    click.option("--max-iterations", type=click.IntRange(0), metavar="N", help="Rounds after which to stop."),
)
limit_options = option_group(
    "limits",
    LimitOptions,
    click.option(
        "--time-limit",
        type=at_least_zero,
        metavar="SECONDS",
        help="Time for everything; the best answer by then is given.",
    ),
)
rules_options = option_group(
    "rules",
    Rules,
    click.option(
        "--rules",
        "name",
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
)
objective_option = click.option(
    "--objective",
    type=click.Choice(OBJECTIVES),
    default="points",
    show_default=True,
    help="points: own expected points. margin: own minus the other's. win: chance to win the match, a draw half.",
)


def _drawn_seed() -> int:
    import secrets  # loads more than --help needs

    return secrets.randbits(32)


drawn_seed_option = click.option(
    "--seed",
    type=click.IntRange(0),
    default=_drawn_seed,
    help="Seed of the arrangement to play; one is drawn and reported if it is left out.",
)
seed_option = click.option(
    "--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of everything that is drawn."
)
notation_option = click.option(
    "--notation",
    type=click.Choice(NOTATIONS),
    help="How cards are written in text: symbols on a terminal, letters elsewhere if left out.",
)
language_option = click.option(
    "--lang",
    "language",
    type=click.Choice(LANGUAGES),
    default="en",
    show_default=True,
    help="Language of text results.",
)
page_option = click.option(
    "--html", "page_path", metavar="FILE", help="Also write the result as a page that a browser shows by itself."
)
