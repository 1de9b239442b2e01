"""The command line: reads what the user typed, calls the library, writes the answer.

Nothing heavy is imported before a command runs, so that `--help` is quick.
"""

import functools
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.shell_completion import shell_complete

from solver import __version__
from solver.errors import DealError, InternalError, LimitReached, NotationError, QuintetError, StoppedError
from solver.notation import NOTATIONS
from solver.objectives import OBJECTIVES
from solver.phrases import LANGUAGES
from solver.rules import DEFAULT_WEIGHTS, RULE_SETS, Rules

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from solver.batch_input import Source
    from solver.batch_record import RecordMaker, Task
    from solver.deal import Deal
    from solver.html_page import PageStyle
    from solver.ordered_records import Pool
    from solver.style import Style

Command = Callable[..., Any]

DONE, FAILED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130
COMPLETION = "_QUINTET_COMPLETE"
"""Environment variable by which a shell asks for the completion of a command line."""


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


class Output(NamedTuple):
    """Where and how a command writes its result."""

    as_json: bool
    path: str | None
    page_path: str | None
    notation: str | None
    language: str
    quiet: bool
    verbose: bool
    timings: bool
    started: float

    def style(self) -> "Style":
        """Return the style of text output."""
        from solver.style import Style

        return Style(self.notation, self.language, self.quiet)

    def write(
        self,
        document: dict[str, Any],
        text: Callable[["Style"], None],
        page: Callable[["PageStyle"], str] | None = None,
    ) -> None:
        """Write the document and the page to their files, and the document or else the text to standard output."""
        from solver.files import write_whole
        from solver.results import timings, to_json

        if self.timings:
            document = {**document, "timings": timings(time.monotonic() - self.started)}
        if self.path is not None:
            write_whole(self.path, to_json(document) + "\n")
        if page is not None and self.page_path is not None:
            from solver.html_page import PageStyle

            write_whole(self.page_path, page(PageStyle(self.notation or "letters", self.language)))
        if self.as_json:
            click.echo(to_json(document))
        elif self.path is None or not self.quiet:
            text(self.style())

    def note(self, message: str) -> None:
        """Write one line to standard error, also with `--quiet`: it changes what the result means."""
        click.echo(f"quintet: {message}", err=True)

    def log(self) -> Callable[[str], None] | None:
        """Return where the solver's log goes: standard error with `--verbose`, else nowhere."""
        return (lambda line: click.echo(line, err=True)) if self.verbose else None


notation_option = click.option(
    "--notation",
    type=click.Choice(NOTATIONS),
    help="How cards are written in text: symbols on a terminal, letters elsewhere if left out.",
)
language_option = click.option(
    "--lang", type=click.Choice(LANGUAGES), default="en", show_default=True, help="Language of text results."
)


def output_options(command: Command) -> Command:
    """Add the options of every command that writes one result, gathered as `output`."""

    @functools.wraps(command)
    def gathered(*args: Any, **values: Any) -> Any:
        from solver.files import require_writable

        output = Output(
            as_json=values.pop("as_json"),
            path=values.pop("output_path"),
            page_path=values.pop("page_path", None),
            notation=values.pop("notation"),
            language=values.pop("lang"),
            quiet=values.pop("quiet"),
            verbose=values.pop("verbose"),
            timings=values.pop("timings"),
            started=time.monotonic(),
        )
        for path in (output.path, output.page_path):
            if path is not None:
                require_writable(path)
        if output.path is not None and output.path == output.page_path:
            raise QuintetError(f"{output.path}: cannot be both the document and the page")
        return command(*args, output=output, **values)

    options = [
        click.option("--json", "as_json", is_flag=True, help="Write the result as one JSON document."),
        click.option(
            "--output", "output_path", metavar="FILE", help="Also write the JSON document to FILE, whole or not at all."
        ),
        notation_option,
        language_option,
        click.option("--quiet", is_flag=True, help="Write the bare answer only, and no progress."),
        click.option("--verbose", is_flag=True, help="Log what the solver does to standard error."),
        click.option("--timings", is_flag=True, help="Add wall time, processor and memory to the JSON document."),
    ]
    return _decorated(gathered, options)


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
    return _decorated(gathered, options)


