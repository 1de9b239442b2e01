"""Running the program at a real terminal: a pseudo-terminal of a given width."""

import contextlib
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
from dataclasses import dataclass

from tests.support.command import LONGEST, PROGRAM, environment

CTRL_C = b"\x03"
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@dataclass(frozen=True)
class Session:
    """What a terminal showed, escape codes included, and how the program ended."""

    code: int
    shown: str

    @property
    def lines(self):
        """What a person sees at last, line by line: what a carriage return wrote over is gone."""
        lines = _ESCAPES.sub("", self.shown).replace("\r\n", "\n").split("\n")
        return [line.rsplit("\r", 1)[-1] for line in lines]


def at_terminal(*arguments, columns=80, typed=(), variables=None):
    """Run the command at a terminal; `typed` are pairs of a text to wait for and bytes to type then."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    # Without a width of its own the child asks the terminal; the encoding is that of the terminal.
    settings = {"TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8", **(variables or {})}
    process = subprocess.Popen(
        [*PROGRAM, *map(str, arguments)],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environment(settings),
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )
    os.close(theirs)
    shown, waiting, seen, keys = b"", list(typed), 0, b""
    try:
        # Linux ends the reading with an error once the program has closed its side.
        with contextlib.suppress(OSError):
            while True:
                if keys == CTRL_C and not select.select([ours], [], [], 2)[0]:
                    # What comes just before Python waits for a key is only noticed with the next one.
                    os.write(ours, keys)
                shown += os.read(ours, 4096)
                while waiting and (found := shown.find(waiting[0][0].encode(), seen)) >= 0:
                    text, keys = waiting.pop(0)
                    seen = found + len(text.encode())
                    os.write(ours, keys)
        return Session(process.wait(LONGEST), shown.decode())
    finally:
        process.kill()
        process.wait()
        os.close(ours)
