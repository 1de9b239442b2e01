"""Mixes as text: an instruction, with the throws of a die or of two where the shares allow it."""

from collections.abc import Sequence
from fractions import Fraction

from solver.language.numbers import percent
from solver.mixes.result import Mix
from solver.reports.console import Style
from solver.results.mixes import MixResult
from solver.strategies.objectives import Objective

_DIE, _TWO_DICE = 6, 36


def write_mix(style: Style, result: MixResult) -> None:
    """Write a mix: each arrangement with its throws or its chance, what nobody can take more than, and the gain."""
    mix = result.mix
    if style.quiet:
        style.line(style.packets(result.play))
        return
    objective = style.phrase(mix.objective)
    style.line(style.phrase("A mix to play, by {objective}", objective=objective))
    style.line()
    throws = throws_of(mix.strategies.weights, style) if mix.asked.shares in (_DIE, _TWO_DICE) else None
    heading = "Throw" if throws else "Chance"
    table = style.table(heading, "Arrangement", right=() if throws else ("Chance",))
    for number, arrangement in enumerate(mix.strategies.arrangements):
        first = throws[number] if throws else percent(mix.strategies.probabilities[number])
        table.add_row(first, style.compact(arrangement))
    style.show(table)
    style.line()
    style.sentence(
        style.phrase("Nobody takes more than {figure} from it.", figure=_figure(mix.exploitability, mix.objective))
    )
    if mix.gain is not None:
        earned = style.phrase(
            "Against {spec} it earns {figure}; no mix within the limits earns more than {bound}.",
            spec=" + ".join(result.specs),
            figure=_figure(mix.gain, mix.objective),
            bound=_figure(mix.bound, mix.objective),
        )
        style.sentence(earned)
    style.sentence(style.phrase("Status: {status}.", status=style.phrase(mix.status.value)))


def write_curve(style: Style, points: Sequence[Mix]) -> None:
    """Write a curve: for each limit what is earned, what anybody can take, and by how many arrangements."""
    names = ("Gain", "At most lost", "Arrangements")
    table = style.table(*names, "Status", right=names)
    for mix in points:
        table.add_row(
            "" if mix.gain is None else _figure(mix.gain, mix.objective),
            _figure(mix.exploitability, mix.objective),
            str(len(mix.strategies.arrangements)),
            style.phrase(mix.status.value),
        )
    style.show(table)


def throws_of(shares: tuple[int, ...], style: Style) -> list[str]:
    """Return which throws call for each arrangement: of one die where the shares add up to 6, of two for 36."""
    total = sum(shares)
    names = [str(number) for number in range(1, 7)]
    if total == _TWO_DICE:
        names = [f"{first}-{second}" for first in range(1, 7) for second in range(1, 7)]
    texts, first = [], 0
    for share in shares:
        part = names[first : first + share]
        run = style.phrase("{first} to {last}", first=part[0], last=part[-1])
        texts.append(run if share > 2 else " ".join(part))
        first += share
    return texts


def _figure(figure: Fraction, objective: str) -> str:
    """Return points with three decimals, or a probability in percent."""
    return percent(float(figure)) if objective == Objective.WIN else f"{round(float(figure), 3) + 0.0:.3f}"
