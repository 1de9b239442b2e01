"""Throughput of `evaluate_hands` beside published Python evaluators, on the same hands in one run.

Each peer gets the hands in the form it is fastest with, prepared outside the clock, and is called through the quickest
entry that takes five cards. Before anything is timed, its answers must give the same order and the same ties as ours.
The evaluators take turns, so that a disturbance of the machine meets all of them.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from itertools import chain, combinations, starmap
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.reporting.figures import BarChart, Figure
from benchmarks.reporting.summary import ABSENT, Record, grouped
from benchmarks.reporting.tables import Table, number_text
from solver.game.cards import FULL_PACK, PACK, PACKET_SIZE
from solver.game.evaluator import evaluate_hands

IntArray = npt.NDArray[np.int64]
NAMES = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
SEED = 0

TITLE = "Evaluator"
LESSON = "How many five-card hands a second are evaluated, beside published evaluators in their fastest form."
SIZES = {"tiny": (2_000, 1), "quick": (200_000, 3), "full": (1_000_000, 9)}
"""Hands of each pack at most, and rounds."""


@dataclass(frozen=True, slots=True)
class Evaluator:
    """One contestant: how it wants its hands, and one call that evaluates them all."""

    name: str
    call: str
    version: str
    prepare: Callable[[IntArray], Any]
    evaluate: Callable[[Any], Iterable[int]]
    larger_is_stronger: bool


def quintet() -> Evaluator:
    return Evaluator("quintet", "evaluate_hands", f"numpy {np.__version__}", lambda hands: hands, evaluate_hands, True)


def eval7() -> Evaluator:
    module = import_module("eval7")
    cards = [module.Card(name) for name in NAMES]
    return Evaluator(
        "eval7",
        "evaluate",
        version("eval7"),
        lambda hands: [[cards[card] for card in hand] for hand in hands.tolist()],
        lambda prepared: list(map(module.evaluate, prepared)),
        True,
    )


def treys() -> Evaluator:
    module = import_module("treys")
    cards = [module.Card.new(name) for name in NAMES]
    five = module.Evaluator()._five  # what the public `evaluate` calls once it has counted the cards
    return Evaluator(
        "treys",
        "_five",
        version("treys"),
        lambda hands: [tuple(cards[card] for card in hand) for hand in hands.tolist()],
        lambda prepared: list(map(five, prepared)),
        False,
    )


def phevaluator() -> Evaluator:
    try:  # the compiled function behind the public one, which converts every card first
        name, five = "_pheval.evaluate_5cards", import_module("phevaluator._pheval").evaluate_5cards
    except ImportError:  # releases before 0.6 are plain Python
        name, five = "evaluate_cards", import_module("phevaluator").evaluate_cards
    return Evaluator(
        "phevaluator",
        name,
        version("phevaluator"),
        lambda hands: [tuple(hand) for hand in hands.tolist()],
        lambda prepared: list(starmap(five, prepared)),
        False,
    )


PEERS = {"eval7": eval7, "treys": treys, "phevaluator": phevaluator}


def run(size: str) -> list[Record]:
    """Time all evaluators on both packs; one record for each pair."""
    sample, rounds = SIZES[size]
    evaluators, absent = [quintet()], []
    for name, make in PEERS.items():
        try:
            evaluators.append(make())
        except ImportError:
            absent.append(name)
    records: list[Record] = []
    for pack, hands in shuffled_packs(sample).items():
        group = f"{pack}-card pack, {len(hands):,} hands"
        prepared = [evaluator.prepare(hands) for evaluator in evaluators]
        check_agreement(evaluators, prepared, hands)
        seconds = time_in_turns(evaluators, prepared, rounds)
        for evaluator, times in zip(evaluators, seconds, strict=True):
            records.append(
                {
                    "group": group,
                    "contestant": evaluator.name,
                    "mode": f"{evaluator.call}, {evaluator.version}",
                    "status": "measured",
                    "million_per_second": len(hands) / median(times) / 1e6,
                    "worst_million_per_second": len(hands) / max(times) / 1e6,
                    "ours_over_it": median(times) / median(seconds[0]),
                }
            )
        records += [{"group": group, "contestant": name, "status": ABSENT} for name in absent]
    return records


def shuffled_packs(sample: int) -> dict[int, IntArray]:
    """All hands of each pack in random order, or the first `sample` of them."""
    generator = np.random.default_rng(SEED)
    return {len(pack): generator.permutation(all_hands(pack))[:sample].copy() for pack in (PACK, FULL_PACK)}


def all_hands(pack: range) -> IntArray:
    return np.fromiter(chain.from_iterable(combinations(pack, PACKET_SIZE)), dtype=np.int64).reshape(-1, PACKET_SIZE)


def check_agreement(evaluators: list[Evaluator], prepared: list[Any], hands: IntArray) -> None:
    """Raise if an evaluator orders or ties any two of the hands otherwise than the first one."""
    ours: IntArray | None = None
    for evaluator, arguments in zip(evaluators, prepared, strict=True):
        values = np.asarray(evaluator.evaluate(arguments), dtype=np.int64)
        _, classes = np.unique(values if evaluator.larger_is_stronger else -values, return_inverse=True)
        ours = classes if ours is None else ours
        different = np.flatnonzero(classes != ours)
        if len(different):
            hand = " ".join(NAMES[card] for card in hands[different[0]])
            raise RuntimeError(f"{evaluator.name} and {evaluators[0].name} differ on {len(different)} hands: {hand}")


def time_in_turns(evaluators: list[Evaluator], prepared: list[Any], rounds: int) -> list[list[float]]:
    seconds: list[list[float]] = [[] for _ in evaluators]
    for _ in range(rounds):
        for evaluator, arguments, times in zip(evaluators, prepared, seconds, strict=True):
            evaluator.evaluate(arguments)  # off the clock: the others have emptied the caches
            start = perf_counter()
            evaluator.evaluate(arguments)
            times.append(perf_counter() - start)
    return seconds


def tables(records: list[Record]) -> list[Table]:
    """Return millions of hands a second, median and worst round, and how many times as fast ours is."""
    rows = []
    for record in records:
        if record["status"] == ABSENT:
            rows.append((record["group"], record["contestant"], "", ABSENT, "", ""))
            continue
        numbers = (
            number_text(record[key]) for key in ("million_per_second", "worst_million_per_second", "ours_over_it")
        )
        rows.append((record["group"], record["contestant"], record["mode"], *numbers))
    header = ("hands", "evaluator", "call", "million/s, median", "million/s, worst", "ours / it")
    return [Table("Hands a second on one core", header, tuple(rows))]


def figures(records: list[Record]) -> list[Figure]:
    """Return one bar chart a pack."""
    measured = grouped((record for record in records if record["status"] != ABSENT), lambda record: record["group"])
    return [
        BarChart(
            f"evaluator-{group.split('-')[0]}",
            f"Evaluator throughput: {group}",
            "million hands a second on one core",
            {record["contestant"]: record["million_per_second"] for record in members},
        )
        for group, members in measured.items()
    ]
