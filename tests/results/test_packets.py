from solver.game.rules import Rules
from solver.results.packets import packet_fields, packets_of
from solver.strategies.mixed_strategy import MixedStrategy
from tests.support.d1 import FIXTURES
from tests.support.scoring import place_chances

EXTREMES = MixedStrategy((FIXTURES["A"], FIXTURES["B"], FIXTURES["G"]), (1, 2, 4))


def test_packets_carry_their_chances():
    mix = [(weight, a.packet_texts()) for a, weight in zip(EXTREMES.arrangements, EXTREMES.weights, strict=True)]
    fields = packet_fields(packets_of(FIXTURES["Y"], Rules(), EXTREMES.strength_mix()))
    chances = place_chances(FIXTURES["Y"].packet_texts(), mix, Rules())
    assert [(each["win"], each["tie"], each["loss"]) for each in fields] == [tuple(map(float, c)) for c in chances]
    assert [each["weight"] for each in fields] == [3, 4, 5, 6, 7]
    assert [each["category"] for each in fields] == [
        "two pair",
        "two pair",
        "full house",
        "straight flush",
        "straight flush",
    ]
    assert fields[4]["name"] == "royal flush"
    assert {packet.win for packet in packets_of(FIXTURES["Y"], Rules(), None)} == {None}
