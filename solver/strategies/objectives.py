"""What a player can maximise."""

from enum import StrEnum

from solver.errors import PayoffError


class Objective(StrEnum):
    """What a player maximises; each member is the text that users type and documents carry."""

    POINTS = "points"
    MARGIN = "margin"
    WIN = "win"


OBJECTIVES = tuple(objective.value for objective in Objective)


def require_objective(objective: str) -> Objective:
    """Return the objective, or raise `PayoffError` if there is none of that name."""
    if objective not in OBJECTIVES:
        raise PayoffError(f"unknown objective {objective!r:.40}: expected one of {', '.join(OBJECTIVES)}")
    return Objective(objective)
