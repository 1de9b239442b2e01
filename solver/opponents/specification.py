"""Opponents as the user specifies them: one model, or several with weights, made into one mix."""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from solver.errors import OpponentError
from solver.game.arrangement import Arrangement
from solver.game.deal import Deal
from solver.game.rules import Rules
from solver.opponents import models
from solver.opponents.fitted_player import fitted
from solver.opponents.models import Setting, UnlistedMix
from solver.strategies.mixed_strategy import MixedStrategy
from solver.strategies.objectives import require_objective
from solver.strategies.rounding import apportion, largest_total
from solver.strategies.strength_mix import PlaceDistribution, StrengthMix
from solver.system.limits import NO_LIMITS, Limits

DEFAULT_OPPONENT = "quantal:1"
DEFAULT_SAMPLES = 10_000
MOST_SAMPLES = 50_000
LARGEST_MODEL_WEIGHT = 999_999_999
LARGEST_LEVEL = 20
LARGEST_RATIONALITY = 1000
LARGEST_TAU = 10
EXPECTED = (
    "greedy, greedy-shuffled, random, undominated, level:K, quantal:LAMBDA, cognitive:TAU, equilibrium, fitted:PATH "
    "or file:PATH"
)

Model = MixedStrategy | UnlistedMix
Builder = Callable[[Setting], Model]


@dataclass(frozen=True, eq=False)
class Opponent:
    """A modelled opponent.

    Parameters
    ----------
    spec
        The specifications as given.
    mix
        The mix as the engines see it; it IS the model, every figure is exact about it.
    strategies
        The same mix as arrangements, or None where it is too large to list.
    samples
        Arrangements drawn from each model that is too large to list.
    """

    spec: tuple[str, ...]
    mix: StrengthMix
    strategies: MixedStrategy | None
    samples: int = DEFAULT_SAMPLES

    @property
    def sampled(self) -> bool:
        """Whether ``win``, ``draw`` and ``loss`` refer to a sample of the opponent's arrangements."""
        return self.mix.sampled

    def draw(self, generator: np.random.Generator) -> Arrangement:
        """Draw one arrangement with the probabilities of the model itself, also where figures rest on a sample."""
        if self.strategies is not None:
            return self.strategies.draw(generator)
        if isinstance(self.mix, UnlistedMix):
            return self.mix.draw(generator)
        raise OpponentError("this opponent has neither strategies nor a way to draw one")


def parse_opponent(
    spec: str | Sequence[str],
    deal: Deal,
    rules: Rules | None = None,
    *,
    objective: str = "points",
    samples: int = DEFAULT_SAMPLES,
    seed: int = 0,
    limits: Limits = NO_LIMITS,
) -> Opponent:
    """Build the opponent that one or several specifications describe.

    Parameters
    ----------
    spec
        ``SPEC`` or ``W:SPEC`` with a positive integer weight, or a sequence of them.
    deal, rules, objective
        The game; `objective` matters to ``level``, ``cognitive`` and ``equilibrium``.
    samples
        Arrangements drawn, for ``win``, from a model that is too large to list.
    seed
        Seed of the samples.
    limits
        When to give up.

    Raises
    ------
    OpponentError
        If a specification cannot be read, or a file does not hold a mix for this deal.
    LimitReached
        If the limits came before the opponent was ready.
    """
    specs = (spec,) if isinstance(spec, str) else tuple(spec)
    if not specs:
        raise OpponentError(f"no opponent given: expected {EXPECTED}")
    rules = rules or Rules()
    require_objective(objective)
    if not 1 <= samples <= MOST_SAMPLES:
        raise OpponentError(f"samples must be from 1 to {MOST_SAMPLES}, not {samples}")
    if seed < 0:
        raise OpponentError(f"seed must be 0 or more, not {seed}")
    parts: list[tuple[int, Model]] = []
    for index, (weight, build) in enumerate([parse_spec(text) for text in specs]):
        generator = np.random.default_rng([seed, index])
        setting = Setting(deal, rules, objective, samples, generator, limits)
        parts.append((weight, build(setting)))
    model = parts[0][1] if len(parts) == 1 else _mixed(parts, rules)
    if isinstance(model, MixedStrategy):
        return Opponent(specs, model.strength_mix(rules), model, samples)
    return Opponent(specs, model, None, samples)


def parse_spec(text: str) -> tuple[int, Builder]:
    """Return the weight of a specification and the function that builds its model; nothing is built or read yet."""
    match = re.fullmatch(r"(?:([0-9.,/+-]*):)?([a-z-]+)(?::(.*))?", text.strip(), re.DOTALL)
    if match is None:
        raise OpponentError(f"opponent {text!r:.60} cannot be read: expected {EXPECTED}")
    digits = "1" if match[1] is None else match[1]
    readable = digits.isdecimal() and len(digits) <= len(str(LARGEST_MODEL_WEIGHT))
    if not readable or not 1 <= int(digits) <= LARGEST_MODEL_WEIGHT:
        raise OpponentError(
            f"opponent {text!r:.60}: expected a whole number from 1 to {LARGEST_MODEL_WEIGHT} before the model"
        )
    weight = int(digits)
    return weight, _builder(text, match[2], match[3])