def _decorated(command: Command, options: Sequence[Callable[[Command], Command]]) -> Command:
    for option in reversed(options):
        command = option(command)
    return command


def cards_argument(command: Command) -> Command:
    """Add the deal: CARDS and `--removed`."""
    return _decorated(
        command,
        [
            click.argument("cards", nargs=-1, required=True),
            click.option("--removed", is_flag=True, help="CARDS are the 7 cards laid aside, not the 25 in play."),
        ],
    )


def opponent_options(command: Command) -> Command:
    """Add the options of the modelled opponent."""
    return _decorated(
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
    "--tolerance", type=at_least_zero, metavar="GAIN", help="Exploitability to stop at, 1e-9 by default."
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


def read_deal(cards: Sequence[str], removed: bool) -> "Deal":
    """Return the deal of the CARDS arguments; a single `-` reads standard input."""
    from solver.deal import REMOVED_SIZE, Deal
    from solver.notation import parse_cards

    text = read_text(cards)
    if removed:
        return Deal.from_removed(text)
    if len(parse_cards(text)) == REMOVED_SIZE:
        raise DealError(
            f"{REMOVED_SIZE} cards: expected the 25 in play, or --removed for the {REMOVED_SIZE} laid aside"
        )
    return Deal.parse(text)


def read_text(arguments: Sequence[str], separator: str = " ") -> str:
    """Return the arguments joined, or standard input for a single `-`."""
    if list(arguments) != ["-"]:
        return separator.join(arguments)
    try:
        return sys.stdin.buffer.read().decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotationError(f"standard input is not UTF-8 text (byte {error.start + 1})") from None


def read_locks(locks: Sequence[str]) -> dict[int, tuple[int, ...]]:
    """Return the locked packets by place (0-based) of options such as `5=As Ks Qs Js Ts`."""
    from solver.cards import PLACES
    from solver.notation import parse_cards

    locked: dict[int, tuple[int, ...]] = {}
    for text in locks:
        place, sign, cards = text.partition("=")
        if not sign or place.strip() not in [str(number) for number in range(1, PLACES + 1)]:
            raise QuintetError(f"--lock {text!r}: expected PLACE=CARDS with a place from 1 to {PLACES}")
        index = int(place) - 1
        if index in locked:
            raise QuintetError(f"--lock {text!r}: place {index + 1} is locked twice")
        locked[index] = parse_cards(cards)
    return locked


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    invoke_without_command=True,
)
@click.version_option(__version__, prog_name="quintet")
@click.pass_context
def commands(context: click.Context) -> int | None:
    """Solve the two-player card game Quintet, exactly.

    Both players hold the same 25 cards and lay them out as five poker packets, worth 3, 4, 5, 6 and 7 points.
    Quintet finds the best arrangement against a modelled opponent, and the equilibrium of any deal.

    \b
    Examples:
      quintet deal
      quintet solve --removed 7s 7h 8d 9c Th Qd Ks
      quintet equilibrium --removed 7s 7h 8d 9c Th Qd Ks --objective win
      quintet grade "7d7c8h8c9s/9h9dTsTd8s/AsAhAdKhKd/AcKcQcJcTc/JsJhJdQsQh"
      quintet play
    """
    if context.invoked_subcommand is not None:
        return None
    click.echo(context.get_help(), err=True)
    return BAD_INPUT


