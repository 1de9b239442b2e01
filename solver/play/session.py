"""A session of several deals, each of them a match: who is to be played, and how it stands."""

from dataclasses import dataclass, replace
from fractions import Fraction

from solver.game.arrangement import Score
from solver.game.rules import Rules


@dataclass(frozen=True, slots=True)
class SessionSettings:
    """What a session is played by.

    Parameters
    ----------
    specs
        The opponent model, as `parse_opponent` takes it.
    objective
        What regret is measured in.
    rules
        The rule set.
    samples
        Arrangements drawn, for ``win``, from a model that is too large to list.
    seed
        Seed of the deals, of the opponent's draws and of the samples.
    deals
        Number of deals, or None for as many as the player likes.
    """

    specs: tuple[str, ...]
    objective: str
    rules: Rules
    samples: int
    seed: int
    deals: int | None = None


@dataclass(frozen=True, slots=True)
class SessionScore:
    """How a session stands for the player after some deals; regret in the unit of the objective."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    points: int = 0
    opponent_points: int = 0
    regret: Fraction = Fraction(0)

    @property
    def deals(self) -> int:
        """Number of deals."""
        return self.won + self.drawn + self.lost

    @property
    def mean_regret(self) -> Fraction:
        """Regret a deal, 0 before the first."""
        return self.regret / max(self.deals, 1)

    def after(self, score: Score, regret: Fraction) -> "SessionScore":
        """Return the score after one more deal."""
        mine, theirs = score.points
        return replace(
            self,
            won=self.won + (mine > theirs),
            drawn=self.drawn + (mine == theirs),
            lost=self.lost + (mine < theirs),
            points=self.points + mine,
            opponent_points=self.opponent_points + theirs,
            regret=self.regret + regret,
        )
