"""Exceptions of the solver: one family for what a caller can get wrong, one for broken promises."""


class QuintetError(ValueError):
    """Base of every error that a caller's input can cause; its text is one line fit for a user."""


class NotationError(QuintetError):
    """Text that cannot be read as cards or as an arrangement."""


class DealError(QuintetError):
    """Cards that do not make a deal: a repeated or foreign card, or a wrong number of them."""


class ArrangementError(QuintetError):
    """Packets that do not lay out the cards of their deal."""


class RulesError(QuintetError):
    """An unknown rule set or weights out of range."""


class OpponentError(QuintetError):
    """An opponent model or a mixed strategy that cannot be used."""


class PayoffError(QuintetError):
    """A payoff matrix that no game can have, or an objective that does not fit the question."""


class ResultError(QuintetError):
    """A saved result that cannot be read back."""


class BatchError(QuintetError):
    """A batch input, output or setting that cannot be used."""


class FileError(QuintetError):
    """A file that cannot be read, is no JSON, or cannot be written to."""


class InternalError(RuntimeError):
    """A check of the program on itself failed; no result is given where this is raised."""


class StoppedError(Exception):
    """Work on many items had to stop halfway, through no fault of its input; its text is one line fit for a user."""


class LimitReached(Exception):  # noqa: N818 (a limit is no error)
    """A time limit or an interrupt ended work that has no partial answer to give."""
