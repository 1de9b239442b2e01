"""When work has to stop before it is done: a deadline, or somebody who no longer wants it."""

import threading
import time
from dataclasses import dataclass

from solver.errors import LimitReached


@dataclass(frozen=True, slots=True)
class Limits:
    """A deadline and an interrupt, passed down as one object to everything that may take long.

    Parameters
    ----------
    deadline
        Reading of `time.monotonic` at which to stop, or None.
    interrupt
        Event that another thread sets to stop the work, or None.
    """

    deadline: float | None = None
    interrupt: threading.Event | None = None

    @classmethod
    def within(cls, seconds: float | None, interrupt: threading.Event | None = None) -> "Limits":
        """Return the limits of work that may take so many seconds from now, any number if None."""
        return cls(None if seconds is None else time.monotonic() + seconds, interrupt)

    @property
    def interrupted(self) -> bool:
        """Whether somebody asked to stop."""
        return self.interrupt is not None and self.interrupt.is_set()

    @property
    def expired(self) -> bool:
        """Whether the deadline has come."""
        return self.deadline is not None and time.monotonic() >= self.deadline

    @property
    def reached(self) -> bool:
        """Whether to stop, for either reason."""
        return self.interrupted or self.expired

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the deadline, at least 0, or None without one."""
        return None if self.deadline is None else max(0.0, self.deadline - time.monotonic())

    def check(self, what: str = "stopped early") -> None:
        """Raise `LimitReached`, saying what was not ready, if it is time to stop."""
        if self.reached:
            raise LimitReached(what)


NO_LIMITS = Limits()
"""Work that may take as long as it needs."""
