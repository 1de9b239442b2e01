"""Throughput of `evaluate_hands` beside published Python evaluators, on the same hands in one run.

Each peer gets the hands in the form it is fastest with, prepared outside the clock, and is called through the quickest
entry that takes five cards. Before anything is timed, its answers must give the same order and the same ties as ours.
The evaluators take turns, so that a disturbance of the machine meets all of them.

    python -m benchmarks.evaluator_study [--quick]
"""

import sys
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

from solver.cards import FULL_PACK, PACK, PACKET_SIZE
from solver.evaluator import evaluate_hands

IntArray = npt.NDArray[np.int64]
NAMES = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
SEED = 0


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


def run(quick: bool) -> list[dict[str, Any]]:
    """Time all evaluators on both packs; one record for each pair, hands a second in millions."""
    evaluators, absent = [quintet()], []
    for name, make in PEERS.items():
        try:
            evaluators.append(make())
        except ImportError:
            absent.append(name)
    records = []
    for pack, hands in shuffled_packs(sample=200_000 if quick else 1_000_000).items():
        prepared = [evaluator.prepare(hands) for evaluator in evaluators]
        check_agreement(evaluators, prepared, hands)
        seconds = time_in_turns(evaluators, prepared, rounds=3 if quick else 9)
        for evaluator, times in zip(evaluators, seconds, strict=True):
            records.append(
                {
                    "pack": pack,
                    "hands": len(hands),
                    "evaluator": evaluator.name,
                    "call": evaluator.call,
                    "version": evaluator.version,
                    "status": "measured",
                    "median": len(hands) / median(times) / 1e6,
                    "worst": len(hands) / max(times) / 1e6,
                    "ours_over_it": median(times) / median(seconds[0]),
                }
            )
        records += [{"pack": pack, "evaluator": name, "status": "absent"} for name in absent]
    return records


def shuffled_packs(sample: int) -> dict[int, IntArray]:
    """All hands of the 32-card pack and a sample of those of the 52-card pack, both in random order."""
    generator = np.random.default_rng(SEED)
    packs = {len(pack): generator.permutation(all_hands(pack)) for pack in (PACK, FULL_PACK)}
    packs[len(FULL_PACK)] = packs[len(FULL_PACK)][:sample].copy()
    return packs


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


def print_table(records: list[dict[str, Any]]) -> None:
    print(f"{'pack':>4} {'hands':>9}  {'evaluator':<46} {'median M/s':>10} {'worst M/s':>10} {'ours over it':>12}")
    for record in records:
        if record["status"] == "absent":
            print(f"{record['pack']:>4} {'':>9}  {record['evaluator']:<46} {'absent':>10}")
            continue
        name = f"{record['evaluator']} {record['call']} ({record['version']})"
        figures = f"{record['median']:>10.1f} {record['worst']:>10.1f} {record['ours_over_it']:>12.1f}"
        print(f"{record['pack']:>4} {record['hands']:>9}  {name:<46} {figures}")


if __name__ == "__main__":
    print_table(run(quick="--quick" in sys.argv[1:]))
