import sys
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.errors import DealError, NotationError
from solver.game.cards import FULL_PACK, PACK, card_id
from solver.game.notation import (
    NOTATIONS,
    distinct_cards,
    format_card,
    format_cards,
    parse_cards,
    parse_packets,
    shown,
)

# Every way to write each rank and suit, as the rules of notation list them; ranks from two to ace, suits c d h s.
RANK_SPELLINGS = (
    *((str(number),) for number in range(2, 10)),
    ("T", "t", "10"),
    ("J", "j", "В", "в"),
    ("Q", "q", "Д", "д"),
    ("K", "k", "К", "к"),
    ("A", "a", "Т", "т"),
)
SUIT_SPELLINGS = ("cC♣♧тТ", "dD♦♢бБ", "hH♥♡чЧ", "sS♠♤пП")
SPELLINGS = {
    card_id(rank, suit): [r + s for r, s in product(RANK_SPELLINGS[rank], SUIT_SPELLINGS[suit])]
    for rank, suit in product(range(13), range(4))
}
GAPS = ("", " ", "\t", "\n", "\r\n", ", ", ";", "\u00a0", "\u2003", "\ufeff", "\u200b", "\ufe0f", " ,; \r\n")
D1 = "7d 7c 8s 8h 8c 9s 9h 9d Ts Td Tc Js Jh Jd Jc Qs Qh Qc Kh Kd Kc As Ah Ad Ac"

card_ids = st.integers(min_value=0, max_value=51)
gaps = st.sampled_from(GAPS)
spelled_cards = card_ids.flatmap(lambda card: st.tuples(st.just(card), st.sampled_from(SPELLINGS[card])))
near_misses = st.text(st.sampled_from("10TtТтАAВBКKсcsh♥❤бчп |/,;\n\r\ufeff\ufe0f'\"\\\x00\x1b\ud800🂡"))


def error_of(read, text, kind=NotationError):
    with pytest.raises(kind) as caught:
        read(text)
    return str(caught.value)


def refusal(read, text):
    try:
        read(text)
    except (NotationError, DealError) as error:
        return str(error)
    return ""


def test_every_spelling_of_every_card_is_read():
    read = {text: parse_cards(text) for texts in SPELLINGS.values() for text in texts}
    assert read == {text: (card,) for card, texts in SPELLINGS.items() for text in texts}
    assert len(read) == (8 + 3 + 4 * 4) * 4 * 6


def test_the_aliases_leave_the_packs_as_they_are():
    assert len(PACK) == 32
    assert {card for texts in SPELLINGS.values() for text in texts for card in parse_cards(text)} == set(FULL_PACK)


@pytest.mark.parametrize("notation", NOTATIONS)
def test_every_card_parses_back_from_every_notation(notation):
    texts = [format_card(card, notation) for card in FULL_PACK]
    assert len(set(texts)) == 52
    assert [parse_cards(text) for text in texts] == [(card,) for card in FULL_PACK]
    assert parse_cards(format_cards(FULL_PACK, notation, sep="")) == tuple(FULL_PACK)


def test_each_notation_writes_one_spelling():
    cards = parse_cards("As Kh Qd Jc Ts 9h 7d")
    assert format_cards(cards) == "As Kh Qd Jc Ts 9h 7d"
    assert format_cards(cards, "symbols") == "A♠ K♥ Q♦ J♣ T♠ 9♥ 7♦"
    assert format_cards(cards, "russian", sep=", ") == "Тп, Кч, Дб, Вт, 10п, 9ч, 7б"


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("10h10s9dTc", "Th Ts 9d Tc"),
        ("10♦", "Td"),
        ("AsKdTh", "As Kd Th"),
        ("Т♥ T♥ К♠ K♦", "Ah Th Ks Kd"),
        ("10♥️ A♠︎ Kh\u00a0", "Th As Kh"),
        ("as KD tH 10C jd TD", "As Kd Th Tc Jd Td"),
        ("ТТ Тт тт тТ", "Ac Ac Ac Ac"),
        ("Кs Kп", "Ks Ks"),
        ("\ufeffAs,Kd;\r\nQc\r\n", "As Kd Qc"),
        ("A\u200bs 1\u20600♥\ufe0f", "As Th"),
        ("As As", "As As"),
        ("2c", "2c"),
    ],
)
def test_free_forms(text, cards):
    assert format_cards(parse_cards(text)) == cards