@commands.command(short_help="The best arrangement against a modelled opponent.")
@cards_argument
@objective_option
@opponent_options
@engine_option
@top_option
@lock_option
@time_limit_option
@seed_option
@rules_options
@page_option
@output_options
def solve(
    cards: tuple[str, ...],
    removed: bool,
    objective: str,
    specs: tuple[str, ...],
    samples: int,
    engine: str,
    top: int | None,
    locks: tuple[str, ...],
    time_limit: float | None,
    seed: int,
    rules: Rules,
    output: Output,
) -> int:
    """Find the best arrangement of a deal against a modelled opponent.

    CARDS are the 25 cards in play, or with --removed the 7 laid aside; `-` reads them from standard input.

    \b
    Examples:
      quintet solve --removed 7s 7h 8d 9c Th Qd Ks
      quintet solve --removed 7s7h8d9cThQdKs --objective win --opponent greedy
      quintet solve --removed 7s7h8d9cThQdKs --lock "5=As Ah Ad Ac 8h" --top 5
      quintet solve --removed 7s7h8d9cThQdKs --engine both --html best.html
    """
    from solver.response_problem import require_locks

    deal = read_deal(cards, removed)
    locked = read_locks(locks)
    require_locks(deal, locked)

    from solver.opponents import parse_spec

    for spec in specs:
        parse_spec(spec)
    deadline = None if time_limit is None else output.started + time_limit

    from solver import html_report
    from solver.interruptible import run_interruptible
    from solver.solution_report import write_solution
    from solver.tasks import SolveTask

    task = SolveTask(specs, samples, objective, rules, engine, top or 0, locked, time_limit, seed)
    outcome = run_interruptible(lambda interrupt: task.answer(deal, deadline, interrupt, output.log()), deadline)
    response, opponent = outcome.result or task.fallback(deal, interrupted=outcome.interrupted)
    output.write(
        task.document(response, opponent),
        lambda style: write_solution(style, response, specs, opponent),
        lambda style: html_report.solution_page(style, response, specs, opponent),
    )
    return finish(output, response.status, outcome.interrupted, strict=engine == "both")


def finish(output: Output, status: str, interrupted: bool, *, strict: bool = False) -> int:
    """Say on standard error how unfinished work ended, and return the exit code."""
    if interrupted:
        output.note("interrupted; the best answer so far is given")
        return INTERRUPTED
    if status in ("optimal", "converged"):
        return DONE
    reason = "iteration limit" if status == "iteration limit" else "time limit"
    output.note(f"{reason} reached; the best answer so far is given, not proven")
    return FAILED if strict else DONE


def zero_sum_objective(context: click.Context, parameter: click.Parameter, value: str) -> str:
    """Refuse `points`, which is no zero-sum objective and has no equilibrium of this kind."""
    if value == "points":
        raise click.BadParameter("'points' has no equilibrium of this kind: expected margin or win")
    return value


@commands.command(short_help="The mix of arrangements that nobody can beat.")
@cards_argument
@click.option(
    "--objective",
    type=click.Choice(OBJECTIVES),
    default="margin",
    show_default=True,
    callback=zero_sum_objective,
    help="margin: own minus the other's expected points. win: chance to win the match, a draw half.",
)
@tolerance_option
@max_iterations_option
@click.option("--resume", metavar="FILE", help="Go on from the mix of a saved equilibrium of the same deal.")
@time_limit_option
@seed_option
@rules_options
@page_option
@output_options
def equilibrium(
    cards: tuple[str, ...],
    removed: bool,
    objective: str,
    tolerance: float | None,
    max_iterations: int | None,
    resume: str | None,
    time_limit: float | None,
    seed: int,
    rules: Rules,
    output: Output,
) -> int:
    """Find an equilibrium mix of a deal and prove how far from exact it is.

    Whoever plays the mix cannot be beaten on average: no arrangement gains more than the exploitability against it.
    One arrangement is drawn from the mix with --seed.

    \b
    Examples:
      quintet equilibrium --removed 7s 7h 8d 9c Th Qd Ks
      quintet equilibrium --removed 7s7h8d9cThQdKs --output mix.json
      quintet equilibrium --removed 7s7h8d9cThQdKs --objective win --html mix.html
    """
    from solver import html_report
    from solver.equilibrium_report import equilibrium_progress, write_equilibrium
    from solver.interruptible import CERTIFICATE_GRACE, run_interruptible
    from solver.results import read_equilibrium
    from solver.tasks import EquilibriumTask

    deal = read_deal(cards, removed)
    start = None if resume is None else read_equilibrium(resume, deal, rules, objective)
    task = EquilibriumTask(objective, rules, tolerance, max_iterations, time_limit, seed)
    deadline = None if time_limit is None else output.started + time_limit
    with equilibrium_progress(hidden=output.quiet) as callback:
        outcome = run_interruptible(
            lambda interrupt: task.answer(deal, deadline, interrupt, start, callback), grace=CERTIFICATE_GRACE
        )
    found = outcome.result
    if found is None:
        raise KeyboardInterrupt
    output.write(
        task.document(found),
        lambda style: write_equilibrium(style, found, seed),
        lambda style: html_report.equilibrium_page(style, found, seed),
    )
    return finish(output, found.status, outcome.interrupted)


