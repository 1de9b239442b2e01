"""Rule sets: what beats what, and what each place is worth."""

from collections.abc import Sequence
from dataclasses import dataclass

from solver.errors import RulesError
from solver.game.cards import PLACES

RULE_SETS = ("quintet", "quintet-text", "telesina")
DEFAULT_WEIGHTS = (3, 4, 5, 6, 7)
LARGEST_WEIGHT = 1000


@dataclass(frozen=True, slots=True)
class Rules:
    """A rule set with its switches; immutable and hashable, so that tables can be cached by it.

    Parameters
    ----------
    name
        ``quintet``: every tie-breaker of standard poker. ``quintet-text``: only the comparisons that the printed
        rules spell out (two pair ignores the fifth card; trips, full house and quads compare the rank of the
        trips or quads alone). ``telesina``: flush above full house, and A-7-8-9-T is the lowest straight.
    ace_low
        A-7-8-9-T counts as a straight, below every other, the wheel A-2-3-4-5 included.
    weights
        Points for winning places 1 to 5, each from 1 to 1000.

    Raises
    ------
    RulesError
        For an unknown name, or weights of the wrong number, type or size.
    """

    name: str = "quintet"
    ace_low: bool = False
    weights: tuple[int, ...] = DEFAULT_WEIGHTS

    def __post_init__(self) -> None:
        if self.name not in RULE_SETS:
            raise RulesError(f"unknown rule set {self.name!r:.40}: expected one of {', '.join(RULE_SETS)}")
        if not isinstance(self.ace_low, bool):
            raise RulesError(f"ace_low must be true or false, not {self.ace_low!r:.40}")
        object.__setattr__(self, "weights", _checked_weights(self.weights))

    @property
    def low_ace_straight(self) -> bool:
        """Whether A-7-8-9-T is a straight, by the switch or by the rule set."""
        return self.ace_low or self.name == "telesina"

    @property
    def compares_text_only(self) -> bool:
        """Whether only the comparisons of the printed rules count (``quintet-text``)."""
        return self.name == "quintet-text"

    @property
    def flush_beats_full_house(self) -> bool:
        """Whether the casino order for a stripped pack is in force (``telesina``)."""
        return self.name == "telesina"


def _checked_weights(weights: Sequence[int]) -> tuple[int, ...]:
    try:
        values = tuple(weights)
    except TypeError:
        raise RulesError(f"weights must be {PLACES} whole numbers, not {weights!r:.40}") from None
    if len(values) != PLACES:
        raise RulesError(f"weights need {PLACES} whole numbers, one a place, not {len(values)}")
    for value in values:
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= LARGEST_WEIGHT:
            raise RulesError(
                f"weight {value!r:.40} is out of range: expected a whole number from 1 to {LARGEST_WEIGHT}"
            )
    return values
