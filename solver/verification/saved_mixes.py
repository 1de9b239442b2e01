"""What a saved mix claims: its limits, its figures, and the bound that its proof gives."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from solver.best_response.problem import ResponseProblem
from solver.dominance.partitions import undominated_partitions
from solver.equilibrium.certificate import exploitability
from solver.equilibrium.solve import default_tolerance
from solver.errors import ResultError
from solver.mixes.proof import SafeProof, proven_bound
from solver.mixes.question import MixLimits
from solver.mixes.result import MixStatus
from solver.mixes.solve import solve_mix
from solver.opponents.specification import parse_opponent
from solver.results.equilibria import draw
from solver.results.shared_fields import deal_fields, exact, parse_exact
from solver.strategies.mixed_strategy import MixedStrategy
from solver.strategies.strength_mix import StrengthMix
from solver.verification.checks import NOT_PROVEN, Check, Claim


def mix_checks(claim: Claim) -> Iterator[Check]:
    """Check a result of `mix` claim by claim, and prove its bound again."""
    document, deal, rules = claim.document, claim.deal, claim.rules
    yield claim.same("deal", deal_fields(deal))
    mix = MixedStrategy.from_records(document["strategies"], deal, rules)
    yield claim.same("strategies", mix.records())
    yield claim.same("total_weight", mix.total)
    asked = _limits(document["limits"])
    yield _kept(mix, asked, claim)
    made = exploitability(deal, mix, claim.objective, rules)
    yield claim.same("exploitability_exact", exact(made))
    yield claim.same("exploitability", float(made))
    status = document["status"]
    yield Check("status", status in tuple(MixStatus), f"{status!r:.40}")
    safe = status not in (MixStatus.INFEASIBLE, MixStatus.NONE_FOUND)
    if document["opponent"] is not None and asked.risk is not None and safe:
        allowed = asked.risk + Fraction(default_tolerance(claim.objective, rules))
        yield Check("risk", made <= allowed, f"{float(made):.9g}, allowed {float(allowed):.9g}")
    model = _model(claim)
    gain = None
    if model is not None:
        gain = _gain(claim, mix, model)
    yield claim.same("gain_exact", exact(gain))
    yield claim.same("gain", None if gain is None else float(gain))
    yield claim.same("play", draw(mix, claim.seed).packet_texts())
    yield _bound_check(claim, model, asked, made if gain is None else gain)


def _limits(fields: Any) -> MixLimits:
    risk = fields["risk_exact"]
    return MixLimits(fields["at_most"], fields["splits"], fields["shares"], None if risk is None else parse_exact(risk))


def _model(claim: Claim) -> StrengthMix | None:
    fields = claim.document["opponent"]
    if fields is None:
        return None
    specs = tuple(fields["spec"])
    return parse_opponent(specs, claim.deal, claim.rules, objective=claim.objective, limits=claim.limits).mix


def _gain(claim: Claim, mix: MixedStrategy, model: StrengthMix) -> Fraction:
    problem = ResponseProblem.of(claim.deal, model, claim.objective, claim.rules)
    values = problem.evaluate([arrangement.strengths(claim.rules) for arrangement in mix.arrangements])
    total = sum(weight * int(value) for weight, value in zip(mix.weights, values, strict=True))
    return Fraction(total, mix.total * problem.denominator)


def _kept(mix: MixedStrategy, asked: MixLimits, claim: Claim) -> Check:
    """Check the limits on arrangements, partitions and shares."""
    splits = len({tuple(sorted(arrangement.strengths(claim.rules))) for arrangement in mix.arrangements})
    holds = (
        (asked.at_most is None or len(mix.arrangements) <= asked.at_most)
        and (asked.splits is None or splits <= asked.splits)
        and (asked.shares is None or mix.total == asked.shares)
    )
    return Check("limits", holds, f"{len(mix.arrangements)} arrangements, {splits} splits, total {mix.total}")


def _bound_check(claim: Claim, model: StrengthMix | None, asked: MixLimits, figure: Fraction) -> Check:
    """Prove the bound: from the proof in the document, or by solving a limited question again."""
    document = claim.document
    bound = parse_exact(document["bound_exact"])
    beyond = figure > bound if model is not None else figure < bound
    if beyond:
        return Check("bound", False, f"the figure {float(figure)!r} is beyond its bound {float(bound)!r}")
    if document["proof"] is not None and model is not None:
        proof = _proof(document["proof"], claim)
        allowed = (asked.risk or Fraction(0)) + Fraction(default_tolerance(claim.objective, claim.rules))
        if proof.risk < allowed:
            return Check("bound", False, "the proof is for a smaller risk than the mix was allowed")
        partitions = undominated_partitions(claim.deal, claim.rules)
        proven = proven_bound(proof, partitions, model, claim.objective, claim.rules)
        return Check("bound", proven == bound, f"{float(proven)!r} recomputed from the proof")
    if model is None and bound == 0:
        return Check("bound", True, "nobody is less exploitable than 0")
    again = solve_mix(claim.deal, model, asked, claim.objective, claim.rules, limits=claim.limits)
    if again.bound == bound:
        return Check("bound", True, "the same when solved again")
    return Check("bound", False, NOT_PROVEN if claim.limits.reached else f"{float(again.bound)!r} when solved again")


def _proof(fields: Any, claim: Claim) -> SafeProof:
    denominator = fields["denominator"]
    if isinstance(denominator, bool) or not isinstance(denominator, int) or denominator < 1:
        raise ResultError(f"denominator {denominator!r:.40}: expected a whole number of at least 1")
    answers = [{"arrangement": each["arrangement"], "weight": each["multiplier"]} for each in fields["answers"]]
    mix = MixedStrategy.from_records(answers, claim.deal, claim.rules) if answers else None
    return SafeProof(mix, denominator, parse_exact(fields["risk_exact"]))