@commands.command(short_help="Check a saved result again, from scratch.")
@click.argument("path", metavar="FILE")
@click.option(
    "--time-limit", type=at_least_zero, default=60.0, show_default=True, metavar="SECONDS", help="Time for proofs."
)
@output_options
def verify(path: str, time_limit: float, output: Output) -> int:
    """Re-check a saved result of solve, equilibrium or batch from scratch.

    Every claimed figure is recomputed in exact integers, with engines other than the one that made the result. Exit
    code 1 if a claim does not hold or cannot be proven in time.

    \b
    Examples:
      quintet equilibrium --removed 7s7h8d9cThQdKs --output mix.json
      quintet verify mix.json
    """
    from solver.interruptible import run_interruptible
    from solver.report import write_checks
    from solver.verification import Check, checks_document, verdict, verify_file

    def work(interrupt: threading.Event) -> list[Check]:
        return verify_file(path, time_limit=time_limit, interrupt=interrupt)

    outcome = run_interruptible(work)
    if outcome.result is None or outcome.interrupted:
        raise KeyboardInterrupt
    checks = outcome.result
    output.write(checks_document(path, checks), lambda style: write_checks(style, checks, verdict(checks)))
    return DONE if all(check.holds for check in checks) else FAILED


@commands.command(short_help="What is an arrangement of your own worth?")
@click.argument("arrangement", nargs=-1, required=True)
@objective_option
@opponent_options
@time_limit_option
@seed_option
@rules_options
@page_option
@output_options
def grade(
    arrangement: tuple[str, ...],
    objective: str,
    specs: tuple[str, ...],
    samples: int,
    time_limit: float | None,
    seed: int,
    rules: Rules,
    output: Output,
) -> int:
    """Judge an arrangement of your own: what it is worth, what it gives away, and how to mend it.

    ARRANGEMENT is five packets, place 1 first, with | or / between them, or each as one argument; `-` reads it from
    standard input. The regret is the value of the best arrangement against the modelled opponent minus that of yours.

    \b
    Examples:
      quintet grade "7d7c8h8c9s/9h9dTsTd8s/AsAhAdKhKd/AcKcQcJcTc/JsJhJdQsQh"
      quintet grade 7d7c8h8c9s 9h9dTsTd8s AsAhAdKhKd AcKcQcJcTc JsJhJdQsQh \\
                    --objective win --opponent greedy-shuffled
    """
    from solver.arrangement import Arrangement

    mine = Arrangement.parse(read_text(arrangement, separator="\n"))

    from solver.opponents import Opponent, parse_opponent, parse_spec

    for spec in specs:
        parse_spec(spec)
    deadline = None if time_limit is None else output.started + time_limit

    from solver import grading, html_report
    from solver.interruptible import run_interruptible
    from solver.results import grade_document
    from solver.solution_report import write_grade

    def work(interrupt: threading.Event) -> tuple[grading.Grade, Opponent] | None:
        try:
            opponent = parse_opponent(
                specs,
                mine.deal,
                rules,
                objective=objective,
                samples=samples,
                seed=seed,
                deadline=deadline,
                interrupt=interrupt,
            )
        except LimitReached:
            return None
        return grading.grade(mine, opponent.mix, objective, rules), opponent

    outcome = run_interruptible(work, deadline)
    graded, opponent = outcome.result or (
        grading.grade(mine, None, objective, rules, interrupted=outcome.interrupted),
        None,
    )
    output.write(
        grade_document(graded, specs, opponent, seed),
        lambda style: write_grade(style, graded, specs, opponent),
        lambda style: html_report.grade_page(style, graded, specs, opponent),
    )
    return finish(output, graded.status, outcome.interrupted)


