"""Hot paths that evaluate hands."""

import numpy as np

from solver.game.cards import PACK
from solver.game.deal import random_deals
from solver.game.evaluator import evaluate_hands
from solver.game.hand_table import hands_of

DEAL = next(random_deals(0, 1))


def test_evaluate_hands(benchmark):
    generator = np.random.default_rng(0)
    hands = np.array([generator.choice(PACK, 5, replace=False) for _ in range(20_000)], dtype=np.int64)
    strengths = benchmark(evaluate_hands, hands)
    assert len(strengths) == len(hands)


def test_hand_table_of_a_deal(benchmark):
    table = benchmark(hands_of, DEAL)
    assert len(table.hands) == 53_130
