"""A player fitted to recorded deals, as a document and as figures for text."""

from collections.abc import Callable
from dataclasses import dataclass

from solver.dominance.orders import order_table
from solver.game.rules import Rules
from solver.opponents.fitted_player import SCHEMA
from solver.opponents.player_components import COMPONENTS, DealComponents, Observation
from solver.opponents.player_fit import FLOOR, PlayerFit, fit_player
from solver.results.recorded_deals import RecordedDeals
from solver.results.shared_fields import header
from solver.system.json_document import Document

HALF_TRUST = 20
"""Deals after which half the exploitability of a best response is worth risking: n0 of R(n) = R_max n / (n + n0)."""


@dataclass(frozen=True, slots=True, eq=False)
class FitResult:
    """A fitted player and what he was fitted to.

    Parameters
    ----------
    fit
        The player.
    deals
        Number of deals that count.
    outside
        Number of them that no component can lay.
    greedy_splits
        Number of them with the greedy split.
    strongest_places
        Number of them with the strongest packet in place 1, 2, …; of tied packets the last.
    recorded, rules
        Where the deals come from.
    """

    fit: PlayerFit
    deals: int
    outside: int
    greedy_splits: int
    strongest_places: tuple[int, ...]
    recorded: RecordedDeals
    rules: Rules

    @classmethod
    def of(
        cls, recorded: RecordedDeals, rules: Rules, progress: Callable[[int], None] = lambda done: None
    ) -> "FitResult":
        """Fit a player; `progress` hears of every deal that has been looked at."""
        observations = list[Observation]()
        strongest = [0] * len(rules.weights)
        for done, arrangement in enumerate(recorded.arrangements, 1):
            strengths = arrangement.strengths(rules)
            observations.append(DealComponents(arrangement.deal, rules).observation(strengths))
            strongest[max(range(len(strengths)), key=lambda place: (strengths[place], place))] += 1
            progress(done)
        return cls(
            fit_player(observations),
            len(observations),
            sum(each.outside for each in observations),
            sum(each.is_greedy for each in observations),
            tuple(strongest),
            recorded,
            rules,
        )

    @property
    def trust(self) -> float:
        """Share of the exploitability of a best response that so many deals justify to risk."""
        return self.deals / (self.deals + HALF_TRUST)

    @property
    def components(self) -> list[tuple[str, int, float]]:
        """The components that have a part, with weight and spread, the largest first."""
        rows = zip(COMPONENTS, self.fit.weights.tolist(), self.fit.spread.tolist(), strict=True)
        return sorted((row for row in rows if row[1]), key=lambda row: -row[1])

    def document(self) -> Document:
        """Return the document; `fitted:FILE` reads it."""
        orders = (order_table(len(self.rules.weights)) + 1).tolist()
        weights = self.fit.habit.tolist()
        log_likelihood = self.fit.log_likelihood
        return {
            **header("fit", None, self.rules, None, None),
            "schema": SCHEMA,
            "deals": self.deals,
            "outside": self.outside,
            "assisted": self.recorded.assisted,
            "components": [
                {"name": name, "weight": weight, "spread": round(spread, 6)} for name, weight, spread in self.components
            ],
            "orders": [
                {"order": order, "weight": weight} for order, weight in zip(orders, weights, strict=True) if weight
            ],
            "log_likelihood": None if log_likelihood is None else round(log_likelihood, 6),
            "floor": FLOOR,
            "compared": [
                {"name": name, "log_likelihood": round(each, 6)}
                for name, each in sorted(self.fit.compared.items(), key=lambda pair: -pair[1])
            ],
            "risk": {"deals": self.deals, "half_trust": HALF_TRUST, "share": round(self.trust, 6)},
            "source": self.recorded.source,
        }
