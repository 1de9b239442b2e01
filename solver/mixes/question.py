"""What is asked of a mix: the limits it has to keep, and the model it is played against."""

from dataclasses import dataclass
from fractions import Fraction

from solver.errors import PayoffError

LARGEST_SHARES = 1000


@dataclass(frozen=True, slots=True)
class MixLimits:
    """What a mix has to keep to.

    Parameters
    ----------
    at_most
        Largest number of arrangements, or None.
    splits
        Largest number of partitions, or None.
    shares
        Every probability is a multiple of 1/shares, or None.
    risk
        Largest exploitability, in points or probability; None for the least that the other limits allow.

    Raises
    ------
    PayoffError
        If a limit is out of range.
    """

    at_most: int | None = None
    splits: int | None = None
    shares: int | None = None
    risk: Fraction | None = None

    def __post_init__(self) -> None:
        for name, value, low, high in (
            ("at_most", self.at_most, 1, None),
            ("splits", self.splits, 1, None),
            ("shares", self.shares, 2, LARGEST_SHARES),
        ):
            if value is not None and (value < low or (high is not None and value > high)):
                expected = f"at least {low}" if high is None else f"from {low} to {high}"
                raise PayoffError(f"{name} {value!r}: expected a whole number {expected}")
        if self.risk is not None and self.risk < 0:
            raise PayoffError(f"risk {float(self.risk)!r}: expected a number of at least 0")

    @property
    def limited(self) -> bool:
        """Whether anything but the risk is limited."""
        return not (self.at_most is None and self.splits is None and self.shares is None)

    @property
    def most_arrangements(self) -> int | None:
        """Largest number of arrangements that any of the limits allows, or None."""
        counts = [count for count in (self.at_most, self.shares) if count is not None]
        return min(counts) if counts else None