@commands.command(short_help="Referee two arrangements of the same deal.")
@click.argument("first")
@click.argument("second")
@rules_options
@output_options
def score(first: str, second: str, rules: Rules, output: Output) -> None:
    """Referee two arrangements of the same deal.

    FIRST and SECOND are five packets each, place 1 first, with | or / between the packets.

    \b
    Example:
      quintet score "7d7c8h8c9s/9h9dTsTd8s/AsAhAdKhKd/AcKcQcJcTc/JsJhJdQsQh" \\
                    "JsJh8s8cAc/QsQcTs9s7d/TcTd9h8h7c/JdJcQhKd9d/AsAhAdKhKc"
    """
    from solver import arrangement
    from solver.report import write_score
    from solver.results import score_document

    mine, theirs = (arrangement.Arrangement.parse(read_text([text])) for text in (first, second))
    result = arrangement.score(mine, theirs, rules)
    output.write(score_document(mine, theirs, result, rules), lambda style: write_score(style, mine, theirs, result))


@commands.command(short_help="Judge five-card hands, strongest first.")
@click.argument("hands", nargs=-1, required=True)
@rules_options
@output_options
def hand(hands: tuple[str, ...], rules: Rules, output: Output) -> None:
    """Judge five-card hands, strongest first.

    Each argument is one hand of five cards of the 52-card pack.

    \b
    Example:
      quintet hand "As Kh Qd Jc Ts" "8s 8h 8d 8c Ks" 10♥9♥8♥7♥6♥
    """
    from solver.notation import distinct_cards
    from solver.report import write_hands
    from solver.results import hand_document

    judged = []
    for number, text in enumerate(hands, 1):
        cards = distinct_cards(read_text([text]))
        if len(cards) != 5:
            raise NotationError(f"hand {number}, {text!r}: expected 5 cards, not {len(cards)}")
        judged.append(cards)
    document = hand_document(judged, rules)
    output.write(document, lambda style: write_hands(style, document["hands"], rules))


