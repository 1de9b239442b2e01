"""Files: JSON documents read with care, and whole files written completely or not at all."""

import contextlib
import json
import os
import re
import stat
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from solver.errors import FileError

LARGEST_INPUT = 64 * 1024 * 1024
"""Bytes of a JSON document above which it is refused unread."""
LONGEST_LINE = 1 << 20
"""Bytes of an input line above which it is no deal and no arrangement."""


def read_json(path: str) -> Any:
    """Return the one JSON document of a file.

    Raises
    ------
    FileError
        If the file cannot be read, is larger than `LARGEST_INPUT`, or holds no JSON.
    """
    with open_binary(path) as file:
        return _parsed(_text_of(file, path), path)


def read_documents(file: BinaryIO, path: str, start: bytes = b"") -> list[dict[str, Any]]:
    """Return the JSON objects of an open file: one document over any number of lines, or one on each line.

    Parameters
    ----------
    file, path
        The file, and its name for errors.
    start
        What has been read of it already.

    Raises
    ------
    FileError
        As `read_json`, naming the line, or if a document is no object.
    """
    text = _text_of(file, path, start)
    try:
        documents = [json.loads(text)]
    except (RecursionError, ValueError):
        first_lines = list(islice(_filled_lines(text), 2))
        if len(first_lines) < 2 or not first_lines[0][1].rstrip().endswith("}"):
            documents = [_parsed(text, path)]
        else:
            documents = [_parsed(line, f"{path}, line {number}") for number, line in _filled_lines(text)]
    for document in documents:
        if not isinstance(document, dict):
            raise FileError(f"{path}: expected a JSON object, not {type(document).__name__}")
    return documents


def _filled_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not blank with their numbers, one by one: there may be millions."""
    number, end = 1, 0
    for match in re.finditer(r"\S[^\n]*", text):
        number += text.count("\n", end, match.start())
        end = match.end()
        yield number, match[0]


def open_binary(path: str) -> BinaryIO:
    """Open a file for reading.

    Raises
    ------
    FileError
        If it cannot be opened.
    """
    try:
        return open(path, "rb")
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from None


def _unreadable(path: str, error: OSError | ValueError) -> FileError:
    return FileError(f"{path}: {getattr(error, 'strerror', None) or error}")


def _text_of(file: BinaryIO, path: str, start: bytes = b"") -> str:
    try:
        content = start + file.read(LARGEST_INPUT + 1)
    except OSError as error:
        raise _unreadable(path, error) from None
    if len(content) > LARGEST_INPUT:
        raise FileError(f"{path}: larger than {LARGEST_INPUT} bytes")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileError(f"{path}: not UTF-8 text (byte {error.start + 1})") from None


def _parsed(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise FileError(f"{where}: not a JSON document ({error})") from None
    except RecursionError:
        raise FileError(f"{where}: not a JSON document (nested too deeply)") from None
    except ValueError:
        # Python refuses to read integers of thousands of digits.
        raise FileError(f"{where}: not a JSON document (a number has too many digits)") from None


def require_writable(path: str) -> None:
    """Raise `FileError` if `path` cannot be written, before work is spent on what would go there."""
    if path in ("", "-"):
        raise FileError(f"{path!r} is no file to write to: expected its name")
    folder = os.path.dirname(os.path.realpath(path))
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        mode = None
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}") from None
    if mode is not None and stat.S_ISDIR(mode):
        raise FileError(f"{path}: is a folder, expected a file")
    if not os.path.isdir(folder):
        raise FileError(f"{path}: its folder does not exist")
    # A regular file is replaced by one that is made beside it.
    replaced = mode is None or stat.S_ISREG(mode)
    if (mode is not None and not os.access(path, os.W_OK)) or (replaced and not os.access(folder, os.W_OK | os.X_OK)):
        raise FileError(f"{path}: no permission to write")


def write_whole(path: str, text: str) -> None:
    """Replace the file by `text`, in UTF-8, through a synced temporary file beside it.

    A link is followed; what is no regular file (a device, a pipe) is written to directly.

    Raises
    ------
    OSError
        If it cannot be written, with `path` as its file name; the old content is then untouched and the temporary file
        gone.
    """
    with naming(path):
        if os.path.exists(path) and not os.path.isfile(path):
            # By the name given: the real one of /dev/stdout, "pipe:[…]", cannot be opened.
            Path(path).write_text(text, encoding="utf-8")
            return
        target = Path(os.path.realpath(path))
        mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o666 & ~_umask()
        descriptor, temporary = tempfile.mkstemp(prefix=".quintet-", dir=target.parent)
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(temporary, mode)
            os.replace(temporary, target)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise


@contextlib.contextmanager
def naming(path: str) -> Iterator[None]:
    """Let every error of the system in the block be one about this file."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from None


def _umask() -> int:
    # There is no way to read it without setting it.
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