def _builder(text: str, name: str, argument: str | None) -> Builder:
    if name in PLAIN_MODELS:
        if argument is not None:
            raise OpponentError(f"opponent {text!r:.60}: {name} takes nothing after a colon")
        return PLAIN_MODELS[name]
    if name in MODELS_WITH_ARGUMENT:
        return MODELS_WITH_ARGUMENT[name](text, argument or "")
    raise OpponentError(f"opponent {text!r:.60} is not known: expected {EXPECTED}")


def _level(text: str, argument: str) -> Builder:
    depth = int(_number(text, argument, int, LARGEST_LEVEL))
    return lambda setting: models.level(setting, depth)


def _quantal(text: str, argument: str) -> Builder:
    rationality = _number(text, argument, float, LARGEST_RATIONALITY)
    return lambda setting: models.quantal(setting, rationality)


def _cognitive(text: str, argument: str) -> Builder:
    # A decimal of few digits: the chances of the levels are exact in it.
    tau = Fraction(argument) if re.fullmatch(r"[0-9]{1,2}(\.[0-9]{1,9})?", argument, re.ASCII) else Fraction(0)
    if not 0 < tau <= LARGEST_TAU:
        raise OpponentError(
            f"opponent {text!r:.60}: expected a number above 0 and up to {LARGEST_TAU}, such as 1.5, after the colon"
        )
    return lambda setting: models.cognitive(setting, tau)


def _file(text: str, argument: str) -> Builder:
    if not argument:
        raise OpponentError(f"opponent {text!r:.60}: expected file:PATH")
    return lambda setting: models.listed_in(argument, setting)


def _fitted(text: str, argument: str) -> Builder:
    if not argument:
        raise OpponentError(f"opponent {text!r:.60}: expected fitted:PATH")
    return lambda setting: fitted(argument, setting)


PLAIN_MODELS: dict[str, Builder] = {
    "greedy": models.greedy,
    "greedy-shuffled": models.greedy_shuffled,
    "random": models.random,
    "undominated": models.undominated,
    "equilibrium": models.equilibrium,
}
"""The models that are named alone."""
MODELS_WITH_ARGUMENT: dict[str, Callable[[str, str], Builder]] = {
    "level": _level,
    "quantal": _quantal,
    "cognitive": _cognitive,
    "fitted": _fitted,
    "file": _file,
}
"""The models with something after a colon: each is built by what reads that, given the specification and it."""


def _number(text: str, argument: str, kind: Callable[[str], float], largest: int) -> float:
    try:
        # Underscores are for source code, though Python reads them in numbers anywhere.
        value = math.nan if "_" in argument else kind(argument)
    except ValueError:
        value = math.nan
    if not 0 <= value <= largest:
        what = "a whole number" if kind is int else "a number"
        raise OpponentError(f"opponent {text!r:.60}: expected {what} from 0 to {largest} after the colon")
    return value


def _mixed(parts: Sequence[tuple[int, Model]], rules: Rules) -> Model:
    """Mix models in the proportion of their weights, exactly where the common denominator is small enough."""
    limit = largest_total(rules.weights)
    whole = sum(weight for weight, _ in parts)
    shares = [Fraction(weight, whole) for weight, _ in parts]
    listed = [model for _, model in parts if isinstance(model, MixedStrategy)]
    if len(listed) == len(parts):
        weights = _common_weights(shares, [list(model.weights) for model in listed], limit)
        arrangements = [arrangement for model in listed for arrangement in model.arrangements]
        kept = [(arrangement, weight) for arrangement, weight in zip(arrangements, weights, strict=True) if weight]
        return MixedStrategy(tuple(arrangement for arrangement, _ in kept), tuple(weight for _, weight in kept))
    mixes = [model.strength_mix(rules) if isinstance(model, MixedStrategy) else model for _, model in parts]
    places = []
    for columns in zip(*(mix.places for mix in mixes), strict=True):
        weights = _common_weights(shares, [column.weights.tolist() for column in columns], limit)
        strengths = np.concatenate([column.strengths for column in columns])
        places.append(PlaceDistribution.of(strengths, np.array(weights, dtype=np.int64)))
    weights = _common_weights(shares, [mix.row_weights.tolist() for mix in mixes], limit)
    sample = StrengthMix.of_rows(np.concatenate([mix.rows for mix in mixes]), np.array(weights, dtype=np.int64))
    ends = np.cumsum([weight for weight, _ in parts])

    def draw(generator: np.random.Generator) -> Arrangement:
        chosen = np.searchsorted(ends, generator.integers(whole), side="right")
        return parts[int(chosen)][1].draw(generator)

    sampled = any(mix.sampled for mix in mixes)
    return UnlistedMix(tuple(places), sample.rows, sample.row_weights, sampled=sampled, draw=draw)


def _common_weights(shares: Sequence[Fraction], weights: Sequence[list[int]], limit: int) -> list[int]:
    """Return the weights of all parts, one part after the other, over one total.

    Part i gets `shares[i]` of the total. The total is the common denominator of the parts, which depends on their own
    totals alone, or `limit` with rounding where that denominator is larger.
    """
    units = [share / sum(part) for share, part in zip(shares, weights, strict=True)]
    denominator = math.lcm(*(unit.denominator for unit in units))
    exact = [int(unit * denominator) * weight for unit, part in zip(units, weights, strict=True) for weight in part]
    return exact if denominator <= limit else apportion(exact, limit)
