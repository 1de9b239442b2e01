"""Documents: plain data that is written as strict JSON."""

import json
from collections.abc import Mapping
from typing import Any

Document = dict[str, Any]


def to_json(document: Mapping[str, Any], *, indent: int | None = 2) -> str:
    """Return a document as strict JSON in ASCII, readable whatever the code page."""
    return json.dumps(document, allow_nan=False, indent=indent)
