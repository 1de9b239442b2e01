"""Files of gzip members, each of which is whole or counts as not written.

Gzip members one after the other are one gzip file. A run that writes a member at a time can go on after the last whole
one, whatever ended it.
"""

import gzip
import zlib
from collections.abc import Iterator
from typing import BinaryIO

from solver.errors import FileError

MAGIC = b"\x1f\x8b"
"""The first bytes of a gzip member."""
LARGEST_MEMBER = 1 << 28
"""Bytes of content above which a member is refused: 256 MiB."""
_CHUNK = 1 << 18
_WITH_GZIP_HEADER = 31
"""What `zlib` calls the format."""
_LEVEL = 6


def compressed(content: bytes) -> bytes:
    """Return content as a gzip member; the same content gives the same bytes."""
    return gzip.compress(content, _LEVEL, mtime=0)


def members(file: BinaryIO, name: str) -> Iterator[tuple[bytes, int]]:
    """Yield the content of every whole member, and the bytes of the file up to its end.

    What a crash can leave at the end is passed over: a member that is cut off, or zeros in place of what was not
    written.

    Parameters
    ----------
    file
        A regular file, at its beginning.
    name
        Of the file, for errors.

    Raises
    ------
    FileError
        If anything else is damaged, or a member is larger than `LARGEST_MEMBER`.
    """
    end, unread = 0, b""
    while True:
        decompressor = zlib.decompressobj(_WITH_GZIP_HEADER)
        content, size = bytearray(), 0
        while not decompressor.eof:
            unread = unread or file.read(_CHUNK)
            if not unread:
                return
            try:
                content += decompressor.decompress(unread, LARGEST_MEMBER + 1 - len(content))
            except zlib.error:
                if _is_cut_off(file, end):
                    return
                raise FileError(f"{name}: damaged after byte {end} of the gzip file") from None
            if len(content) > LARGEST_MEMBER:
                raise FileError(f"{name}: a gzip member has more than {LARGEST_MEMBER} bytes of content")
            left = decompressor.unused_data if decompressor.eof else decompressor.unconsumed_tail
            size += len(unread) - len(left)
            unread = left
        end += size
        yield bytes(content), end


def _is_cut_off(file: BinaryIO, start: int) -> bool:
    """Return whether all after `start` is the beginning of a member, with zeros in place of the rest."""
    file.seek(start)
    rest = file.read(LARGEST_MEMBER)
    written = rest.rstrip(b"\0")
    if len(written) == len(rest) or file.read(1):
        return False
    decompressor = zlib.decompressobj(_WITH_GZIP_HEADER)
    try:
        decompressor.decompress(written, LARGEST_MEMBER)
    except zlib.error:
        return False
    return not decompressor.eof
