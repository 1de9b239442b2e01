"""A mix with its limits, its certified figures and the bound on them."""

from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from solver.dominance.partitions import Partitions
from solver.game.deal import Deal
from solver.game.rules import Rules
from solver.mixes.proof import SafeProof
from solver.mixes.question import MixLimits
from solver.strategies.mixed_strategy import MixedStrategy


class MixStatus(StrEnum):
    """How a search for a mix ended; each member is the text that documents carry."""

    OPTIMAL = "optimal"
    FEASIBLE = "feasible"
    INFEASIBLE = "infeasible"
    NONE_FOUND = "none found"
    TIME_LIMIT = "time limit"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True, eq=False)
class Mix:
    """A mix that keeps to limits.

    Parameters
    ----------
    deal, rules, objective, asked
        What was asked; `asked.risk` is the risk that was in force.
    risk_source
        Where the risk comes from: ``given``, ``equilibrium tolerance``, ``least found`` or ``fitted player``.
    strategies
        The mix.
    gain
        Against the model: points for ``margin``, probability for ``win``; None without a model.
    exploitability
        What a best response gains against exactly this mix.
    bound
        With a model no mix within the limits gains more; without one none is less exploitable.
    status
        What is known of it.
    proof
        What proves the bound of a mix that only the risk limits, else None.
    partitions
        The undominated partitions of the deal.
    """

    deal: Deal
    rules: Rules
    objective: str
    asked: MixLimits
    risk_source: str
    strategies: MixedStrategy
    gain: Fraction | None
    exploitability: Fraction
    bound: Fraction
    status: MixStatus
    proof: SafeProof | None
    partitions: Partitions

    @property
    def gap(self) -> Fraction:
        """How far the mix may be from the best."""
        return self.exploitability - self.bound if self.gain is None else self.bound - self.gain

    def within(self, other: "Mix") -> "Mix":
        """Return this mix as an answer to a question whose limits it keeps too, in place of the other answer."""
        return replace(other, strategies=self.strategies, exploitability=self.exploitability)
