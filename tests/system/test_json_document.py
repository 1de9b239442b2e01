import pytest

from solver.system.json_document import to_json
from tests.support.command import strict_json


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")])
def test_what_json_cannot_hold_is_an_error(number):
    with pytest.raises(ValueError, match="JSON"):
        to_json({"number": number})


def test_json_is_ascii_and_reads_back():
    document = {"text": "Т♥ \ud83c", "list": [1, None, True, 0.1]}
    assert to_json(document).isascii()
    assert strict_json(to_json(document)) == document
    assert "\n" not in to_json(document, indent=None)