@pytest.mark.parametrize("text", ["", " \r\n", "\ufeff", ",;", "\u200b"])
def test_nothing_is_no_cards(text):
    assert parse_cards(text) == distinct_cards(text) == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1h", "card 1, '1h': '1' is not a rank (2-9, T or 10, J, Q, K, A)"),
        ("0h", "card 1, '0h': '0' is not a rank (2-9, T or 10, J, Q, K, A)"),
        ("As Kd0hQs", "card 3, '0hQs': '0' is not a rank (2-9, T or 10, J, Q, K, A)"),
        ("As, Kx", "card 2, 'Kx': 'x' is not a suit (s, h, d, c or ♠ ♥ ♦ ♣)"),
        ("10", "card 1, '10': the suit is missing (s, h, d, c or ♠ ♥ ♦ ♣)"),
        ("A s", "card 1, 'A': the suit is missing (s, h, d, c or ♠ ♥ ♦ ♣)"),
        ("Д", "card 1, 'Д': the suit is missing (п, ч, б, т or ♠ ♥ ♦ ♣)"),
        ("Гп", "card 1, 'Гп': Г (U+0413) is not a rank (2-10, В, Д, К, Т)"),
        ("As sK", "card 2, 'sK': 's' is a suit, and the rank comes first"),
        ("♠10", "card 1, '♠10': '♠' is a suit, and the rank comes first"),
        ("hello", "card 1, 'hello': 'h' is not a rank (2-9, T or 10, J, Q, K, A)"),
        ("А♥", "card 1, 'А♥': А (U+0410) is not a rank; did you mean the Latin A (U+0041)?"),
        ("Ас", "card 1, 'Ас': А (U+0410) is not a rank; did you mean the Latin A (U+0041)?"),
        ("Kс", "card 1, 'Kс': с (U+0441) is not a suit; did you mean the Latin c (U+0063)?"),
        ("B♠", "card 1, 'B♠': B (U+0042) is not a rank; did you mean the Cyrillic В (U+0412)?"),
        ("\u212as", "card 1, '\u212as': \u212a (U+212A) is not a rank; did you mean the Latin K (U+004B)?"),
        ("９s", "card 1, '９s': ９ (U+FF19) is not a rank; did you mean the digit 9 (U+0039)?"),
        ("⑩s", "card 1, '⑩s': ⑩ (U+2469) is not a rank; did you mean the 10?"),
        ("A❤", "card 1, 'A❤': ❤ (U+2764) is not a suit; did you mean the ♥ (U+2665)?"),
        ("As|Kd", "card 2, '|': '|' stands between packets, and only cards are expected here"),
        ("As / Kd", "card 2, '/': '/' stands between packets, and only cards are expected here"),
        ("A\x1b[31m", "card 1, 'A\\x1b[31m': '\\x1b' is not a suit (s, h, d, c or ♠ ♥ ♦ ♣)"),
        ("\udc80s", "card 1, '\\udc80s': '\\udc80' is not a rank (2-9, T or 10, J, Q, K, A)"),
        ("x" * 10**6, f"card 1, '{'x' * 20}…': 'x' is not a rank (2-9, T or 10, J, Q, K, A)"),
    ],
)
def test_what_is_no_card_is_named_with_its_place(text, message):
    assert error_of(parse_cards, text) == message
    assert error_of(distinct_cards, text) == message


@pytest.mark.parametrize("value", [None, 7, b"As", ["As"]])
def test_cards_must_be_text(value):
    for read in (parse_cards, distinct_cards, parse_packets):
        assert f"not as {type(value).__name__}" in error_of(read, value)


def test_a_repeated_card_is_named_with_both_places():
    twice = D1.removesuffix("Ac") + "A♠"
    assert error_of(distinct_cards, twice, DealError) == "As given twice, places 22 and 25"
    assert len(parse_cards(twice)) == 25
    assert distinct_cards(D1) == parse_cards(D1)


@pytest.mark.parametrize(
    ("text", "card", "reminded"),
    [
        ("Т♥ A♥", "Ah", True),
        ("т♥ a♥", "Ah", True),
        ("T♥ 10♥", "Th", True),
        ("Т♥ т♥", "Ah", False),
        ("К♥ K♥", "Kh", False),
        ("Th 10h", "Th", False),
    ],
)
def test_a_card_repeated_in_two_scripts_brings_the_code_points(text, card, reminded):
    message = error_of(distinct_cards, text, DealError)
    assert message.startswith(f"{card} given twice, places 1 and 2")
    assert ("Latin T (U+0054)" in message and "Cyrillic Т (U+0422)" in message) is reminded


def test_reading_distinct_cards_stops_at_the_first_repeat():
    assert error_of(distinct_cards, "As" * 10**6 + "?", DealError) == "As given twice, places 1 and 2"


