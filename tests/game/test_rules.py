import pytest

from solver.errors import QuintetError, RulesError
from solver.game.rules import DEFAULT_WEIGHTS, RULE_SETS, Rules


def test_the_default_is_quintet_with_growing_weights():
    assert Rules() == Rules("quintet", False, (3, 4, 5, 6, 7))
    assert sum(DEFAULT_WEIGHTS) == 25


def test_what_each_rule_set_changes():
    switches = {
        name: (rules.low_ace_straight, rules.compares_text_only, rules.flush_beats_full_house)
        for name in RULE_SETS
        for rules in [Rules(name)]
    }
    assert switches == {
        "quintet": (False, False, False),
        "quintet-text": (False, True, False),
        "telesina": (True, False, True),
    }


@pytest.mark.parametrize("name", RULE_SETS)
def test_the_switch_allows_the_low_ace_straight_in_every_rule_set(name):
    assert Rules(name, ace_low=True).low_ace_straight


def test_equal_rules_are_one_key_whatever_sequence_the_weights_came_in():
    assert len({Rules(weights=[3, 4, 5, 6, 7]), Rules(), Rules("quintet")}) == 1
    assert Rules(weights=[1, 2, 3, 4, 5]).weights == (1, 2, 3, 4, 5)


@pytest.mark.parametrize("weights", [(1, 1, 1, 1, 1), (1000, 1000, 1000, 1000, 1000)])
def test_weights_from_1_to_1000_are_taken(weights):
    assert Rules(weights=weights).weights == weights


@pytest.mark.parametrize(
    ("weights", "token"),
    [
        ((3, 4, 5, 6), "not 4"),
        ((3, 4, 5, 6, 7, 8), "not 6"),
        ((), "not 0"),
        ((0, 4, 5, 6, 7), "weight 0"),
        ((3, 4, 5, 6, 1001), "weight 1001"),
        ((3, -4, 5, 6, 7), "weight -4"),
        ((3, 4, 5.0, 6, 7), "weight 5.0"),
        ((3, 4, True, 6, 7), "weight True"),
        ("34567", "weight '3'"),
        (None, "not None"),
        (25, "not 25"),
    ],
)
def test_other_weights_are_refused_and_quoted(weights, token):
    with pytest.raises(RulesError, match="whole number") as caught:
        Rules(weights=weights)
    assert token in str(caught.value)


@pytest.mark.parametrize("name", ["poker", "", "Quintet", None, ["quintet"]])
def test_an_unknown_rule_set_is_refused_with_the_known_ones(name):
    with pytest.raises(RulesError, match="quintet, quintet-text, telesina") as caught:
        Rules(name)
    assert repr(name) in str(caught.value)


@pytest.mark.parametrize("ace_low", [1, 0, None, "yes"])
def test_ace_low_is_true_or_false(ace_low):
    with pytest.raises(RulesError, match="true or false"):
        Rules(ace_low=ace_low)


def test_errors_of_rules_are_value_errors_of_the_family():
    assert issubclass(RulesError, QuintetError)
    assert issubclass(QuintetError, ValueError)
