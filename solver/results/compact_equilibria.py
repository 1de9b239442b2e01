"""Equilibria in short, for files of very many: numbers for arrangements, and one header for what all records share.

A strategy is the number of its undominated arrangement: the position of its ascending strength vector among those of
the undominated partitions in lexicographic order, times the number of orders, plus the lexicographic position of its
order (which packet, 0 being the weakest, lies in each place). `full_document` gives the cards again; the exploitability
of a mix depends on strengths alone, so that it holds for any cards that have them.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from solver.dominance.partitions import Partitions, undominated_partitions
from solver.dominance.undominated_arrangements import ArrangementTable
from solver.equilibrium.result import Equilibrium, EquilibriumStatus
from solver.errors import InternalError, QuintetError, ResultError
from solver.game.arrangement import Arrangement
from solver.game.arrays import IntArray
from solver.game.deal import Deal
from solver.game.evaluator import evaluate_hands
from solver.game.notation import format_cards
from solver.game.rules import Rules
from solver.results.equilibria import EquilibriumResult
from solver.results.shared_fields import exact, header, parse_exact
from solver.strategies.mixed_strategy import MixedStrategy
from solver.system.json_document import Document

HEADER_SCHEMA = "quintet.equilibrium_compact_header/1"
RECORD_SCHEMA = "quintet.equilibrium_compact/1"
_FORM_ERRORS = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, InternalError)


def header_document(rules: Rules, objective: str, seed: int, tolerance: float, limits: Document) -> Document:
    """Return the first record of a file: the settings and versions that all others were made with."""
    fields = header("equilibrium", None, rules, objective, seed)
    shared = {name: fields[name] for name in ("rules", "objective", "seed", "versions")}
    return {"schema": HEADER_SCHEMA, **shared, "tolerance": tolerance, "limits": limits}


def compact_document(equilibrium: Equilibrium) -> Document:
    """Return an equilibrium in short.

    Raises
    ------
    InternalError
        If an arrangement of the mix is dominated.
    """
    mix = equilibrium.strategies
    return {
        "schema": RECORD_SCHEMA,
        "removed": format_cards(equilibrium.deal.removed),
        "status": equilibrium.status.value,
        "exploitability_exact": exact(equilibrium.exploitability_exact),
        "iterations": equilibrium.iterations,
        "undominated_partitions": equilibrium.undominated_partitions,
        "arrangements": arrangement_numbers(equilibrium.partitions, mix.arrangements, equilibrium.rules),
        "weights": list(mix.weights),
    }


def arrangement_numbers(partitions: Partitions, arrangements: Sequence[Arrangement], rules: Rules) -> list[int]:
    """Return the number of each arrangement; of orders with the same strengths in all places, the first one's.

    Raises
    ------
    InternalError
        If an arrangement is dominated.
    """
    table = ArrangementTable(partitions, rules)
    hands = np.array([arrangement.packets for arrangement in arrangements], dtype=np.int64)
    strengths: IntArray = evaluate_hands(hands.reshape(-1, hands.shape[2]), rules).reshape(hands.shape[:2])
    weakest_first = np.argsort(strengths, axis=1, kind="stable")
    orders: IntArray = np.argsort(weakest_first, axis=1)
    partition_of = {tuple(row): index for index, row in enumerate(partitions.strengths.tolist())}
    order_of = {tuple(row): index for index, row in enumerate(table.orders.tolist())}
    try:
        return [
            partition_of[tuple(sorted(vector))] * len(table.orders) + order_of[tuple(order)]
            for vector, order in zip(strengths.tolist(), orders.tolist(), strict=True)
        ]
    except KeyError:
        raise InternalError("an arrangement of the mix is dominated") from None


def full_document(head: Document, record: Document) -> Document:
    """Return the record that the same run without ``--compact`` has in place of a compact one.

    Parameters
    ----------
    head
        The first record of the file, a `header_document`.
    record
        A `compact_document`, as a batch writes it: with `id`, `line` and the like.

    Returns
    -------
    dict
        Its figures are those that the record claims; the cards are those in which this version lays partitions out.

    Raises
    ------
    ResultError
        If a field is missing or has the wrong form, or an arrangement has a number that the deal does not have.
    """
    try:
        return _full_document(head, record)
    except QuintetError as error:
        raise ResultError(str(error)) from None
    except KeyError as error:
        raise ResultError(f"the field {error!s:.60} is missing") from None
    except _FORM_ERRORS as error:
        raise ResultError(f"a field has the wrong form: {error!s:.120}") from None


def _full_document(head: Document, record: Document) -> Document:
    rules = Rules(head["rules"]["name"], head["rules"]["ace_low"], tuple(head["rules"]["weights"]))
    deal = Deal.from_removed(record["removed"])
    table = ArrangementTable(undominated_partitions(deal, rules), rules)
    numbers = [_number(number, table.size) for number in record["arrangements"]]
    mix = MixedStrategy(tuple(map(table.arrangement, numbers)), tuple(record["weights"]))
    equilibrium = Equilibrium(
        deal,
        rules,
        head["objective"],
        mix,
        parse_exact(record["exploitability_exact"]),
        record["iterations"],
        EquilibriumStatus(record["status"]),
        table.partitions,
        history=(),
    )
    named: Document = {name: record[name] for name in ("id", "line", "multiplicity") if name in record}
    document = {
        **EquilibriumResult(equilibrium, head["seed"]).document(head["tolerance"]),
        "undominated_partitions": record["undominated_partitions"],
        "versions": head["versions"],
        "limits": head["limits"],
    }
    timed: Document = {"timings": record["timings"]} if "timings" in record else {}
    return {"schema": document["schema"], **named, **document, **timed}


def _number(number: Any, size: int) -> int:
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < size:
        raise ResultError(f"arrangement {number!r:.40}: expected a whole number from 0 to {size - 1}")
    return number


def claimed_exploitability(record: Document) -> float:
    """Return the exploitability that a compact record claims, in the unit of its objective.

    Raises
    ------
    ResultError
        If it is no fraction in lowest terms.
    """
    figure: Fraction = parse_exact(record.get("exploitability_exact"))
    try:
        return float(figure)
    except OverflowError:
        raise ResultError(f"exploitability {figure!s:.40}: too large") from None
