"""A mix that a person can play: what is written of `mix`."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from solver.errors import LimitReached
from solver.game.arrangement import Arrangement
from solver.game.deal import Deal
from solver.game.rules import Rules
from solver.opponents.fitted_player import proposed_trust
from solver.opponents.specification import parse_opponent
from solver.results.equilibria import draw
from solver.results.shared_fields import exact, figure_fields, header
from solver.strategies.mixed_strategy import MixedStrategy
from solver.system.json_document import Document
from solver.system.limits import NO_LIMITS, Limits

if TYPE_CHECKING:
    from solver.mixes.proof import SafeProof
    from solver.mixes.question import MixLimits
    from solver.mixes.result import Mix


@dataclass(frozen=True, slots=True)
class MixResult:
    """A mix, the model it was asked for, and one arrangement drawn from it.

    Parameters
    ----------
    mix
        The mix.
    specs
        The model as given; empty without one.
    seed
        What the arrangement is drawn with.
    """

    mix: "Mix"
    specs: tuple[str, ...]
    seed: int

    @property
    def play(self) -> Arrangement:
        """The drawn arrangement."""
        return draw(self.mix.strategies, self.seed)

    def document(self) -> Document:
        """Return the document of the result."""
        mix = self.mix
        return {
            **header("mix", mix.deal, mix.rules, mix.objective, self.seed),
            "status": mix.status.value,
            "limits": _limit_fields(mix),
            "opponent": {"spec": list(self.specs)} if self.specs else None,
            **figure_fields("gain", mix.gain),
            **figure_fields("exploitability", mix.exploitability),
            **figure_fields("bound", mix.bound),
            "gap": float(mix.gap),
            "total_weight": mix.strategies.total,
            "strategies": mix.strategies.records(),
            "play": self.play.packet_texts(),
            "proof": None if mix.proof is None else _proof_fields(mix.proof),
        }


def answer_mix(
    deal: Deal,
    specs: tuple[str, ...],
    asked: "MixLimits",
    objective: str,
    rules: Rules,
    seed: int = 0,
    limits: Limits = NO_LIMITS,
) -> MixResult:
    """Build the model and find the mix; without the model, where the limits come before it is ready."""
    from solver.mixes.result import MixStatus
    from solver.mixes.solve import solve_mix

    if not specs:
        return MixResult(solve_mix(deal, None, asked, objective, rules, limits=limits), specs, seed)
    try:
        # The seed is for the drawn arrangement alone: a sampled model is the same whatever it is.
        model = parse_opponent(specs, deal, rules, objective=objective, limits=limits).mix
    except LimitReached:
        least = solve_mix(deal, None, dataclasses.replace(asked, risk=None), objective, rules, limits=limits)
        status = MixStatus.INTERRUPTED if limits.interrupted else MixStatus.TIME_LIMIT
        return MixResult(dataclasses.replace(least, status=status), (), seed)
    mix = solve_mix(deal, model, asked, objective, rules, trust=proposed_trust(specs), limits=limits)
    return MixResult(mix, specs, seed)


def _limit_fields(mix: "Mix") -> Document:
    asked = mix.asked
    risk: Fraction | None = asked.risk
    return {
        "at_most": asked.at_most,
        "splits": asked.splits,
        "shares": asked.shares,
        **figure_fields("risk", risk),
        "risk_source": None if risk is None else mix.risk_source,
    }


def _proof_fields(proof: "SafeProof") -> Document:
    answers = proof.answers
    return {
        "risk_exact": exact(proof.risk),
        "denominator": proof.denominator,
        "answers": []
        if answers is None
        else [
            {"arrangement": arrangement.packet_texts(), "multiplier": weight}
            for arrangement, weight in zip(answers.arrangements, answers.weights, strict=True)
        ],
    }


def curve_document(points: "Sequence[Mix]", specs: tuple[str, ...]) -> Document:
    """Return the document of a curve."""
    first = points[0]
    return {
        **header("mix_curve", first.deal, first.rules, first.objective, None),
        "opponent": {"spec": list(specs)} if specs else None,
        "points": [
            {
                "limits": _limit_fields(mix),
                **figure_fields("gain", mix.gain),
                **figure_fields("exploitability", mix.exploitability),
                **figure_fields("bound", mix.bound),
                "status": mix.status.value,
                "arrangements": len(mix.strategies.arrangements),
            }
            for mix in points
        ],
    }


def answer_curve(
    deal: Deal, specs: tuple[str, ...], objective: str, rules: Rules, limits: Limits = NO_LIMITS
) -> "tuple[Mix, ...]":
    """Return the points of the curve: by risk against a model, by number of arrangements without one."""
    from solver.best_response.solve import solve_best_response
    from solver.mixes.curve import risk_curve, size_curve

    if not specs:
        return size_curve(deal, objective, rules, limits)
    model = parse_opponent(specs, deal, rules, objective=objective, limits=limits).mix
    best = solve_best_response(deal, model, objective, rules, "enumerate").arrangement
    return risk_curve(deal, model, MixedStrategy.pure(best), objective, rules, limits)
