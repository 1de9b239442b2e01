"""A best response as users get it: checked, with its figures and its proof."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from solver.best_response.engine_answer import Status
from solver.game.arrangement import Arrangement
from solver.game.deal import Deal
from solver.game.rules import Rules
from solver.strategies.objectives import Objective
from solver.strategies.payoffs import Value

Locked = Mapping[int, Sequence[int]]


class Engine(StrEnum):
    """Who answers; each member is the text that users type and documents carry."""

    AUTO = "auto"
    """CP-SAT, but enumeration for ``win`` against so many rows that the model is several times slower."""
    CPSAT = "cpsat"
    ENUMERATE = "enumerate"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class Alternative:
    """One of the best arrangements by enumeration."""

    arrangement: Arrangement
    value: Value


@dataclass(frozen=True, slots=True, eq=False)
class BestResponse:
    """A checked answer to a best-response question.

    Parameters
    ----------
    deal, rules, objective
        What was asked.
    engine
        Who answered.
    status
        ``optimal`` (proven), ``feasible`` or ``interrupted``.
    arrangement
        The best arrangement found.
    value
        Its six exact figures; None if the opponent was not ready in time.
    bound_exact
        Proven upper bound of the objective over all arrangements; None where `value` is.
    alternatives
        The best undominated strength vectors, if asked for, best first.
    locked
        Packets that were fixed, by place (0-based).
    """

    deal: Deal
    rules: Rules
    objective: Objective
    engine: Engine
    status: Status
    arrangement: Arrangement
    value: Value | None
    bound_exact: Fraction | None
    alternatives: tuple[Alternative, ...] = ()
    locked: Locked = field(default_factory=dict)

    @property
    def objective_value_exact(self) -> Fraction | None:
        """The objective's figure of the arrangement: points, or a probability for ``win``."""
        return None if self.value is None else self.value.of(self.objective)

    @property
    def objective_value(self) -> float | None:
        """`objective_value_exact` as a float."""
        return None if self.objective_value_exact is None else float(self.objective_value_exact)

    @property
    def bound(self) -> float | None:
        """`bound_exact` as a float."""
        return None if self.bound_exact is None else float(self.bound_exact)
