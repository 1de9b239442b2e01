from solver.game.arrangement import score
from solver.game.rules import Rules
from solver.results.referee import score_document
from tests.support.d1 import FIXTURES
from tests.support.plain_data import is_plain


def test_a_score_holds_whole_numbers():
    document = score_document(FIXTURES["A"], FIXTURES["B"], score(FIXTURES["A"], FIXTURES["B"]), Rules())
    assert is_plain(document)
    assert document["points"] == [7, 7]
    assert document["tied"] == 11
    assert document["draw"] is True
    assert document["places"] == [
        {"weight": weight, "winner": winner} for weight, winner in zip((3, 4, 5, 6, 7), (1, 1, 0, 0, 2), strict=True)
    ]