@pytest.mark.parametrize("mark", ["|", " | ", "/", "\n", "\r\n", "|\n", " /\r\n", "\u2028", "\n\n"])
@pytest.mark.parametrize("notation", NOTATIONS)
def test_packets_parse_back_between_all_separators(mark, notation):
    cards = parse_cards(D1)
    packets = [cards[start : start + 5] for start in range(0, 25, 5)]
    text = mark.join(format_cards(packet, notation) for packet in packets)
    assert parse_packets(text) == packets
    assert parse_packets(f"\ufeff{text}\r\n") == packets
    assert parse_packets(text + mark) == packets


def test_line_ends_inside_five_marked_packets_are_spaces():
    assert parse_packets("As\nKs | Qs\r\nJs |\nTs / 9s\n| 8s\n7s") == [
        parse_cards(packet) for packet in ("As Ks", "Qs Js", "Ts", "9s", "8s 7s")
    ]


def test_line_ends_part_packets_where_the_marks_do_not_make_five():
    assert [len(packet) for packet in parse_packets("As Ks | Qs\nJs | Ts\n9s")] == [2, 1, 1, 1, 1]
    assert [len(packet) for packet in parse_packets("As Ks\n\nQs\n , \n")] == [2, 1]


def test_number_and_size_of_packets_are_not_checked_here():
    assert parse_packets("As") == [(51,)]
    assert parse_packets("As|As|As|As|As|As") == [(51,)] * 6


@pytest.mark.parametrize("text", ["", " ", "|", "||||", "\n/\r\n", "\ufeff"])
def test_packets_without_cards_are_refused(text):
    assert error_of(parse_packets, text).startswith("no cards given: expected packets")


def test_errors_in_packets_name_packet_card_and_token():
    message = error_of(parse_packets, "As Ks | Qs Jz | Ts | 9s | 8s")
    assert message == "packet 2, card 2, 'Jz': 'z' is not a suit (s, h, d, c or ♠ ♥ ♦ ♣)"


def test_format_refuses_what_is_no_card_or_notation():
    for card in (-1, 52, 2**70):
        with pytest.raises(NotationError, match=f"{card} is not a card id: expected a whole number from 0 to 51"):
            format_card(card)
    with pytest.raises(NotationError, match="unknown notation 'latin': expected one of letters, symbols, russian"):
        format_card(0, "latin")


def test_shown_is_short_and_on_one_line():
    assert shown("As") == "'As'"
    assert shown("A\n\x07\u202e") == r"'A\n\x07\u202e'"
    assert shown("x" * 20) == f"'{'x' * 20}'"
    assert shown("x" * 21) == f"'{'x' * 20}…'"


@given(st.lists(st.tuples(spelled_cards, gaps)), gaps)
def test_any_spellings_and_separators_read_the_same(items, lead):
    text = lead + "".join(spelling + gap for (_, spelling), gap in items)
    assert parse_cards(text) == tuple(card for (card, _), _ in items)


@given(st.lists(st.tuples(spelled_cards, gaps), max_size=9), st.sampled_from("?xЖ0❤\x00"))
def test_rubbish_after_good_cards_is_placed_behind_them(items, rubbish):
    text = "".join(spelling + gap for (_, spelling), gap in items) + rubbish
    assert error_of(parse_cards, text).startswith(f"card {len(items) + 1}, {shown(rubbish)}: ")


@given(st.lists(st.lists(card_ids, min_size=1, max_size=6), min_size=1, max_size=7), st.sampled_from(NOTATIONS))
def test_packets_of_any_size_parse_back(packets, notation):
    text = " | ".join(format_cards(packet, notation) for packet in packets)
    assert parse_packets(text) == [tuple(packet) for packet in packets]


@pytest.mark.slow
def test_every_character_is_a_rank_a_suit_or_refused_in_one_clean_line():
    accepted = set()
    for char in map(chr, range(sys.maxunicode + 1)):
        for text in (char + "s", "A" + char):
            message = refusal(parse_cards, text)
            assert message.isprintable(), ascii(text)
            if not message:
                accepted.add(text)
    ranks = {rank for spellings in RANK_SPELLINGS for rank in spellings if len(rank) == 1}
    assert accepted == {rank + "s" for rank in ranks} | {"A" + suit for suit in "".join(SUIT_SPELLINGS)}


@given(st.one_of(st.text(), near_misses))
def test_any_text_is_read_or_refused_in_one_clean_line(text):
    for read in (parse_cards, distinct_cards, parse_packets):
        message = refusal(read, text)
        assert message.isprintable()
        assert len(message) < 400
