"""A session against a modelled opponent, deal after deal, at a terminal or from a script on standard input."""

import contextlib
import sys
import threading
from collections.abc import Callable
from fractions import Fraction
from typing import TypeVar

import numpy as np

from solver.best_response.grading import Grade, grade
from solver.errors import LimitReached, QuintetError
from solver.game.arrangement import Arrangement, score
from solver.game.deal import Deal, random_deals
from solver.opponents.specification import Opponent, parse_opponent
from solver.play.arrangement_entry import ArrangementEntry
from solver.play.session import SessionScore, SessionSettings
from solver.play.session_text import (
    prompt_text,
    thinking,
    write_deal_heading,
    write_grid,
    write_help,
    write_match,
    write_session_heading,
    write_session_score,
)
from solver.reports.console import Style
from solver.results.grades import GradeResult
from solver.results.matches import MatchResult
from solver.system.files import LONGEST_LINE
from solver.system.interruptible import run_interruptible
from solver.system.json_document import Document
from solver.system.limits import Limits

Result = TypeVar("Result")

_QUIT = ("q", "quit", "exit", "выход")
_UNDO = ("u", "undo", "назад")
_HELP = ("h", "help", "?", "помощь")


def play_session(
    settings: SessionSettings, style: Style, complain: Callable[[str], None], record: Callable[[Document], None]
) -> None:
    """Play deal after deal: as many as were wanted, or until the word `quit` or the end of standard input.

    The deals and what the opponent lays depend on the seed alone: the opponent has drawn before the player is asked.

    Parameters
    ----------
    settings
        What is played.
    style
        How it is written, to standard output.
    complain
        Receives one line for every input line that cannot be used; the player is then asked again.
    record
        Receives the document of every finished deal, before its result is written.

    Raises
    ------
    KeyboardInterrupt
        If the player interrupts.
    """
    write_session_heading(style, settings)
    standing = SessionScore()
    for number, deal in enumerate(random_deals(settings.seed, settings.deals or sys.maxsize), 1):
        write_deal_heading(style, deal, number, settings.deals)
        opponent = _opponent(settings, deal, style)
        theirs = opponent.draw(np.random.default_rng([settings.seed, number]))
        mine = read_arrangement(deal, style, complain)
        if mine is None:
            return
        result = score(mine, theirs, settings.rules)
        graded = _graded(settings, mine, opponent)
        standing = standing.after(result, graded.regret_exact or Fraction(0))
        match = MatchResult(number, theirs, result, GradeResult.of(graded, opponent.spec, opponent))
        record(match.document(settings.seed))
        write_match(style, match)
        write_session_score(style, standing, settings.objective)


def read_arrangement(deal: Deal, style: Style, complain: Callable[[str], None]) -> Arrangement | None:
    """Ask for an arrangement of a deal until one is whole; None if the player stops."""
    entry = ArrangementEntry(deal)
    while True:
        line = read_line(style, prompt_text(style, entry))
        word = "quit" if line is None else line.strip("\ufeff \t").lower()
        if line is None or word in _QUIT:
            return None
        if word in _HELP:
            write_help(style)
            continue
        laid = len(entry.packets)
        try:
            if word in _UNDO:
                entry.undo()
            elif arrangement := entry.take(line):
                return arrangement
        except QuintetError as error:
            complain(str(error))
        if len(entry.packets) != laid:
            write_grid(style, entry.left)


def read_line(style: Style, prompt: str) -> str | None:
    """Return one line of standard input without its end, or None when there is none left.

    At a terminal it can be edited. Otherwise it is UTF-8 text and, unless quiet, written after the prompt, so that what
    a script plays reads like a session at a terminal.
    """
    if sys.stdin.isatty():
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401 (gives `input` its editing and its history)
        try:
            return input(prompt)
        except (EOFError, KeyboardInterrupt) as error:
            style.line()
            if isinstance(error, KeyboardInterrupt):
                raise
            return None
        except UnicodeDecodeError:
            return "\N{REPLACEMENT CHARACTER}"
    style.write(prompt)
    read = sys.stdin.buffer.readline(LONGEST_LINE)
    line = read.decode("utf-8", errors="replace").rstrip("\r\n")
    if not style.quiet:
        style.line(line)
    return line if read else None


def _graded(settings: SessionSettings, mine: Arrangement, opponent: Opponent) -> Grade:
    return _in_thread(lambda _: grade(mine, opponent.mix, settings.objective, settings.rules))


def _opponent(settings: SessionSettings, deal: Deal, style: Style) -> Opponent:
    with thinking(hidden=style.quiet):
        return _in_thread(
            lambda interrupt: parse_opponent(
                settings.specs,
                deal,
                settings.rules,
                objective=settings.objective,
                samples=settings.samples,
                seed=settings.seed,
                limits=Limits(interrupt=interrupt),
            )
        )


def _in_thread(work: Callable[[threading.Event], Result]) -> Result:
    """Run work that Ctrl-C can stop, and then raises `KeyboardInterrupt`."""
    try:
        outcome = run_interruptible(work)
    except LimitReached:
        raise KeyboardInterrupt from None
    if outcome.interrupted or outcome.result is None:
        raise KeyboardInterrupt
    return outcome.result
