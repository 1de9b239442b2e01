"""What a player may be made of: whole named models, and ways to split with an own habit of order.

An outcome of a deal is the strengths that were laid, place by place; every component gives each outcome a chance. A
split is the ascending tuple of the strengths of its packets. The greedy split is an undominated one: a split at least
as strong in every packet would begin with as strong a packet, and so on down.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from solver.best_response.greedy import greedy_arrangement
from solver.dominance.orders import order_table
from solver.dominance.partitions import Partitions, undominated_partitions
from solver.equilibrium.quantal_response import solve_quantal_response
from solver.game.arrays import BoolArray, FloatArray, IntArray
from solver.game.deal import Deal
from solver.game.rules import Rules
from solver.opponents import models
from solver.opponents.careless import careless_splits
from solver.opponents.models import Setting
from solver.opponents.order_habit import order_classes
from solver.strategies.mixed_strategy import MixedStrategy
from solver.strategies.objectives import Objective
from solver.system.limits import NO_LIMITS, Limits

QUANTAL = {"quantal:0.5": 0.5, "quantal:1": 1.0, "quantal:3": 3.0}
LEVELS = {"level:1": 1, "level:2": 2, "level:3": 3}
NAMED = (*QUANTAL, "undominated", "greedy", "greedy-shuffled", *LEVELS, "cognitive:1.5")
"""Whole models; each decides splits and orders together. All of them play for the margin."""
SPLITS = ("split:greedy", "split:undominated", "split:strong", "split:careless")
"""Ways to split; the order is the player's habit. ``split:strong`` likes an undominated split as ``quantal:1`` does."""
COMPONENTS = (*NAMED, *SPLITS)


@dataclass(frozen=True, slots=True, eq=False)
class Observation:
    """How likely each component makes what was laid on one deal.

    Parameters
    ----------
    named
        Shape (len(NAMED),): the chance of the outcome.
    splits
        Shape (len(SPLITS),): the chance of the split, whatever the order.
    classes
        Shape (n!,): the orders that lay the outcome; several where packets tie.
    is_greedy
        Whether the split is the greedy one.
    """

    named: FloatArray
    splits: FloatArray
    classes: BoolArray
    is_greedy: bool

    @property
    def outside(self) -> bool:
        """Whether no component can lay this."""
        return not (self.named.any() or self.splits.any())


class DealComponents:
    """The components of a player on one deal, each made when it is first asked for.

    Parameters
    ----------
    deal, rules
        The game.
    limits
        When to give up.
    """

    def __init__(self, deal: Deal, rules: Rules, limits: Limits = NO_LIMITS) -> None:
        self.deal = deal
        self.rules = rules
        self.limits = limits
        self._named = dict[str, FloatArray]()

    @cached_property
    def partitions(self) -> Partitions:
        """The m undominated partitions."""
        return undominated_partitions(self.deal, self.rules)

    @cached_property
    def _row_of(self) -> dict[tuple[int, ...], int]:
        return {tuple(row): index for index, row in enumerate(self.partitions.strengths.tolist())}

    @cached_property
    def greedy_row(self) -> int:
        """Which of the partitions is the greedy split."""
        return self._row_of[tuple(sorted(greedy_arrangement(self.deal, self.rules).strengths(self.rules)))]

    @cached_property
    def careless(self) -> tuple[IntArray, IntArray]:
        """The careless splits: strengths and cards as `careless_splits` gives them."""
        return careless_splits(np.array(self.partitions.hands), self.rules)

    def named(self, name: str) -> FloatArray:
        """Return the chance that a named model gives every partition in every order, shape (m, n!)."""
        if name not in self._named:
            self.limits.check("the opponent was not ready")
            self._named[name] = self._made(name)
        return self._named[name]

    def split(self, name: str) -> FloatArray:
        """Return the chance that a way to split, not the careless one, gives every partition, shape (m,)."""
        count = len(self.partitions)
        if name == "split:strong":
            return np.asarray(self.named("quantal:1").sum(axis=1))
        if name == "split:undominated":
            return np.full(count, 1 / count)
        return np.asarray(np.arange(count) == self.greedy_row, dtype=np.float64)

    def observation(self, strengths: tuple[int, ...]) -> Observation:
        """Return how likely the components make these strengths, place by place."""
        classes = order_classes(np.array(strengths))
        split = tuple(sorted(strengths))
        row = self._row_of.get(split)
        named, splits = np.zeros(len(NAMED)), np.zeros(len(SPLITS))
        if row is not None:
            named[:] = [self.named(name)[row, classes].sum() for name in NAMED]
            splits[:-1] = [self.split(name)[row] for name in SPLITS[:-1]]
        slips, _ = self.careless
        splits[-1] = (slips == split).all(axis=1).sum() / max(1, len(slips))
        return Observation(named, splits, classes, row == self.greedy_row)

    def _made(self, name: str) -> FloatArray:
        orders = len(order_table(self.deal.places))
        if name in QUANTAL:
            return solve_quantal_response(self.partitions, QUANTAL[name], self.rules.weights, self.limits)
        if name == "undominated":
            return np.full((len(self.partitions), orders), 1 / (len(self.partitions) * orders))
        setting = Setting(self.deal, self.rules, Objective.MARGIN, 1, np.random.default_rng(0), self.limits)
        if name in LEVELS:
            return self._listed(models.level(setting, LEVELS[name]))
        if name == "cognitive:1.5":
            return self._listed(models.cognitive(setting, Fraction(3, 2)))
        return self._listed(models.greedy(setting) if name == "greedy" else models.greedy_shuffled(setting))

    def _listed(self, mix: MixedStrategy) -> FloatArray:
        """Return a mix of undominated arrangements as a table; where packets tie, on one of the orders alike."""
        order_of = {tuple(row): index for index, row in enumerate(order_table(self.deal.places).tolist())}
        chances = np.zeros((len(self.partitions), len(order_of)))
        for arrangement, probability in zip(mix.arrangements, mix.probabilities, strict=True):
            strengths = arrangement.strengths(self.rules)
            order = np.argsort(np.argsort(strengths, kind="stable"))
            chances[self._row_of[tuple(sorted(strengths))], order_of[tuple(order.tolist())]] += probability
        return chances
