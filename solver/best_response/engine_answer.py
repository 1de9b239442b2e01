"""What an engine answers to a best-response question."""

from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    """How far a best response is proven; each member is the text that documents carry."""

    OPTIMAL = "optimal"
    FEASIBLE = "feasible"
    """Stopped: a better arrangement is not excluded."""
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class EngineAnswer:
    """The best packets that an engine found, and what it proved.

    Parameters
    ----------
    value
        Value of `packets` in units of 1/`ResponseProblem.denominator`, with what locked packets earn.
    bound
        Proven: no packets are worth more, in the same unit.
    packets
        Card ids, one packet a free place in place order.
    """

    value: int
    bound: int
    packets: tuple[tuple[int, ...], ...]

    @property
    def status(self) -> Status:
        """Optimal or feasible."""
        return Status.OPTIMAL if self.value == self.bound else Status.FEASIBLE
