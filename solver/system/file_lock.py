"""A lock that one process holds on a file, and that the system lets go when the process ends, however it ends."""

import contextlib
import fcntl
import os
from collections.abc import Iterator

from solver.errors import StoppedError


@contextlib.contextmanager
def locked(path: str) -> Iterator[None]:
    """Hold the lock of `path`, which is a file of its own beside it: ``path.lock``.

    Raises
    ------
    StoppedError
        If another process holds it.
    """
    name = f"{path}.lock"
    descriptor = _acquire(name, path)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            os.unlink(name)
        os.close(descriptor)


def _acquire(name: str, path: str) -> int:
    while True:
        descriptor = os.open(name, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_still(name, descriptor):
                return descriptor
        except BlockingIOError:
            os.close(descriptor)
            raise StoppedError(f"{path}: another run is writing to it") from None
        # Between our opening and our locking, whoever held it has ended and removed it: it locks nothing any more.
        os.close(descriptor)


def _is_still(name: str, descriptor: int) -> bool:
    try:
        return os.path.samestat(os.stat(name), os.fstat(descriptor))
    except FileNotFoundError:
        return False