@commands.command(short_help="Solve many deals, one JSON record each.")
@click.argument("path", metavar="[FILE]", required=False)
@click.option(
    "--task",
    "task_name",
    type=click.Choice(["solve", "equilibrium"]),
    default="solve",
    show_default=True,
    help="What is asked about every deal.",
)
@click.option("--random", "number", type=click.IntRange(1), metavar="N", help="N deals of --seed instead of a file.")
@click.option("--instances", metavar="NAME", help="A set of benchmarks/instances of a checkout instead of a file.")
@click.option("--removed", is_flag=True, help="Lines of text are the 7 cards laid aside, not the 25 in play.")
@click.option(
    "--objective", type=click.Choice(OBJECTIVES), help="As in the command; points for solve, margin for equilibrium."
)
@opponent_options
@engine_option
@top_option
@lock_option
@tolerance_option
@max_iterations_option
@click.option("--time-limit", type=at_least_zero, metavar="SECONDS", help="Time for each deal.")
@seed_option
@rules_options
@click.option("--output", metavar="FILE", help="Write the records to a new FILE, not to standard output.")
@click.option("--resume", is_flag=True, help="Go on with the output of an interrupted run; error records first.")
@click.option("--workers", type=click.IntRange(1), metavar="N", help="Processes; by default one a usable processor.")
@click.option("--dask", metavar="ADDRESS", help="Run on the Dask cluster of the scheduler at ADDRESS.")
@click.option("--timings", is_flag=True, help="Add wall time, processor and memory to every record.")
@click.option("--summary", is_flag=True, help="Sum up FILE, the output of a batch, and run nothing.")
@click.option("--json", "as_json", is_flag=True, help="Write the summary as JSON; records always are.")
@click.option("--lang", type=click.Choice(LANGUAGES), default="en", help="Language of the summary.")
@click.option("--quiet", is_flag=True, help="Show no progress.")
@click.pass_context
def batch(context: click.Context, /, path: str | None, summary: bool, as_json: bool, lang: str, **options: Any) -> int:
    """Solve many deals, one JSON record each, in the order of the input.

    FILE has one deal a line, as text or as JSON: {"id": ..., "cards": "..."} or {"id": ..., "removed": "..."}. A bad
    deal gets an error record. A run that was cut off, however hard, goes on with --resume.

    \b
    Examples:
      quintet deal --count 100 --seed 1 --json > deals.jsonl
      quintet batch deals.jsonl --output solved.jsonl
      quintet batch deals.jsonl --output solved.jsonl --resume
      quintet batch --random 100 --task equilibrium --output mixes.jsonl
      quintet batch solved.jsonl --summary
    """
    if summary:
        require_only(context, "--summary", ("path", "summary", "as_json", "lang"))
        if path is None:
            raise click.UsageError("--summary needs FILE, the output of a batch", context)
        return write_summary(path, as_json, lang)
    return run_batch(context, path, **options)


def require_only(context: click.Context, name: str, allowed: Sequence[str]) -> None:
    """Refuse options that mean nothing beside another."""
    for parameter in context.command.params:
        given = context.get_parameter_source(parameter.name or "") == click.core.ParameterSource.COMMANDLINE
        if given and parameter.name not in allowed:
            raise click.UsageError(f"{parameter.opts[0]} does not go with {name}", context)


def write_summary(path: str, as_json: bool, lang: str) -> int:
    """Write what the output of a batch says as a whole."""
    from solver.batch_report import write_summary as write_text
    from solver.batch_summary import summary_document
    from solver.results import to_json
    from solver.style import Style

    document = summary_document(path)
    if as_json:
        click.echo(to_json(document))
    else:
        write_text(Style(None, lang), document)
    return DONE


def run_batch(context: click.Context, path: str | None, *, output: str | None, resume: bool, **options: Any) -> int:
    """Run a batch, and say how many deals have a result."""
    from solver.batch import KEPT, Batch, Tally
    from solver.batch_record import RecordMaker
    from solver.batch_report import batch_progress
    from solver.files import require_writable
    from solver.interruptible import terminable

    if resume and output is None:
        raise click.UsageError("--resume needs --output FILE", context)
    source = batch_source(context, path, options["number"], options["instances"], options["removed"], options["seed"])
    maker = RecordMaker(batch_task(context, options), options["timings"])
    if output is not None:
        require_writable(output)
    tally = Tally()
    hidden = options["quiet"] or (output is None and sys.stdout.isatty())
    try:
        with terminable(), batch_progress(source.count(), hidden=hidden) as watch:
            run = Batch(source, maker, batch_pool(context, maker, options["workers"], options["dask"]), watch)
            if output is None:
                run.write_to(click.echo, tally)
            else:
                run.write_file(output, tally, resume=resume)
    except KeyboardInterrupt:
        kept = "" if output is None else f"; {KEPT}"
        return _failed(f"quintet: interrupted{kept}", INTERRUPTED)
    click.echo(f"quintet: {tally.done} done, {tally.failed} failed", err=True)
    return FAILED if tally.failed else DONE


