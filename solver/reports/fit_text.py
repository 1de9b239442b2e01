"""A fitted player as text."""

from solver.language.numbers import percent
from solver.opponents.player_fit import UNITS
from solver.reports.console import Style
from solver.results.fits import FitResult

_ROUGH, _FAIR = 30, 100
"""Deals below which what is learnt of a player is rough, or fair."""


def write_fit(style: Style, result: FitResult) -> None:
    """Write what a player does, and how sure that is."""
    if style.quiet:
        style.line(", ".join(f"{name} {percent(weight / UNITS)}" for name, weight, _ in result.components))
        return
    place = max(range(len(result.strongest_places)), key=lambda index: (result.strongest_places[index], index))
    sure = "rough" if result.deals < _ROUGH else "fair" if result.deals < _FAIR else "good"
    style.line(
        style.phrase(
            "Splits greedily in {greedy} of {deals} deals; strongest packet most often in place {place}, in {count}",
            greedy=result.greedy_splits,
            deals=result.deals,
            place=place + 1,
            count=result.strongest_places[place],
        )
    )
    style.line(style.phrase("How sure this is: {sure}", sure=style.phrase(sure)))
    if result.outside or result.recorded.assisted:
        style.line(
            style.phrase(
                "Deals that no model explains: {outside}; left out, as the player was helped: {assisted}",
                outside=result.outside,
                assisted=result.recorded.assisted,
            )
        )
    style.line()
    table = style.table("Component", "Share", "Spread", right=("Share", "Spread"))
    for name, weight, spread in result.components:
        table.add_row(name, percent(weight / UNITS), percent(spread))
    style.show(table)
    style.line()
    likelihood = result.fit.log_likelihood
    best = max(result.fit.compared, key=lambda name: result.fit.compared[name])
    if likelihood is not None:
        style.sentence(
            style.phrase(
                "Log likelihood of a deal {fitted}; of the best single model, {name}, {single}",
                fitted=f"{likelihood:.2f}",
                name=best,
                single=f"{result.fit.compared[best]:.2f}",
            )
        )
    style.sentence(
        style.phrase("So many deals justify to risk {share} of what a best response risks", share=percent(result.trust))
    )
