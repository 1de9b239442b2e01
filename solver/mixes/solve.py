"""Mixes that a person can play: choice of the method, certificates, and what is known of the answer."""

import dataclasses
from fractions import Fraction

import numpy as np
from threadpoolctl import threadpool_limits

from solver.dominance.undominated_arrangements import ArrangementTable
from solver.equilibrium.certificate import GAME_VALUES, certified_exploitability, require_zero_sum
from solver.equilibrium.result import Equilibrium
from solver.equilibrium.solve import default_tolerance, solve_equilibrium
from solver.errors import InternalError, PayoffError
from solver.game.arrays import FloatArray, IntArray
from solver.game.deal import Deal
from solver.game.rules import Rules
from solver.mixes.game import MixGame
from solver.mixes.limited import limited_mix
from solver.mixes.proof import SafeProof, model_values, proven_bound
from solver.mixes.question import MixLimits
from solver.mixes.result import Mix, MixStatus
from solver.mixes.safe import FoundMix, safe_mix
from solver.strategies.mixed_strategy import MixedStrategy
from solver.strategies.objectives import Objective
from solver.strategies.rounding import apportion_probabilities, largest_total
from solver.strategies.strength_mix import StrengthMix
from solver.system.limits import NO_LIMITS, Limits

_GAP = Fraction(1, 10**6)
_MULTIPLIERS = 1 << 50


def solve_mix(
    deal: Deal,
    model: StrengthMix | None = None,
    asked: MixLimits | None = None,
    objective: str = "margin",
    rules: Rules | None = None,
    *,
    trust: Fraction | None = None,
    limits: Limits = NO_LIMITS,
) -> Mix:
    """Find a mix that keeps to limits: the least exploitable one, or the one that gains most against a model.

    Parameters
    ----------
    deal
        The cards that both players hold.
    model
        The opponent, or None.
    asked
        The limits; with a model and without a risk in them, the least exploitability that they allow.
    objective
        ``margin`` or ``win``.
    rules
        Rule set; the default one if omitted.
    trust
        Where no risk is asked for: the share of the exploitability of the best response to the model to be risked.
    limits
        When to stop before; the undominated partitions and the certificates are always finished.

    Raises
    ------
    PayoffError
        If the objective is no zero-sum one, or a risk is given without a model.
    """
    asked = asked or MixLimits()
    require_zero_sum(objective)
    if model is None and asked.risk is not None:
        raise PayoffError("a risk without an opponent: expected a model to gain from (--opponent)")
    with threadpool_limits(limits=1, user_api="blas"):
        return _Search(deal, model, asked, objective, rules or Rules(), limits).run(trust)


