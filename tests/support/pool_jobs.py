"""Work for the pool of workers: plain functions that a fresh process can import."""

import os
import signal
import sys
import time


def square(number):
    return number * number


def slow_first(number):
    time.sleep(0.3 if number == 0 else 0)
    return number


def die(job):
    """End this process as often as the job's file allows, then answer."""
    number, path, times = job
    with open(path, "a+") as file:
        file.seek(0)
        if len(file.read()) < times:
            file.write("x")
            file.flush()
            os.kill(os.getpid(), signal.SIGKILL)
    return number


def surroundings(number):
    """Return what this process has been given."""
    print("what native code may print")
    return {
        "threads": [os.environ[name] for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")],
        "input": sys.stdin.read(),
        "own session": os.getsid(0) == os.getpid(),
        "pid": os.getpid(),
    }


def sleep_long(number):
    time.sleep(600)


class Unloadable:
    """A function that cannot be loaded where it is needed."""

    def __reduce__(self):
        return sys.exit, (3,)
