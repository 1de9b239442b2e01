"""What an equilibrium run finds: the mix, its certificate, and how the run ended."""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from solver.dominance.partitions import Partitions
from solver.game.deal import Deal
from solver.game.rules import Rules
from solver.strategies.mixed_strategy import MixedStrategy


class EquilibriumStatus(StrEnum):
    """How a run ended; each member is the text that documents carry."""

    CONVERGED = "converged"
    ITERATION_LIMIT = "iteration limit"
    TIME_LIMIT = "time limit"
    STALLED = "stalled"
    """Floating point had no more to give."""
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class Progress:
    """State of a run after one round.

    Parameters
    ----------
    iteration
        Rounds done, 1 for the first.
    exploitability
        Of the best mix so far, in the unit of the objective, as floating-point pricing sees it.
    restricted_size
        Arrangements in the restricted game.
    """

    iteration: int
    exploitability: float
    restricted_size: int


@dataclass(frozen=True, slots=True, eq=False)
class Equilibrium:
    """A mix with its certificate.

    Parameters
    ----------
    deal, rules, objective
        What was asked.
    strategies
        The mix.
    exploitability_exact
        What a best response gains against exactly this mix, proven over all undominated arrangements: points for
        ``margin``, probability for ``win``.
    iterations
        Rounds of the double oracle.
    status
        ``converged`` if the exact exploitability is within the tolerance, else what ended the run.
    partitions
        The undominated partitions of the deal.
    history
        Exploitability of the best mix so far after each round, never rising.
    """

    deal: Deal
    rules: Rules
    objective: str
    strategies: MixedStrategy
    exploitability_exact: Fraction
    iterations: int
    status: EquilibriumStatus
    partitions: Partitions
    history: tuple[float, ...]

    @property
    def undominated_partitions(self) -> int:
        """Number of undominated partitions of the deal."""
        return len(self.partitions)

    @property
    def exploitability(self) -> float:
        """The exact exploitability as a float."""
        return float(self.exploitability_exact)
