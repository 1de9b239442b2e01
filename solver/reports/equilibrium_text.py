"""Equilibria as text: what to play, the mix it is drawn from, and the proof."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console

from solver.equilibrium.result import Progress
from solver.language.numbers import percent
from solver.reports.console import Style
from solver.reports.sentences import exploitability_sentence, run_sentence
from solver.reports.tables import write_arrangement, write_packets
from solver.results.equilibria import EquilibriumResult
from solver.strategies.mixed_strategy import MixedStrategy

LISTED = 12
"""Arrangements of a mix that text results list; JSON documents list all."""


@contextmanager
def equilibrium_progress(*, hidden: bool) -> Iterator[Callable[[Progress], None] | None]:
    """Show the rounds of a double oracle on a terminal; yields its callback, or None where nothing is shown."""
    console = Console(file=sys.stderr, highlight=False)
    if hidden or not console.is_terminal:
        yield None
        return
    with console.status("finding the undominated partitions") as status:
        yield lambda progress: status.update(
            f"round {progress.iteration}: exploitability {progress.exploitability:.2e}, "
            f"{progress.restricted_size} arrangements in the restricted game"
        )


def write_equilibrium(style: Style, result: EquilibriumResult) -> None:
    """Write an equilibrium: the drawn arrangement, the likeliest ones of the mix, and what is proven."""
    equilibrium = result.equilibrium
    play = result.play
    if style.quiet:
        style.line(style.packets(play))
        return
    objective = style.phrase(equilibrium.objective)
    style.line(style.phrase("Equilibrium by {objective}", objective=objective))
    style.line()
    style.line(
        style.phrase("To play, drawn from the mix with seed {seed}; chances against the mix", seed=result.seed) + ":"
    )
    style.line()
    write_packets(style, result.packets)
    style.line()
    write_arrangement(style, "Arrangement", play)
    style.line()
    _write_mix(style, equilibrium.strategies)
    style.line()
    style.sentence(exploitability_sentence(equilibrium, style.language))
    style.sentence(run_sentence(equilibrium, style.language))


def _write_mix(style: Style, mix: MixedStrategy) -> None:
    order = sorted(range(len(mix.weights)), key=lambda index: -mix.weights[index])
    table = style.table("Chance", "Arrangement", right=("Chance",))
    for index in order[:LISTED]:
        table.add_row(percent(mix.probabilities[index]), style.compact(mix.arrangements[index]))
    rest = order[LISTED:]
    if rest:
        together = sum(mix.weights[index] for index in rest) / mix.total
        table.add_row(percent(together), style.phrase("{count} more; --json lists them all", count=len(rest)))
    style.show(table)
