"""A match, which is one deal of a session: what is written of `play`."""

from dataclasses import dataclass

from solver.game.arrangement import Arrangement, Score
from solver.results.grades import GradeResult
from solver.results.referee import score_fields
from solver.system.json_document import Document


@dataclass(frozen=True, slots=True)
class MatchResult:
    """A match: the player's grade, what the opponent laid, and the referee.

    Parameters
    ----------
    number
        Of the deal in its session, from 1.
    theirs
        What the opponent laid.
    score
        The player is the first.
    grade
        Of what the player laid.
    """

    number: int
    theirs: Arrangement
    score: Score
    grade: GradeResult

    @property
    def mine(self) -> Arrangement:
        """What the player laid."""
        return self.grade.grade.arrangement

    def document(self, seed: int) -> Document:
        """Return the document of the match."""
        return {
            **self.grade.document(seed),
            "schema": "quintet.play/1",
            "round": self.number,
            "opponent_arrangement": self.theirs.packet_texts(),
            **score_fields(self.score),
        }
