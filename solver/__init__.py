"""Exact best responses and equilibria for the two-player card game Quintet.

The names below are loaded on first use, so that importing the package alone costs nothing.
"""

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from solver.best_response.result import BestResponse as BestResponse
    from solver.best_response.solve import solve_best_response as solve_best_response
    from solver.dominance.partitions import undominated_partitions as undominated_partitions
    from solver.equilibrium.certificate import exploitability as exploitability
    from solver.equilibrium.matrix_game import solve_matrix_game as solve_matrix_game
    from solver.equilibrium.result import Equilibrium as Equilibrium
    from solver.equilibrium.solve import solve_equilibrium as solve_equilibrium
    from solver.errors import InternalError as InternalError
    from solver.errors import QuintetError as QuintetError
    from solver.game.arrangement import Arrangement as Arrangement
    from solver.game.arrangement import score as score
    from solver.game.deal import Deal as Deal
    from solver.game.evaluator import evaluate_hands as evaluate_hands
    from solver.game.rules import Rules as Rules
    from solver.opponents.specification import Opponent as Opponent
    from solver.opponents.specification import parse_opponent as parse_opponent
    from solver.strategies.mixed_strategy import MixedStrategy as MixedStrategy

_HOMES = {
    "Arrangement": "game.arrangement",
    "BestResponse": "best_response.result",
    "Deal": "game.deal",
    "Equilibrium": "equilibrium.result",
    "InternalError": "errors",
    "MixedStrategy": "strategies.mixed_strategy",
    "Opponent": "opponents.specification",
    "QuintetError": "errors",
    "Rules": "game.rules",
    "evaluate_hands": "game.evaluator",
    "exploitability": "equilibrium.certificate",
    "parse_opponent": "opponents.specification",
    "score": "game.arrangement",
    "solve_best_response": "best_response.solve",
    "solve_equilibrium": "equilibrium.solve",
    "solve_matrix_game": "equilibrium.matrix_game",
    "undominated_partitions": "dominance.partitions",
}

__all__ = [*_HOMES]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'solver' has no attribute {name!r}")
    return getattr(importlib.import_module(f"solver.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
