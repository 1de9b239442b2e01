"""What a player can maximise."""

from solver.errors import PayoffError

OBJECTIVES = ("points", "margin", "win")


def require_objective(objective: str) -> str:
    """Return the objective, or raise `PayoffError` if there is none of that name."""
    if objective not in OBJECTIVES:
        raise PayoffError(f"unknown objective {objective!r:.40}: expected one of {', '.join(OBJECTIVES)}")
    return objective
