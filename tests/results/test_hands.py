from solver.game.notation import parse_cards
from solver.game.rules import Rules
from solver.results.hands import hand_document, ranked_hands
from tests.support.plain_data import is_plain


def test_hands_come_strongest_first_and_ties_as_given():
    texts = ["9h Th Jh Qh Kd", "9s Ts Js Qs Kd", "As Ah Ad Ac 2c", "9c Tc Jc Qc Kh"]
    document = hand_document(ranked_hands([parse_cards(text) for text in texts], Rules()), Rules())
    assert is_plain(document)
    shown = [hand["cards"] for hand in document["hands"]]
    assert shown == ["As Ah Ad Ac 2c", "Kd Qh Jh Th 9h", "Kd Qs Js Ts 9s", "Kh Qc Jc Tc 9c"]
    strengths = [hand["strength"] for hand in document["hands"]]
    assert strengths[0] > strengths[1] == strengths[2] == strengths[3]
    assert document["deal"] is document["objective"] is document["seed"] is None
