"""The single opponent models: each turns a deal into a mix of arrangements, exact about what it says.

A model of few arrangements comes as a `MixedStrategy`. `undominated` and `quantal` are too many for cards: they come as
all their strength vectors with integer weights. `random` alone cannot be listed: it comes as exact place-by-place
distributions with a seeded sample of arrangements for ``win``.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import permutations

import numpy as np

from solver.best_response.enumeration import all_values
from solver.best_response.greedy import greedy_arrangement
from solver.best_response.problem import ResponseProblem
from solver.dominance.orders import order_table
from solver.dominance.partitions import undominated_partitions
from solver.equilibrium.quantal_response import solve_quantal_response
from solver.equilibrium.solve import solve_equilibrium
from solver.errors import LimitReached, OpponentError, QuintetError
from solver.game.arrangement import Arrangement
from solver.game.arrays import IntArray
from solver.game.cards import PACKET_SIZE
from solver.game.deal import Deal
from solver.game.evaluator import evaluate_hands
from solver.game.hand_table import hands_of
from solver.game.rules import Rules
from solver.opponents.cognitive import cognitive_levels, cognitive_player
from solver.opponents.equal_chances import equally_likely
from solver.strategies.mixed_strategy import MixedStrategy
from solver.strategies.objectives import Objective
from solver.strategies.rounding import apportion_probabilities, largest_total
from solver.strategies.strength_mix import PlaceDistribution, StrengthMix
from solver.system.files import read_json
from solver.system.limits import NO_LIMITS, Limits


@dataclass(frozen=True, slots=True)
class Setting:
    """What a model may depend on besides its own parameters.

    Parameters
    ----------
    deal, rules, objective
        The game; a model that plays for an objective plays for this one.
    samples
        Number of arrangements drawn where a model is too large to list.
    generator
        Source of the sample.
    limits
        When to give up.
    """

    deal: Deal
    rules: Rules
    objective: str
    samples: int
    generator: np.random.Generator
    limits: Limits = NO_LIMITS


@dataclass(frozen=True, eq=False)
class UnlistedMix(StrengthMix):
    """The mix of a model that is too large to lay out in cards, with a way to draw from the model itself.

    Parameters
    ----------
    draw
        Draws one arrangement with the probabilities of the model, also where `rows` is a sample.
    """

    draw: Callable[[np.random.Generator], Arrangement] = field(kw_only=True)


def greedy(setting: Setting) -> MixedStrategy:
    """Return the greedy arrangement, always."""
    return MixedStrategy.pure(greedy_arrangement(setting.deal, setting.rules))


def greedy_shuffled(setting: Setting) -> MixedStrategy:
    """Return the packets of the greedy arrangement in all orders, equally likely."""
    packets = greedy_arrangement(setting.deal, setting.rules).packets
    layouts = tuple(Arrangement(order) for order in permutations(packets))
    return MixedStrategy(layouts, (1,) * len(layouts))


def level(setting: Setting, depth: int) -> MixedStrategy:
    """Return level `depth` of the ladder that starts at `greedy_shuffled`.

    Each level plays all undominated strength vectors that are best responses to the level below, equally likely.
    """
    mix = greedy_shuffled(setting)
    partitions = undominated_partitions(setting.deal, setting.rules)
    for number in range(depth):
        setting.limits.check(f"the opponent was not ready: level {number} of {depth}")
        problem = ResponseProblem.of(setting.deal, mix.strength_mix(setting.rules), setting.objective, setting.rules)
        values = all_values(problem, partitions)
        mix = equally_likely(partitions, values == values.max())
    return mix


def cognitive(setting: Setting, tau: Fraction) -> MixedStrategy:
    """Return the player of a cognitive hierarchy whose number of steps is Poisson with mean `tau`, cut off."""
    partitions = undominated_partitions(setting.deal, setting.rules)
    objective = Objective(setting.objective)
    levels = cognitive_levels(greedy_shuffled(setting), partitions, tau, objective, setting.rules, setting.limits)
    return cognitive_player(levels, tau, setting.rules)


def equilibrium(setting: Setting) -> MixedStrategy:
    """Return the equilibrium mix of the deal for the objective in force (``margin`` when that is ``points``)."""
    solution = solve_equilibrium(
        setting.deal,
        Objective.WIN if setting.objective == Objective.WIN else Objective.MARGIN,
        setting.rules,
        time_limit=setting.limits.seconds_left,
        interrupt=setting.limits.interrupt,
    )
    if solution.status != "converged":
        raise LimitReached(f"the equilibrium opponent was not ready: {solution.status}")
    return solution.strategies


def listed_in(path: str, setting: Setting) -> MixedStrategy:
    """Read the mix of a JSON file with `strategies`, any saved equilibrium among them."""
    document = read_json(path)
    if not isinstance(document, dict):
        raise OpponentError(f"{path}: expected a JSON object with `strategies`")
    try:
        return MixedStrategy.from_records(document.get("strategies"), setting.deal, setting.rules)
    except QuintetError as error:
        raise OpponentError(f"{path}: {error}") from None


def random(setting: Setting) -> UnlistedMix:
    """Return all arrangements equally likely: in every place each hand of the deal has the same chance."""
    table = hands_of(setting.deal, setting.rules)
    place = PlaceDistribution.of(table.strengths, np.ones(len(table.hands), dtype=np.int64))
    cards = np.array(setting.deal.cards, dtype=np.int64)
    shuffled = setting.generator.permuted(np.tile(cards, (setting.samples, 1)), axis=1)
    rows = evaluate_hands(shuffled.reshape(-1, PACKET_SIZE), setting.rules).reshape(setting.samples, -1)

    def draw(generator: np.random.Generator) -> Arrangement:
        return _laid_out(generator.permutation(cards).reshape(-1, PACKET_SIZE))

    sample = StrengthMix.of_rows(rows, np.ones(len(rows), dtype=np.int64))
    places = (place,) * setting.deal.places
    return UnlistedMix(places, sample.rows, sample.row_weights, sampled=True, draw=draw)


def undominated(setting: Setting) -> UnlistedMix:
    """Return every undominated partition in every order, all equally likely."""
    partitions = undominated_partitions(setting.deal, setting.rules)
    weights = np.ones((len(partitions), len(order_table(setting.deal.places))), dtype=np.int64)
    return over_splits(partitions.strengths, partitions.hands, weights)


def quantal(setting: Setting, rationality: float) -> UnlistedMix:
    """Return the logit quantal response equilibrium of the undominated arrangements."""
    if rationality == 0:
        return undominated(setting)
    partitions = undominated_partitions(setting.deal, setting.rules)
    probabilities = solve_quantal_response(partitions, rationality, setting.rules.weights, setting.limits)
    weights = apportion_probabilities(probabilities.ravel(), largest_total(setting.rules.weights))
    return over_splits(partitions.strengths, partitions.hands, weights.reshape(probabilities.shape))


def over_splits(
    strengths: IntArray, hands: IntArray, weights: IntArray, *, sample_of: Setting | None = None
) -> UnlistedMix:
    """Return the mix that lays each split in each order with its weight.

    Parameters
    ----------
    strengths, hands
        Shapes (m, n) and (m, n, 5), int64: the packets of each split, weakest first.
    weights
        Shape (m, n!), int64, adding up to less than 2**63.
    sample_of
        Where there are too many rows to list: the setting that draws a sample of them. The places stay exact.
    """
    table = order_table(strengths.shape[1])
    ends = np.cumsum(weights)

    def at(ticket: IntArray) -> tuple[IntArray, IntArray]:
        return np.divmod(np.searchsorted(ends, ticket, side="right"), len(table))

    def draw(generator: np.random.Generator) -> Arrangement:
        split, order = at(np.array(generator.integers(ends[-1])))
        return _laid_out(hands[split, table[order]])

    if sample_of is None:
        mix = StrengthMix.of_rows(strengths[:, table].reshape(-1, table.shape[1]), weights.ravel())
        return UnlistedMix(mix.places, mix.rows, mix.row_weights, draw=draw)
    split, order = at(sample_of.generator.integers(ends[-1], size=sample_of.samples))
    rows = np.take_along_axis(strengths[split], table[order], axis=1)
    sample = StrengthMix.of_rows(rows, np.ones(len(rows), dtype=np.int64))
    places = []
    for place in range(table.shape[1]):
        laid = [weights[:, table[:, place] == packet].sum(axis=1) for packet in range(table.shape[1])]
        places.append(PlaceDistribution.of(strengths.ravel(), np.stack(laid, axis=1).ravel()))
    return UnlistedMix(tuple(places), sample.rows, sample.row_weights, sampled=True, draw=draw)


def _laid_out(packets: IntArray) -> Arrangement:
    """Return card ids of shape (n, 5), place 1 first, as an arrangement."""
    return Arrangement(tuple(tuple(packet) for packet in packets.tolist()))
