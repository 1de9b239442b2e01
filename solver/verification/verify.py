"""Re-checking saved results from scratch, in exact integers: whole documents and files of them."""

import threading
from collections.abc import Sequence
from typing import Any

from solver.errors import LimitReached, QuintetError, ResultError
from solver.results.record_reading import SavedRecord, saved_records
from solver.system.environment import versions
from solver.system.json_document import Document
from solver.system.limits import Limits
from solver.verification.checks import NOT_PROVEN, Check, Claim, equilibrium_checks, solve_checks
from solver.verification.saved_mixes import mix_checks

DEFAULT_TIME_LIMIT = 60.0
"""Seconds for the proofs of one document."""


def verify_document(
    document: Any, *, time_limit: float = DEFAULT_TIME_LIMIT, interrupt: threading.Event | None = None
) -> list[Check]:
    """Check every claim of a saved `solve` or `equilibrium` document, or of a batch record of either.

    Parameters
    ----------
    document
        The parsed JSON.
    time_limit
        Seconds for the proofs; one that is not found by then is a check that does not hold.
    interrupt
        Set by another thread to end early.

    Returns
    -------
    list of Check
        In the order made; the list ends at a claim that the later ones would build on, if it does not hold.

    Raises
    ------
    ResultError
        If it is no such document at all.
    """
    limits = Limits.within(time_limit, interrupt)
    schema = document.get("schema") if isinstance(document, dict) else None
    checkers = {
        "quintet.solve/1": solve_checks,
        "quintet.equilibrium/1": equilibrium_checks,
        "quintet.mix/1": mix_checks,
    }
    if not isinstance(schema, str) or schema not in checkers:
        raise ResultError(f"schema {schema!r:.60}: expected a saved result of solve, equilibrium, mix or batch")
    checks: list[Check] = []
    try:
        claim = Claim.of(document, limits)
        if "multiplicity" in document:
            checks.append(claim.same("multiplicity", claim.deal.multiplicity))
        for check in checkers[schema](claim):
            checks.append(check)  # one by one, to keep those before an error
    except LimitReached:
        checks.append(Check("opponent", False, NOT_PROVEN))  # it takes long to make anew, and refutes nothing
    except QuintetError as error:
        checks.append(Check("form", False, str(error)))
    except KeyError as error:
        checks.append(Check("form", False, f"the field {error!s:.60} is missing"))
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
        checks.append(Check("form", False, f"a field has the wrong form: {error!s:.120}"))
    return checks


def verify_file(
    path: str, *, time_limit: float = DEFAULT_TIME_LIMIT, interrupt: threading.Event | None = None
) -> list[Check]:
    """Check a file that holds one document, or the records of a batch, one a line.

    `time_limit` is for each document. Records of bad deals claim nothing; the checks of the others carry their line.
    Compact records and compressed files are read as well.

    Raises
    ------
    FileError
        If the file cannot be read.
    ResultError
        If it holds something else.
    """
    checks: list[Check] = []
    for record in saved_records(path):
        if record.line is None:
            checks.extend(_record_checks(record, time_limit, interrupt))
            continue
        name = f"line {record.line}"
        if record.written is not None and "error" in record.written:
            checks.append(Check(name, True, "an error record, which claims nothing", record.line))
            continue
        found = _record_checks(record, time_limit, interrupt)
        checks.extend(Check(f"{name}: {check.name}", check.holds, check.detail, record.line) for check in found)
        if interrupt is not None and interrupt.is_set():
            break
    return checks


def _record_checks(record: SavedRecord, time_limit: float, interrupt: threading.Event | None) -> list[Check]:
    try:
        document = record.document()
    except QuintetError as error:
        return [Check("form", False, str(error))]
    if document is None:
        return [Check("form", False, "the file ends in the midst of it")]
    return verify_document(document, time_limit=time_limit, interrupt=interrupt)


def checks_document(path: str, checks: Sequence[Check]) -> Document:
    """Return the document of a verification."""
    return {
        "schema": "quintet.verify/1",
        "file": path,
        "versions": versions(),
        "holds": all(check.holds for check in checks),
        "checks": [{"name": check.name, "holds": check.holds, "detail": check.detail} for check in checks],
    }


def verdict(checks: Sequence[Check]) -> str:
    """Return what the checks come to, in one line."""
    failed = [check for check in checks if not check.holds]
    if not failed:
        return "Every claim holds"
    return "Not refuted, not proven" if all(check.detail == NOT_PROVEN for check in failed) else "Not every claim holds"
