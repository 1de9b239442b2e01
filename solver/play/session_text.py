"""A session at the terminal as text: the deal in a grid, the referee's table, and how it stands."""

import sys
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext

from rich.console import Console
from rich.text import Text

from solver.game.cards import LOWEST_RANK, RANKS, SUITS, card_id
from solver.game.deal import Deal
from solver.game.notation import format_card, format_cards
from solver.language.numbers import amount
from solver.play.arrangement_entry import ArrangementEntry
from solver.play.session import SessionScore, SessionSettings
from solver.reports.console import Style
from solver.reports.solution_text import write_regret
from solver.reports.tables import write_comparison, write_deal
from solver.results.matches import MatchResult


def write_session_heading(style: Style, settings: SessionSettings) -> None:
    """Write what is played, and how to answer."""
    if style.quiet:
        return
    text = "Session against {opponent}; regret by {objective}; seed {seed}"
    opponent, objective = ", ".join(settings.specs), style.phrase(settings.objective)
    style.sentence(style.phrase(text, opponent=opponent, objective=objective, seed=settings.seed))
    write_help(style)


def write_help(style: Style) -> None:
    """Write how to answer."""
    for text in (
        "Lay five packets of five, place 1 first: all on one line with | between them,",
        "or one packet a line; then an empty line lays the last five cards.",
        "undo takes the last packet back, quit ends the session, help shows this again.",
    ):
        style.line(style.phrase(text))


def write_deal_heading(style: Style, deal: Deal, number: int, deals: int | None) -> None:
    """Write the number of the deal, what is laid aside, and the cards."""
    if style.quiet:
        write_deal(style, deal)
        return
    text = "Deal {number}; laid aside {removed}" if deals is None else "Deal {number} of {deals}; laid aside {removed}"
    removed = format_cards(deal.removed, style.cards)
    style.line()
    style.line(style.phrase(text, number=number, deals=deals, removed=removed))
    style.line()
    write_grid(style, deal.cards)
    style.line()


def thinking(*, hidden: bool) -> AbstractContextManager[object]:
    """Show on a terminal that the opponent is being made."""
    console = Console(file=sys.stderr, highlight=False)
    return nullcontext() if hidden or not console.is_terminal else console.status("the opponent is thinking")


def prompt_text(style: Style, entry: ArrangementEntry) -> str:
    """Return what the player is asked: the place that comes next."""
    if style.quiet:
        return ""
    place = len(entry.packets) + 1
    text = "Place {place}" if place < entry.deal.places else "Place {place}, an empty line lays these five"
    return style.phrase(text, place=place) + "> "


def write_grid(style: Style, cards: Iterable[int]) -> None:
    """Write cards as a grid: a line a suit, a column a rank, so that flushes and sets are seen at once."""
    held = set(cards)
    ranks = range(RANKS - 1, LOWEST_RANK - 1, -1)
    widths = [len(format_card(card_id(rank, 0), style.cards)) for rank in ranks]
    for suit in range(SUITS - 1, -1, -1):
        line = Text()
        blank = 0
        for rank, width in zip(ranks, widths, strict=True):
            card = card_id(rank, suit)
            if card in held:
                line.append(" " * blank).append_text(style.card(card))
                blank = 1
            else:
                blank += width + 1
        style.line(line)


def write_match(style: Style, match: MatchResult) -> None:
    """Write the referee's table, who won, and what was given away."""
    score = match.score
    if not style.quiet:
        style.line()
        write_comparison(style, match.mine, match.theirs, score, ("You", "Opponent"))
        style.line()
    points, opponent_points = score.points
    verdict = "You win the match {points}-{opponent_points}"
    if score.draw:
        verdict = "The match is drawn {points}-{opponent_points}"
    elif points < opponent_points:
        verdict = "You lose the match {points}-{opponent_points}"
    style.line(style.phrase(verdict, points=points, opponent_points=opponent_points))
    write_regret(style, match.grade)


def write_session_score(style: Style, score: SessionScore, objective: str) -> None:
    """Write how it stands after the deals so far."""
    text = "So far won {won}, drawn {drawn}, lost {lost}; points {points}-{opponent_points}; mean regret {regret}"
    style.sentence(
        style.phrase(
            text,
            won=score.won,
            drawn=score.drawn,
            lost=score.lost,
            points=score.points,
            opponent_points=score.opponent_points,
            regret=amount(score.mean_regret, objective, exact=False),
        )
    )
