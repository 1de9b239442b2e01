from solver.results.deals import deal_document
from tests.support.d1 import D1


def test_a_dealt_line_names_its_seed():
    document = deal_document(7, D1, 3)
    assert document == {
        "schema": "quintet.deal/1",
        "id": 7,
        "cards": D1.text(),
        "removed": "Ks Qd Th 9c 8d 7s 7h",
        "seed": 3,
    }
