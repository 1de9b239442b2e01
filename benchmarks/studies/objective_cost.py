"""What it costs to play the equilibrium of the wrong objective.

The `margin` equilibrium meets a best responder by `win`, and the `win` equilibrium one by `margin`. Both losses are
exploitabilities, exact integers over all undominated arrangements.
"""

from benchmarks.deals.instance_sets import Instance, instances
from benchmarks.reporting.figures import Figure, Histogram
from benchmarks.reporting.summary import SOLVED, UNSOLVED, Record, percentile
from benchmarks.reporting.tables import Table, number_text
from solver.equilibrium.certificate import exploitability
from solver.equilibrium.solve import solve_equilibrium

TITLE = "The wrong objective"
LESSON = "How far a `margin` equilibrium is from a `win` equilibrium, and the other way round."
SIZES = {"tiny": (1, 20.0), "quick": (5, 5.0), "full": (40, 20.0)}
"""Deals of random-100, and seconds for each equilibrium."""
OTHER = {"margin": "win", "win": "margin"}
PLAYED = {"margin": "`margin` equilibrium", "win": "`win` equilibrium"}


def run(size: str) -> list[Record]:
    """Return one record a deal and equilibrium."""
    deals, limit = SIZES[size]
    return [_measured(deal, played, limit) for deal in instances("random-100", deals) for played in OTHER]


def _measured(instance: Instance, played: str, limit: float) -> Record:
    """Measure what the equilibrium for one objective loses by the other."""
    equilibrium = solve_equilibrium(instance.deal, played, instance.rules, time_limit=limit)
    mix = equilibrium.strategies
    again = exploitability(instance.deal, mix, played, instance.rules)
    if again != equilibrium.exploitability_exact:
        raise AssertionError(f"{instance.id}, {played}: exploitability {again}, not {equilibrium.exploitability_exact}")
    return {
        "group": PLAYED[played],
        "contestant": f"best responder for the {'match' if played == 'margin' else 'points'}",
        "instance": instance.id,
        "status": SOLVED if equilibrium.status == "converged" else UNSOLVED,
        "played": played,
        "support": len(mix.arrangements),
        "loss": float(exploitability(instance.deal, mix, OTHER[played], instance.rules)),
    }


def tables(records: list[Record]) -> list[Table]:
    """Return what is left to the player of each equilibrium, and what it loses."""
    rows = []
    for played, figure in (("margin", "match won, a draw half"), ("win", "margin in points")):
        members = [record for record in records if record["played"] == played]
        losses = sorted(record["loss"] for record in members if record["status"] == SOLVED)
        fair = 0.5 if played == "margin" else 0.0
        left = (number_text(fair - percentile(losses, at)) for at in (50, 90, 100))
        unsolved = str(sum(record["status"] == UNSOLVED for record in members))
        contestant = members[0]["contestant"]
        rows.append((PLAYED[played], contestant, figure, str(len(losses)), number_text(fair), *left, unsolved))
    header = ("who plays the", "meets the", "and gets", "n", "fair", "median", "p90", "worst", "unsolved")
    return [Table("What an equilibrium gets by the other objective", header, tuple(rows))]


def figures(records: list[Record]) -> list[Figure]:
    """Return a histogram of the losses of each equilibrium."""
    titles = {
        "margin": ("cost-of-points", "What the margin equilibrium loses of the match", "probability lost"),
        "win": ("cost-of-match", "What the win equilibrium loses in points", "points lost (of 25)"),
    }
    found: list[Figure] = []
    for played, (name, title, unit) in titles.items():
        losses = [record["loss"] for record in records if record["played"] == played and record["status"] == SOLVED]
        if losses:
            found.append(Histogram(name, title, unit, {f"{len(losses)} random deals": losses}))
    return found
