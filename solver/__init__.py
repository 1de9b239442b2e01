"""Exact best responses and equilibria for the two-player card game Quintet.

The names below are loaded on first use, so that importing the package alone costs nothing.
"""

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from solver.arrangement import Arrangement as Arrangement
    from solver.arrangement import score as score
    from solver.best_response import BestResponse as BestResponse
    from solver.best_response import solve_best_response as solve_best_response
    from solver.certificate import exploitability as exploitability
    from solver.deal import Deal as Deal
    from solver.double_oracle import Equilibrium as Equilibrium
    from solver.double_oracle import solve_equilibrium as solve_equilibrium
    from solver.errors import InternalError as InternalError
    from solver.errors import QuintetError as QuintetError
    from solver.evaluator import evaluate_hands as evaluate_hands
    from solver.matrix_game import solve_matrix_game as solve_matrix_game
    from solver.mixed_strategy import MixedStrategy as MixedStrategy
    from solver.opponents import Opponent as Opponent
    from solver.opponents import parse_opponent as parse_opponent
    from solver.partitions import undominated_partitions as undominated_partitions
    from solver.rules import Rules as Rules

_HOMES = {
    "Arrangement": "arrangement",
    "BestResponse": "best_response",
    "Deal": "deal",
    "Equilibrium": "double_oracle",
    "InternalError": "errors",
    "MixedStrategy": "mixed_strategy",
    "Opponent": "opponents",
    "QuintetError": "errors",
    "Rules": "rules",
    "evaluate_hands": "evaluator",
    "exploitability": "certificate",
    "parse_opponent": "opponents",
    "score": "arrangement",
    "solve_best_response": "best_response",
    "solve_equilibrium": "double_oracle",
    "solve_matrix_game": "matrix_game",
    "undominated_partitions": "partitions",
}

__all__ = [*_HOMES]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'solver' has no attribute {name!r}")
    return getattr(importlib.import_module(f"solver.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