class _Search:
    """One question, and what all steps of its answer need."""

    def __init__(
        self,
        deal: Deal,
        model: StrengthMix | None,
        asked: MixLimits,
        objective: str,
        rules: Rules,
        limits: Limits,
    ) -> None:
        self._deal, self._model, self._asked = deal, model, asked
        self._objective, self._rules, self._limits = objective, rules, limits
        self._tolerance = Fraction(default_tolerance(objective, rules))
        self._equilibrium: Equilibrium = solve_equilibrium(
            deal, objective, rules, time_limit=limits.seconds_left, interrupt=limits.interrupt
        )
        self._table = ArrangementTable(self._equilibrium.partitions, rules)
        self._game = MixGame(self._table, objective)
        self._support = self._table.indices_of(self._equilibrium.strategies)
        self._values: IntArray | None = None
        self._denominator = 1
        if model is not None:
            self._values, self._denominator = model_values(self._table.partitions, model, objective, rules)

    def run(self, trust: Fraction | None) -> Mix:
        """Answer."""
        if self._model is None:
            return self._least()
        if self._asked.risk is not None:
            return self._most("given")
        if trust is not None:
            self._asked = dataclasses.replace(self._asked, risk=trust * self._risk_of_best_response())
            return self._most("fitted player")
        if not self._asked.limited:
            self._asked = dataclasses.replace(self._asked, risk=Fraction(0))
            return self._most("equilibrium tolerance")
        least = self._least()
        self._asked = dataclasses.replace(self._asked, risk=least.exploitability)
        return self._most("least found", least)

    def _least(self) -> Mix:
        """Return the least exploitable mix."""
        if not self._asked.limited:
            strategies, bound = self._equilibrium.strategies, Fraction(0)
        else:
            found = limited_mix(self._game, self._support, self._asked, limits=self._limits)
            strategies = self._strategies(found.indices, found.probabilities, found.shares)
            bound = Fraction(0)
            if found.bound is not None:
                scale = self._game.unit * self._game.largest
                bound = max(bound, Fraction(found.bound) * scale - self._tolerance)
        exploitability = self._exploitability(strategies)
        bound = min(bound, exploitability)
        status = self._status(exploitability - bound)
        return self._mix(strategies, exploitability, None, bound, status, "least found", None)

    def _most(self, source: str, least: Mix | None = None) -> Mix:
        """Return the mix that gains most within the risk."""
        asked_risk = self._asked.risk or Fraction(0)
        allowed = asked_risk + self._tolerance
        unit = float(self._game.unit)
        risk = float(asked_risk + self._tolerance * Fraction(19, 20)) / unit
        gains = self._gains()
        safe = safe_mix(self._game, gains, risk, self._support, limits=self._limits)
        proof = self._proof(safe, allowed)
        bound = self._bound(proof)
        if not self._asked.limited:
            strategies = self._kept(self._strategies(safe.indices, safe.probabilities, None), allowed)
            exploitability = self._exploitability(strategies)
            gain = self._gain(strategies)
            if exploitability > allowed:
                # Stopped before even an equilibrium was there to be mixed in.
                stopped = MixStatus.INTERRUPTED if self._limits.interrupted else MixStatus.TIME_LIMIT
                status = stopped if self._limits.reached else MixStatus.NONE_FOUND
                return self._mix(strategies, exploitability, gain, max(bound, gain), status, source, None)
            return self._mix(strategies, exploitability, gain, bound, self._status(bound - gain), source, proof)
        found = limited_mix(self._game, self._support, self._asked, gains, risk, self._limits)
        strategies = self._strategies(found.indices, found.probabilities, found.shares)
        exploitability = self._exploitability(strategies)
        gain = self._gain(strategies)
        least = least or (self._least() if exploitability > allowed else None)
        if least is not None and (exploitability > allowed or self._gain(least.strategies) > gain):
            strategies, exploitability = least.strategies, least.exploitability
            gain = self._gain(strategies)
        if exploitability > allowed and least is not None:
            status = MixStatus.INFEASIBLE if least.bound > allowed else MixStatus.NONE_FOUND
            return self._mix(strategies, exploitability, gain, max(bound, gain), status, source, None)
        if found.bound is not None:
            scale = self._game.unit * self._game.largest
            shift = GAME_VALUES[self._objective]
            bound = min(bound, -Fraction(found.bound) * scale + shift + self._tolerance)
        bound = max(bound, gain)
        return self._mix(strategies, exploitability, gain, bound, self._status(bound - gain), source, None)

    def _mix(
        self,
        strategies: MixedStrategy,
        exploitability: Fraction,
        gain: Fraction | None,
        bound: Fraction,
        status: MixStatus,
        source: str,
        proof: SafeProof | None,
    ) -> Mix:
        return Mix(
            self._deal,
            self._rules,
            self._objective,
            self._asked,
            source,
            strategies,
            gain,
            exploitability,
            bound,
            status,
            proof,
            self._table.partitions,
        )

    def _status(self, gap: Fraction) -> MixStatus:
        unit = 1 if self._objective == Objective.WIN else Fraction(sum(self._rules.weights), 25)
        if gap <= _GAP * unit:
            return MixStatus.OPTIMAL
        if self._limits.interrupted:
            return MixStatus.INTERRUPTED
        return MixStatus.TIME_LIMIT if self._limits.expired else MixStatus.FEASIBLE

    def _strategies(self, indices: IntArray, probabilities: FloatArray, shares: IntArray | None) -> MixedStrategy:
        """Return the mix with integer weights, the likeliest arrangement first."""
        weights = shares
        if weights is None:
            weights = apportion_probabilities(probabilities, largest_total(self._rules.weights))
        played = np.lexsort((indices, -weights))[: np.count_nonzero(weights)]
        return MixedStrategy(
            tuple(self._table.arrangement(index) for index in indices[played].tolist()),
            tuple(weights[played].tolist()),
        )

    def _kept(self, strategies: MixedStrategy, allowed: Fraction) -> MixedStrategy:
        """Return a mix within the risk: the given one, or with as little of the equilibrium in it as that takes."""
        made, least = self._exploitability(strategies), self._equilibrium.exploitability_exact
        if made <= allowed or made <= least:
            return strategies
        if least >= allowed:
            return self._equilibrium.strategies
        share = float((allowed - least) / (made - least)) * (1 - 1e-12)
        both = {
            arrangement: share * probability
            for arrangement, probability in zip(strategies.arrangements, strategies.probabilities, strict=True)
        }
        safer = self._equilibrium.strategies
        for arrangement, probability in zip(safer.arrangements, safer.probabilities, strict=True):
            both[arrangement] = both.get(arrangement, 0.0) + (1 - share) * probability
        weights = apportion_probabilities(np.array(list(both.values())), largest_total(self._rules.weights))
        kept = [(each, weight) for each, weight in zip(both, weights.tolist(), strict=True) if weight]
        mixed = MixedStrategy(tuple(each for each, _ in kept), tuple(weight for _, weight in kept))
        return mixed if self._exploitability(mixed) <= allowed else safer

    def _exploitability(self, strategies: MixedStrategy) -> Fraction:
        mix = strategies.strength_mix(self._rules)
        return certified_exploitability(self._table.partitions, mix, self._objective, self._rules)

    def _known_values(self) -> IntArray:
        """Return the value of every undominated arrangement against the model, shape (m, n!)."""
        if self._values is None:
            raise InternalError("values against a model without one")
        return self._values

    def _risk_of_best_response(self) -> Fraction:
        """Return the exploitability of the best response to the model."""
        return self._exploitability(MixedStrategy.pure(self._table.arrangement(int(self._known_values().argmax()))))

    def _gains(self) -> FloatArray:
        """Return the gains against the model beyond the value of the game, in whole numbers of payoff."""
        shift = float(GAME_VALUES[self._objective])
        gains: FloatArray = (self._known_values().ravel() / self._denominator - shift) / float(self._game.unit)
        return gains

    def _gain(self, strategies: MixedStrategy) -> Fraction:
        """Return what a mix of undominated arrangements gains against the model, exactly."""
        values = self._known_values().ravel()
        total = sum(
            weight * int(values[self._table.indices_of(MixedStrategy.pure(arrangement))[0]])
            for arrangement, weight in zip(strategies.arrangements, strategies.weights, strict=True)
        )
        return Fraction(total, strategies.total * self._denominator)

    def _proof(self, found: FoundMix, allowed: Fraction) -> SafeProof:
        """Return the multipliers as integers over one denominator, as fine as exact sums allow."""
        # Multipliers are per whole number of payoff scaled as the costs are: gain per payoff, both in the same unit.
        total = float(found.multipliers.sum())
        if total == 0:
            return SafeProof(None, 1, allowed)
        denominator = 1 << int(np.log2(_MULTIPLIERS / (sum(self._rules.weights) * max(total, 1.0))))
        weights = np.rint(found.multipliers * denominator).astype(np.int64)
        kept = np.flatnonzero(weights)
        if not len(kept):
            return SafeProof(None, 1, allowed)
        answers = tuple(self._table.arrangement(index) for index in found.rows[kept].tolist())
        return SafeProof(MixedStrategy(answers, tuple(weights[kept].tolist())), denominator, allowed)

    def _bound(self, proof: SafeProof) -> Fraction:
        if self._model is None:
            raise InternalError("a bound on a gain without a model")
        return proven_bound(proof, self._table.partitions, self._model, self._objective, self._rules)
