"""Names of packets for card players, in English and Russian.

The Russian categories carry the names of the old rules, in brackets those that players also use.
"""

from collections.abc import Sequence
from typing import NamedTuple

from solver.errors import NotationError
from solver.game.cards import RANKS, rank_of
from solver.game.evaluator import CATEGORIES, STRAIGHT, STRAIGHT_FLUSH, categories_of, evaluate_hands
from solver.game.notation import shown
from solver.game.rules import Rules
from solver.language.translations import LANGUAGES

_ACE = RANKS - 1


class _English(NamedTuple):
    one: str
    many: str


class _Russian(NamedTuple):
    one: str
    of_one: str
    many: str
    of_many: str

    @property
    def high(self) -> str:
        return f"{'старшая' if self._feminine else 'старший'} {self.one}"

    @property
    def two(self) -> str:
        return f"{'две' if self._feminine else 'два'} {self.of_one}"

    @property
    def _feminine(self) -> bool:
        return self.one.endswith("а")  # a rule without exception among the thirteen


# Lowest rank first.
_RANK_NAMES: dict[str, tuple[_English | _Russian, ...]] = {
    "en": (
        _English("two", "twos"),
        _English("three", "threes"),
        _English("four", "fours"),
        _English("five", "fives"),
        _English("six", "sixes"),
        _English("seven", "sevens"),
        _English("eight", "eights"),
        _English("nine", "nines"),
        _English("ten", "tens"),
        _English("jack", "jacks"),
        _English("queen", "queens"),
        _English("king", "kings"),
        _English("ace", "aces"),
    ),
    "ru": (
        _Russian("двойка", "двойки", "двойки", "двоек"),
        _Russian("тройка", "тройки", "тройки", "троек"),
        _Russian("четвёрка", "четвёрки", "четвёрки", "четвёрок"),
        _Russian("пятёрка", "пятёрки", "пятёрки", "пятёрок"),
        _Russian("шестёрка", "шестёрки", "шестёрки", "шестёрок"),
        _Russian("семёрка", "семёрки", "семёрки", "семёрок"),
        _Russian("восьмёрка", "восьмёрки", "восьмёрки", "восьмёрок"),
        _Russian("девятка", "девятки", "девятки", "девяток"),
        _Russian("десятка", "десятки", "десятки", "десяток"),
        _Russian("валет", "валета", "валеты", "валетов"),
        _Russian("дама", "дамы", "дамы", "дам"),
        _Russian("король", "короля", "короли", "королей"),
        _Russian("туз", "туза", "тузы", "тузов"),
    ),
}

_CATEGORY_NAMES = {
    "en": CATEGORIES,
    "ru": (
        "шанс",
        "пара",
        "две двойки (две пары)",
        "тройка",
        "стрит",
        "колер (масть)",
        "фул",
        "каре",
        "покер",
    ),
}

# One line a category, in their order; `a` is the rank that counts first, `b` the one that counts second.
_DESCRIPTIONS = {
    "en": (
        "high card, {a.one}",
        "pair of {a.many}",
        "two pair, {a.many} and {b.many}",
        "three of a kind, {a.many}",
        "straight, {a.one} high",
        "flush, {a.one} high",
        "full house, {a.many} over {b.many}",
        "four of a kind, {a.many}",
        "straight flush, {a.one} high",
    ),
    "ru": (
        "шанс, {a.high}",
        "пара {a.of_many}",
        "две двойки (две пары), {a.many} и {b.many}",
        "тройка {a.of_many}",
        "стрит до {a.of_one}",
        "колер (масть), {a.high}",
        "фул, три {a.of_one} и {b.two}",
        "каре {a.of_many}",
        "покер до {a.of_one}",
    ),
}
_ROYAL_FLUSH = {"en": "royal flush", "ru": "покер до туза (флеш-рояль)"}


def category_name(category: int, lang: str = "en") -> str:
    """Return the name of a category, an index into `evaluator.CATEGORIES`.

    Raises
    ------
    NotationError
        For an unknown language.
    """
    return _CATEGORY_NAMES[_checked_language(lang)][category]


def describe_hand(cards: Sequence[int], rules: Rules | None = None, lang: str = "en") -> str:
    """Return what a player calls the hand: ``full house, queens over jacks``, ``straight, king high``.

    The name tells the category under the rule set and the ranks that make it, not the side cards. The
    ace-high straight flush has a name of its own, though it is no category of its own.

    Parameters
    ----------
    cards
        Five different card ids, in any order.
    rules
        Rule set; `Rules()` if omitted.
    lang
        One of `LANGUAGES`.

    Raises
    ------
    DealError
        For another number of cards, or numbers that are no card ids.
    NotationError
        For an unknown language.
    """
    return hand_name(cards, int(categories_of(evaluate_hands([cards], rules), rules)[0]), lang)


def hand_name(cards: Sequence[int], category: int, lang: str = "en") -> str:
    """Return what a player calls a hand of a known category, as `describe_hand` does.

    Raises
    ------
    NotationError
        For an unknown language.
    """
    _checked_language(lang)
    first, second = _leading_ranks(cards)
    if category in (STRAIGHT, STRAIGHT_FLUSH) and first == _ACE and second != _ACE - 1:
        first = second  # without the king the ace is the low end
    if category == STRAIGHT_FLUSH and first == _ACE:
        return _ROYAL_FLUSH[lang]
    names = _RANK_NAMES[lang]
    return _DESCRIPTIONS[lang][category].format(a=names[first], b=names[second])


def _leading_ranks(cards: Sequence[int]) -> tuple[int, int]:
    """Return the two ranks that count first: the more often they occur the earlier, then the higher."""
    ranks = [rank_of(card) for card in cards]
    first, second, *_ = sorted(set(ranks), key=lambda rank: (ranks.count(rank), rank), reverse=True)
    return first, second


def _checked_language(lang: str) -> str:
    if lang not in LANGUAGES:
        raise NotationError(f"unknown language {shown(lang)}: expected one of {', '.join(LANGUAGES)}")
    return lang
