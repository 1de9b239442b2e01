"""The two questions that are asked about many deals: their settings, and the document of one deal.

The commands `solve` and `equilibrium` ask them of one deal, a batch of one deal after the other. A task is plain data
that crosses processes, and what it answers depends on the task and the deal alone, time limits excepted.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from solver.equilibrium.result import Progress
from solver.equilibrium.solve import default_tolerance, solve_equilibrium
from solver.errors import LimitReached
from solver.game.deal import Deal
from solver.game.notation import format_cards
from solver.game.rules import Rules
from solver.opponents.specification import DEFAULT_OPPONENT, DEFAULT_SAMPLES, parse_opponent
from solver.results.best_responses import SolveResult
from solver.results.compact_equilibria import RECORD_SCHEMA, compact_document, header_document
from solver.results.equilibria import EquilibriumResult
from solver.results.shared_fields import header
from solver.strategies.mixed_strategy import MixedStrategy
from solver.system.json_document import Document
from solver.system.limits import NO_LIMITS, Limits


@dataclass(frozen=True, slots=True)
class SolveTask:
    """The best arrangement against a modelled opponent.

    Parameters
    ----------
    specs, samples
        The opponent, as `parse_opponent` takes it.
    objective, rules, engine, top, locked, time_limit, seed
        As `solve_best_response` takes them; the time limit is that of one deal, the opponent included.
    """

    specs: tuple[str, ...] = (DEFAULT_OPPONENT,)
    samples: int = DEFAULT_SAMPLES
    objective: str = "points"
    rules: Rules = field(default_factory=Rules)
    engine: str = "auto"
    top: int = 0
    locked: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    time_limit: float | None = None
    seed: int = 0

    def answer(
        self,
        deal: Deal,
        limits: Limits = NO_LIMITS,
        log: Callable[[str], None] | None = None,
    ) -> SolveResult | None:
        """Return the best response, or None if the opponent was not ready at the deadline."""
        from solver.best_response.solve import solve_best_response

        try:
            opponent = parse_opponent(
                self.specs,
                deal,
                self.rules,
                objective=self.objective,
                samples=self.samples,
                seed=self.seed,
                limits=limits,
            )
        except LimitReached:
            return None
        response = solve_best_response(
            deal,
            opponent,
            self.objective,
            self.rules,
            self.engine,
            locked=self.locked,
            top=self.top,
            time_limit=limits.seconds_left,
            seed=self.seed,
            interrupt=limits.interrupt,
            log=log,
        )
        return SolveResult.of(response, self.specs, opponent)

    def fallback(self, deal: Deal, *, interrupted: bool = False) -> SolveResult:
        """Return what stands in for an answer without an opponent: the greedy arrangement."""
        from solver.best_response.solve import quick_response

        response = quick_response(deal, self.objective, self.rules, self.engine, self.locked, interrupted=interrupted)
        return SolveResult.of(response, self.specs, None)

    @property
    def limits(self) -> Document:
        """What the question asks for at most."""
        return {"top": self.top, "time_limit": self.time_limit}

    @property
    def settings(self) -> Document:
        """What decides an answer besides the deal, under the names that its document has for it."""
        # Documents say who answered. What `auto` chooses for a match depends on the deal: there is nothing to compare.
        engine = {"engine": "cpsat" if self.engine == "auto" else self.engine}
        return {
            **_header_settings("solve", self.rules, self.objective, self.seed),
            "opponent": {"spec": list(self.specs), "samples": self.samples},
            **({} if self.engine == "auto" and self.objective == "win" else engine),
            "locked": {str(place + 1): format_cards(packet) for place, packet in sorted(self.locked.items())},
            "limits": self.limits,
        }

    def document(self, result: SolveResult) -> Document:
        """Return the document of an answer."""
        return {**result.document(self.seed), "limits": self.limits}

    def document_of(self, deal: Deal) -> Document:
        """Answer and return the document.

        Raises
        ------
        QuintetError
            If the settings do not fit the deal.
        LimitReached
            If two engines were asked for and did not both prove the value in time.
        """
        from solver.best_response.engine_answer import Status

        limits = Limits.within(self.time_limit)
        result = self.answer(deal, limits) or self.fallback(deal)
        if self.engine == "both" and result.response.status != Status.OPTIMAL:
            raise LimitReached("the two engines did not both prove the value within the time limit")
        return self.document(result)


@dataclass(frozen=True, slots=True)
class EquilibriumTask:
    """The equilibrium of a deal.

    Parameters
    ----------
    objective, rules, tolerance, max_iterations, time_limit
        As `solve_equilibrium` takes them.
    seed
        Seed of the arrangement that is drawn from the mix.
    """

    objective: str = "margin"
    rules: Rules = field(default_factory=Rules)
    tolerance: float | None = None
    max_iterations: int | None = None
    time_limit: float | None = None
    seed: int = 0

    def answer(
        self,
        deal: Deal,
        limits: Limits = NO_LIMITS,
        start: MixedStrategy | None = None,
        callback: Callable[[Progress], None] | None = None,
    ) -> EquilibriumResult:
        """Return the equilibrium."""
        equilibrium = solve_equilibrium(
            deal,
            self.objective,
            self.rules,
            tolerance=self._tolerance,
            max_iterations=self.max_iterations,
            time_limit=limits.seconds_left,
            start=start,
            callback=callback,
            interrupt=limits.interrupt,
        )
        return EquilibriumResult(equilibrium, self.seed)

    @property
    def limits(self) -> Document:
        """What ends a run before it has converged."""
        return {"max_iterations": self.max_iterations, "time_limit": self.time_limit}

    @property
    def settings(self) -> Document:
        """What decides an answer besides the deal, under the names that its document has for it."""
        return {
            **_header_settings("equilibrium", self.rules, self.objective, self.seed),
            "tolerance": self._tolerance,
            "limits": self.limits,
        }

    def document(self, result: EquilibriumResult) -> Document:
        """Return the document of an answer."""
        return {**result.document(self._tolerance), "limits": self.limits}

    def document_of(self, deal: Deal) -> Document:
        """Answer and return the document."""
        limits = Limits.within(self.time_limit)
        return self.document(self.answer(deal, limits))

    @property
    def compact_header(self) -> Document:
        """The first record of a file of compact answers."""
        return header_document(self.rules, self.objective, self.seed, self._tolerance, self.limits)

    @property
    def _tolerance(self) -> float:
        return default_tolerance(self.objective, self.rules) if self.tolerance is None else self.tolerance


@dataclass(frozen=True, slots=True)
class CompactEquilibriumTask:
    """The equilibrium of a deal, answered in short.

    Parameters
    ----------
    question
        What is asked.
    """

    question: EquilibriumTask

    @property
    def settings(self) -> Document:
        """What a record says of what decides an answer; the rest is in the header."""
        return {"schema": RECORD_SCHEMA}

    def document_of(self, deal: Deal) -> Document:
        """Answer and return the document."""
        limit = self.question.time_limit
        limits = Limits.within(limit)
        return compact_document(self.question.answer(deal, limits).equilibrium)


def _header_settings(command: str, rules: Rules, objective: str, seed: int) -> Document:
    fields = header(command, None, rules, objective, seed)
    return {name: fields[name] for name in ("schema", "rules", "objective", "seed")}