def batch_source(
    context: click.Context, path: str | None, number: int | None, instances: str | None, removed: bool, seed: int
) -> "Source":
    """Return where the deals come from: exactly one of FILE, `--random` and `--instances`."""
    from solver.batch_input import DealFile, RandomDeals, instance_file

    if (path is not None) + (number is not None) + (instances is not None) != 1:
        raise click.UsageError("expected one of FILE, --random N and --instances NAME", context)
    if number is not None:
        return RandomDeals(number, seed)
    if instances is not None:
        return instance_file(instances)
    if path is None or path == "-":
        raise click.UsageError("a batch reads its deals from a file, not from standard input", context)
    return DealFile(path, removed)


def batch_task(context: click.Context, options: dict[str, Any]) -> "Task":
    """Return the question of `--task`, refusing options of the other one."""
    from solver.opponents import parse_spec
    from solver.tasks import EquilibriumTask, SolveTask

    solve_only = ("specs", "samples", "engine", "top", "locks")
    equilibrium_only = ("tolerance", "max_iterations")
    shared = {name: options[name] for name in ("rules", "time_limit", "seed")}
    objective = options["objective"]
    refuse = solve_only if options["task_name"] == "equilibrium" else equilibrium_only
    allowed = [parameter.name or "" for parameter in context.command.params if parameter.name not in refuse]
    require_only(context, f"--task {options['task_name']}", allowed)
    if options["task_name"] == "equilibrium":
        objective = zero_sum_objective(context, context.command.params[0], objective or "margin")
        return EquilibriumTask(objective, **{name: options[name] for name in equilibrium_only}, **shared)
    for spec in options["specs"]:
        parse_spec(spec)
    return SolveTask(
        objective=objective or "points",
        specs=options["specs"],
        samples=options["samples"],
        engine=options["engine"],
        top=options["top"] or 0,
        locked=read_locks(options["locks"]),
        **shared,
    )


def batch_pool(
    context: click.Context, maker: "RecordMaker", workers: int | None, dask: str | None
) -> "Callable[[], AbstractContextManager[Pool]]":
    """Return what starts the processes that do the work."""
    from solver.batch_record import error_record
    from solver.cpu_count import available_cpus
    from solver.dask_pool import DaskPool
    from solver.worker_pool import WorkerPool

    if dask is None:
        return lambda: WorkerPool(maker, workers or available_cpus(), error_record)
    if workers is not None:
        raise click.UsageError("--workers does not go with --dask", context)
    return lambda: DaskPool(dask, maker, error_record)


@commands.command(short_help="Deal 25 cards at random.")
@click.option("--count", type=click.IntRange(1), default=1, show_default=True, metavar="N", help="Number of deals.")
@click.option("--seed", type=click.IntRange(0), help="Seed; one is drawn and reported if it is left out.")
@click.option("--json", "as_json", is_flag=True, help="Write JSON lines that `quintet batch` reads.")
@click.option("--notation", type=click.Choice(NOTATIONS), help="How cards are written in text.")
@click.option("--quiet", is_flag=True, help="Do not report the seed.")
def deal(count: int, seed: int | None, as_json: bool, notation: str | None, quiet: bool) -> None:
    """Deal 25 cards at random, one deal a line.

    \b
    Examples:
      quintet deal
      quintet deal --count 100 --seed 1 --json > deals.jsonl
    """
    import secrets

    from solver.deal import random_deals
    from solver.report import write_deal
    from solver.results import deal_document, to_json
    from solver.style import Style

    drawn = secrets.randbits(32) if seed is None else seed
    style = Style(notation)
    for number, dealt in enumerate(random_deals(drawn, count), 1):
        if as_json:
            click.echo(to_json(deal_document(number, dealt, drawn), indent=None))
        else:
            write_deal(style, dealt)
    if seed is None and not quiet:
        click.echo(f"quintet: dealt with --seed {drawn}", err=True)


