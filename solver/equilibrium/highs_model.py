"""HiGHS as all linear programs of the project use it: silent, on one thread, without presolve."""

import highspy

from solver.errors import InternalError

DUAL_SIMPLEX, PRIMAL_SIMPLEX = 1, 4
_FEASIBILITY = 1e-10


class _QuietHighs(highspy.Highs):
    """HiGHS without its banner, which setting up callbacks would print on the standard output."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]

    def enableCallbacks(self) -> None:  # noqa: N802
        self.setOptionValue("output_flag", False)
        super().enableCallbacks()  # type: ignore[no-untyped-call]


def new_highs(simplex: int) -> highspy.Highs:
    """Return an empty model that the given simplex method will solve."""
    highs = _QuietHighs()
    options: dict[str, bool | int | float | str] = {
        "output_flag": False,
        "presolve": "off",
        "threads": 1,
        "simplex_strategy": simplex,
        "primal_feasibility_tolerance": _FEASIBILITY,
        "dual_feasibility_tolerance": _FEASIBILITY,
        "small_matrix_value": 1e-12,
    }
    for option, setting in options.items():
        require_ok(highs.setOptionValue(option, setting))
    return highs


def require_ok(status: highspy.HighsStatus) -> None:
    """Raise `InternalError` if HiGHS refused a change of its model."""
    if status == highspy.HighsStatus.kError:
        raise InternalError("HiGHS refused a change of its model")
