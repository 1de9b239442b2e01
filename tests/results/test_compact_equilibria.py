"""Equilibria in short say what the full documents say."""

import json

import numpy as np
import pytest

from solver.dominance.partitions import undominated_partitions
from solver.errors import InternalError, ResultError
from solver.game.arrangement import Arrangement
from solver.game.rules import Rules
from solver.results.compact_equilibria import arrangement_numbers, claimed_exploitability, full_document
from solver.results.tasks import CompactEquilibriumTask, EquilibriumTask
from solver.system.json_document import to_json
from tests.support.d1 import D1
from tests.support.extreme_deals import EXTREME_DEALS

FEW = EXTREME_DEALS[1].deal

TASKS = [
    EquilibriumTask("margin"),
    EquilibriumTask("win", max_iterations=3, seed=4),
    EquilibriumTask("margin", Rules("telesina", ace_low=True, weights=(1, 1, 2, 3, 5)), tolerance=1e-4),
]


def written(task, deal):
    return json.loads(to_json(CompactEquilibriumTask(task).document_of(deal)))


@pytest.fixture(scope="module")
def record():
    return written(TASKS[0], FEW)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.objective)
@pytest.mark.parametrize("deal", [D1, FEW], ids=["D1", "few"])
def test_the_full_document_comes_back_byte_for_byte(task, deal):
    full = full_document(json.loads(to_json(task.compact_header)), written(task, deal))
    assert to_json(full) == to_json(task.document_of(deal))


def test_numbers_are_positions_in_lexicographic_order(record):
    """The definition, spelled out: vector by vector, order by order."""
    partitions = undominated_partitions(FEW)
    vectors = sorted(map(tuple, partitions.strengths.tolist()))
    full = full_document(TASKS[0].compact_header, record)
    for number, strategy in zip(record["arrangements"], full["strategies"], strict=True):
        strengths = Arrangement.of_texts(strategy["arrangement"]).strengths()
        partition, order = divmod(number, 120)
        assert vectors[partition] == tuple(sorted(strengths))
        left = list(range(5))
        for place in range(5):
            index, order = divmod(order, [24, 6, 2, 1, 1][place])
            assert strengths[place] == vectors[partition][left.pop(index)]


def test_numbers_of_all_arrangements_of_a_deal_are_their_indices():
    partitions = undominated_partitions(D1)
    generator = np.random.default_rng(1)
    for index in generator.integers(len(partitions), size=5).tolist():
        packets = partitions.packets(index)
        assert arrangement_numbers(partitions, [Arrangement(packets), Arrangement(packets[::-1])], Rules()) in (
            [120 * index, 120 * index + 119],
            [120 * index, 120 * index],
        )


def test_a_dominated_arrangement_has_no_number():
    cards = sorted(D1.cards, key=lambda card: (card * 7) % 25)
    packets = tuple(tuple(cards[5 * place : 5 * place + 5]) for place in range(5))
    with pytest.raises(InternalError, match="dominated"):
        arrangement_numbers(undominated_partitions(D1), [Arrangement(packets)], Rules())


@pytest.mark.parametrize(
    ("name", "value", "complaint"),
    [
        ("removed", "7s", "expected 7 cards"),
        ("removed", 7, "must be given as text"),
        ("arrangements", [10**9], "arrangement 1000000000: expected a whole number from 0 to"),
        ("arrangements", [-1], "arrangement -1: expected"),
        ("arrangements", [True], "arrangement True: expected"),
        ("arrangements", 3, "wrong form"),
        ("weights", [0], "weights: expected one each"),
        ("weights", None, "wrong form"),
        ("exploitability_exact", "1e999999999", "expected a fraction"),
        ("exploitability_exact", "1/0", "expected a fraction"),
        ("status", ..., "the field 'status' is missing"),
    ],
)
def test_what_is_no_compact_record_is_refused(record, name, value, complaint):
    changed = {**record, name: value}
    if value is ...:
        del changed[name]
    with pytest.raises(ResultError, match=complaint) as raised:
        full_document(TASKS[0].compact_header, changed)
    assert "\n" not in str(raised.value)


def test_a_record_without_its_header_is_refused(record):
    with pytest.raises(ResultError, match="the field 'rules' is missing"):
        full_document({}, record)


def test_a_claimed_exploitability_is_a_number():
    assert claimed_exploitability({"exploitability_exact": "1/4"}) == 0.25
    for figure in (None, "nan", "9" * 400, "1/0"):
        with pytest.raises(ResultError):
            claimed_exploitability({"exploitability_exact": figure})