@commands.command(short_help="Play against a modelled opponent.")
@click.option("--deals", type=click.IntRange(1), metavar="N", help="Stop after N deals; otherwise when you say quit.")
@objective_option
@opponent_options
@click.option("--seed", type=click.IntRange(0), help="Seed of the match; one is drawn and reported if it is left out.")
@click.option("--log", "log_path", metavar="FILE", help="Add every finished deal to FILE, as JSON lines.")
@rules_options
@notation_option
@language_option
@click.option("--quiet", is_flag=True, help="Write the deals and the results only.")
def play(
    deals: int | None,
    objective: str,
    specs: tuple[str, ...],
    samples: int,
    seed: int | None,
    log_path: str | None,
    rules: Rules,
    notation: str | None,
    lang: str,
    quiet: bool,
) -> None:
    """Play against a modelled opponent, deal after deal.

    You are shown 25 cards and lay your five packets; the opponent has laid its own before. The referee's table, the
    tally, and what your arrangement gave away against the model follow. The answers may come from a script on standard
    input. The deals of a seed are those of `quintet deal` with that seed.

    \b
    Examples:
      quintet play
      quintet play --deals 3 --opponent greedy-shuffled --log match.jsonl
      quintet play --deals 10 --seed 1 --quiet < answers.txt
    """
    import secrets

    from solver.opponents import parse_spec

    for spec in specs:
        parse_spec(spec)

    from solver.files import require_writable

    if log_path is not None:
        require_writable(log_path)

    from solver import play as match
    from solver.match import MatchSetting
    from solver.match_log import match_log
    from solver.style import Style

    drawn = secrets.randbits(32) if seed is None else seed
    setting = MatchSetting(specs, objective, rules, samples, drawn, deals)
    if seed is None:
        click.echo(f"quintet: playing with --seed {drawn}", err=True)
    with match_log(log_path) as record:
        match.play(setting, Style(notation, lang, quiet), complain, record)


def complain(message: str) -> None:
    """Say in one line what was wrong with what the user typed."""
    sys.stdout.flush()
    _failed(f"quintet: {message}", BAD_INPUT)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit code; errors become one line on standard error."""
    _prepare_streams()
    try:
        # Not `commands.main`, which prints a blank line at Ctrl-C and takes a closed pipe for a failure.
        if asked := os.environ.get(COMPLETION):
            return shell_complete(commands, {}, "quintet", COMPLETION, asked)
        with commands.make_context("quintet", list(sys.argv[1:] if arguments is None else arguments)) as context:
            code = commands.invoke(context)
        sys.stdout.flush()
        return code if isinstance(code, int) else DONE
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.ClickException as error:
        where = getattr(error, "ctx", None)
        name = where.command_path if where else "quintet"
        return _failed(f"{name}: {' '.join(error.format_message().split())}", BAD_INPUT)
    except QuintetError as error:
        return _failed(f"quintet: {error}", BAD_INPUT)
    except StoppedError as error:
        return _failed(f"quintet: {error}", FAILED)
    except InternalError as error:
        return _failed(f"quintet: internal error: {error}", FAILED)
    except (KeyboardInterrupt, click.Abort):
        return _failed("quintet: interrupted", INTERRUPTED)
    except BrokenPipeError:
        # Nobody reads on; what is still buffered must not raise again when Python closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except OSError as error:
        return _failed(f"quintet: {error.filename or 'output'}: {error.strerror or error}", FAILED)
    except MemoryError:
        return _failed("quintet: out of memory", FAILED)


def _failed(message: str, code: int) -> int:
    if code == BAD_INPUT:
        # What the user typed may hold line ends and escape codes; the message stays one harmless line.
        message = "".join(char if char.isprintable() else ascii(char)[1:-1] for char in message)
    click.echo(message, err=True)
    return code


def _prepare_streams() -> None:
    """Let a closed stream be an empty one, and what an output cannot encode a replacement sign, not an error."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 (open to the end)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def main() -> None:
    """Run the command line and exit."""
    code = run()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # too late to stop anything
    if threading.active_count() > 1:
        # Work was left behind in native code; an ordinary exit could crash under it.
        os._exit(code)
    sys.exit(code)


if __name__ == "__main__":
    main()
