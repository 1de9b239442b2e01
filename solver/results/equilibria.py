"""An equilibrium with the arrangement that is drawn from it: what is written of `equilibrium`, and read back."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from solver.errors import QuintetError, ResultError
from solver.game.arrangement import Arrangement
from solver.game.deal import Deal
from solver.game.rules import Rules
from solver.results.packets import Packet, packets_of
from solver.results.shared_fields import figure_fields, header
from solver.strategies.mixed_strategy import MixedStrategy
from solver.system.files import read_json
from solver.system.json_document import Document

if TYPE_CHECKING:
    # As for best responses: who only writes other documents shall not wait for the solver to load.
    from solver.equilibrium.result import Equilibrium


@dataclass(frozen=True, slots=True)
class EquilibriumResult:
    """An equilibrium and one arrangement drawn from it.

    Parameters
    ----------
    equilibrium
        The equilibrium.
    seed
        What the arrangement is drawn with.
    """

    equilibrium: "Equilibrium"
    seed: int

    @property
    def play(self) -> Arrangement:
        """The drawn arrangement."""
        return draw(self.equilibrium.strategies, self.seed)

    @property
    def packets(self) -> tuple[Packet, ...]:
        """What the packets of the drawn arrangement are against the mix itself, place 1 first."""
        rules = self.equilibrium.rules
        return packets_of(self.play, rules, self.equilibrium.strategies.strength_mix(rules))

    def document(self, tolerance: float) -> Document:
        """Return the document of the result."""
        equilibrium = self.equilibrium
        mix = equilibrium.strategies
        return {
            **header("equilibrium", equilibrium.deal, equilibrium.rules, equilibrium.objective, self.seed),
            "status": equilibrium.status.value,
            **figure_fields("exploitability", equilibrium.exploitability_exact),
            "tolerance": tolerance,
            "iterations": equilibrium.iterations,
            "undominated_partitions": equilibrium.undominated_partitions,
            "total_weight": mix.total,
            "strategies": mix.records(),
            "play": self.play.packet_texts(),
        }


def draw(mix: MixedStrategy, seed: int) -> Arrangement:
    """Return the arrangement that a seed draws from a mix."""
    return mix.draw(np.random.default_rng(seed))


def read_equilibrium(path: str, deal: Deal, rules: Rules, objective: str) -> MixedStrategy:
    """Return the mix of a saved equilibrium document.

    Raises
    ------
    FileError
        If the file cannot be read.
    ResultError
        If it is no such document, one of another deal, objective or rule set, or its strategies are no mix.
    """
    document = read_json(path)
    fields = header("equilibrium", deal, rules, objective, None)
    for name in ("schema", "deal", "objective", "rules"):
        if not isinstance(document, dict) or document.get(name) != fields[name]:
            raise ResultError(f"{path}: not a saved equilibrium of this game: its {name} is another")
    try:
        return MixedStrategy.from_records(document.get("strategies"), deal, rules)
    except QuintetError as error:
        raise ResultError(f"{path}: {error}") from None
