"""A player as `quintet fit` wrote him: read with care, and played on any deal."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from solver.dominance.orders import order_table
from solver.errors import LimitReached, OpponentError
from solver.game.arrays import FloatArray, IntArray
from solver.game.cards import PLACES
from solver.game.rules import Rules
from solver.opponents.models import Setting, UnlistedMix, over_splits
from solver.opponents.player_components import COMPONENTS, NAMED, SPLITS, DealComponents
from solver.strategies.rounding import apportion_probabilities, largest_total
from solver.system.files import read_json

SCHEMA = "quintet.fit/1"
_LARGEST_WEIGHT = 1_000_000_000


@dataclass(frozen=True, slots=True, eq=False)
class FittedPlayer:
    """A mixture of components with a habit of order.

    Parameters
    ----------
    weights
        Shape (len(COMPONENTS),), int64.
    habit
        Shape (120,), int64: of every order of `order_table`.
    rules
        The rule set that the deals were played under.
    """

    weights: IntArray
    habit: IntArray
    rules: Rules

    @classmethod
    def of_document(cls, document: Any) -> "FittedPlayer":
        """Read a document of `quintet fit`.

        Raises
        ------
        OpponentError
            If it is another one, or a part of it has another form.
        """
        if not isinstance(document, dict) or document.get("schema") != SCHEMA:
            raise OpponentError(f"expected a file that `quintet fit` wrote (schema {SCHEMA})")
        weights = np.zeros(len(COMPONENTS), dtype=np.int64)
        for record in _records(document, "components", len(COMPONENTS)):
            name = record.get("name")
            if name not in COMPONENTS:
                raise OpponentError(f"component {_shown(name)} is not known: expected one of {', '.join(COMPONENTS)}")
            weights[COMPONENTS.index(name)] += _weight(record, f"component {name}")
        table = order_table(PLACES)
        numbers = {tuple(order): index for index, order in enumerate((table + 1).tolist())}
        habit = np.zeros(len(table), dtype=np.int64)
        for record in _records(document, "orders", len(table)):
            order = record.get("order")
            key = tuple(order) if isinstance(order, list) and all(type(each) is int for each in order) else ()
            if key not in numbers:
                raise OpponentError(f"order {_shown(order)}: expected the numbers 1 to {PLACES}, each once")
            habit[numbers[key]] += _weight(record, f"order {_shown(order)}")
        if not weights.any() or (weights[len(NAMED) :].any() and not habit.any()):
            raise OpponentError("all weights are 0: expected at least one component and one order that is played")
        return cls(weights, habit, _rules(document.get("rules")))

    def chances(self, components: DealComponents) -> tuple[FloatArray, FloatArray]:
        """Return the chances of undominated partitions, (m, n!), and of careless splits, (k, n!), in every order."""
        shares, habit = self.weights / self.weights.sum(), self.habit / max(1, self.habit.sum())
        orders = len(habit)
        partitions = np.zeros((len(components.partitions), orders))
        for name, share in zip(NAMED, shares[: len(NAMED)], strict=True):
            if share:
                partitions += share * components.named(name)
        for name, share in zip(SPLITS[:-1], shares[len(NAMED) : -1], strict=True):
            if share:
                partitions += share * components.split(name)[:, None] * habit
        if not shares[-1]:
            return partitions, np.zeros((0, orders))
        count = len(components.careless[0])
        return partitions, np.tile(shares[-1] / count * habit, (count, 1))


def fitted(path: str, setting: Setting) -> UnlistedMix:
    """Return the player of a file as he plays this deal.

    Raises
    ------
    OpponentError
        If the file holds no fitted player, or one of other rules.
    """
    try:
        player = FittedPlayer.of_document(read_json(path))
    except OpponentError as error:
        raise OpponentError(f"{path}: {error}") from None
    if player.rules != setting.rules:
        raise OpponentError(f"{path}: fitted under {_named(player.rules)}, not under {_named(setting.rules)}")
    if setting.deal.places != PLACES:
        raise OpponentError(f"{path}: expected a deal of {PLACES} packets, not {setting.deal.places}")
    components = DealComponents(setting.deal, setting.rules, setting.limits)
    try:
        partitions, slips = player.chances(components)
    except LimitReached:
        raise LimitReached("the fitted opponent was not ready") from None
    strengths, hands = components.partitions.strengths, components.partitions.hands
    if len(slips):
        strengths = np.concatenate([strengths, components.careless[0]])
        hands = np.concatenate([hands, components.careless[1]])
    probabilities = np.concatenate([partitions, slips])
    weights = apportion_probabilities(probabilities.ravel(), largest_total(setting.rules.weights))
    sample_of = setting if len(slips) else None
    return over_splits(strengths, hands, weights.reshape(probabilities.shape), sample_of=sample_of)


def proposed_trust(specs: Sequence[str]) -> Fraction | None:
    """Return the share of a best response's exploitability that a file proposes to risk, if it is the only opponent.

    Raises
    ------
    OpponentError
        If the file proposes none from 0 to 1.
    """
    name, _, path = specs[0].strip().partition(":") if len(specs) == 1 else ("", "", "")
    if name != "fitted":
        return None
    document = read_json(path)
    risk = document.get("risk") if isinstance(document, dict) else None
    share = risk.get("share") if isinstance(risk, dict) else None
    if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share <= 1:
        raise OpponentError(f"{path}: expected `risk` with `share`, a number from 0 to 1")
    return Fraction(repr(share))


def _named(rules: Rules) -> str:
    low = " with the low ace" if rules.ace_low else ""
    return f"{rules.name}{low}, weights {','.join(map(str, rules.weights))}"


def _shown(value: Any) -> str:
    return json.dumps(value)[:40]


def _records(document: dict[str, Any], key: str, most: int) -> list[dict[str, Any]]:
    records = document.get(key)
    if not isinstance(records, list) or len(records) > most or not all(isinstance(each, dict) for each in records):
        raise OpponentError(f"expected `{key}` to be a list of at most {most} objects")
    names = sorted(_shown(each.get("name", each.get("order"))) for each in records)
    for first, second in pairwise(names):
        if first == second:
            raise OpponentError(f"`{key}` has {first} twice")
    return records


def _weight(record: dict[str, Any], what: str) -> int:
    weight = record.get("weight")
    if type(weight) is not int or not 0 <= weight <= _LARGEST_WEIGHT:
        raise OpponentError(f"{what}: expected `weight` to be a whole number from 0 to {_LARGEST_WEIGHT}")
    return weight


def _rules(fields: Any) -> Rules:
    form = {"name": str, "ace_low": bool, "weights": list}
    if not isinstance(fields, dict) or any(type(fields.get(key)) is not kind for key, kind in form.items()):
        raise OpponentError("expected `rules` with `name`, `ace_low` and `weights`")
    if any(type(weight) is not int for weight in fields["weights"]):
        raise OpponentError("expected `weights` of the rules to be whole numbers")
    return Rules(fields["name"], fields["ace_low"], tuple(fields["weights"]))
