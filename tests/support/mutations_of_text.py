"""Nearly right inputs: a valid text, JSON document or file with a few changes, from harmless to hostile."""

import copy
import json
import sys

from solver.game.cards import FULL_PACK
from solver.game.notation import NOTATIONS, format_card

_SPELLINGS = [
    [case(format_card(card, notation)) for notation in NOTATIONS for case in (str, str.lower)] for card in FULL_PACK
]
_GAPS = (*[" "] * 6, "", ", ", ";", "\t", "  ", "\u00a0", "\u200b", "\ufeff")
_HARMLESS = (" ", " ", " ", "  ", "\u200b", "\ufe0f")
_SIGNS = (
    *"0123456789TtJQKAkshHdcC♠♥♦♣♤♡♢♧ТтКДВпчбАСс❤⑩９ß|/,;{}[]:\"'\\ \t\n\r\0\x1b\x1c\x85\u2028\u202e\ufe0f\ufeff",
    *("\r\n", "As", "10h", " | ", "\n\n", "quit", "\x1b[31m", "[/x]", "\ud800", "\udcff", "\U000e0100"),
)
_VALUES = (
    *(None, True, False, 0, 1, -1, 2, 5, 26, 2**31, 2**53, 2**63, 2**64, 10**400),
    *(0.0, -0.0, 0.5, 1.0, 1e-320, 1e-9, 1e300, -1e308),
    *("", "x", "1", "0", "1/2", "1/0", "1e999999999", "nan", "٣", "[/x]", "{x}", "\0", "\x1b[31m", "\ud800"),
    *("я" * 3000, [], [[]], ["As Ks Qs Js Ts"] * 5),
)
_LITERALS = (
    *("1e999", "-1e999", "NaN", "-Infinity", "9" * 4300, "-" + "9" * 4301),
    *("01", "'x'", "", '"\\ud800"', "[" * 10**5),
)


class Literal(str):
    """A piece of JSON that is written as it stands."""

    __slots__ = ()


class Members(list):
    """The members of a JSON object, as pairs in their order; a name may come twice."""


def pick(generator, choices):
    """Draw one of several things."""
    return choices[generator.integers(len(choices))]


def spelled(cards, generator):
    """Write cards as a careless hand may do: in any notation and case, with any gaps."""
    rolls = generator.integers(1 << 30, size=(len(cards), 2)).tolist()
    return "".join(
        _SPELLINGS[card][roll % len(_SPELLINGS[card])] + _GAPS[gap % len(_GAPS)]
        for card, (roll, gap) in zip(cards, rolls, strict=True)
    )


# Text.


def changed_text(text, generator):
    """Return a text with one change."""
    start = int(generator.integers(len(text) + 1))
    end = min(start + int(generator.integers(1, 5)), len(text))
    return pick(generator, _TEXT_CHANGES)(text, start, end, generator)


def _sign(generator):
    return pick(generator, _SIGNS) if generator.random() < 0.9 else chr(generator.integers(sys.maxunicode + 1))


def _spaced(text, start, end, generator):
    return text[:start] + pick(generator, _HARMLESS) + text[start:]


def _padded(text, start, end, generator):
    return pick(generator, _HARMLESS) * 2 + text + pick(generator, _HARMLESS)


def _cased(text, start, end, generator):
    return text[:start] + text[start:end].swapcase() + text[end:]


def _inserted(text, start, end, generator):
    return text[:start] + _sign(generator) + text[start:]


def _replaced(text, start, end, generator):
    return text[:start] + _sign(generator) + text[end:]


def _removed(text, start, end, generator):
    return text[:start] + text[end:]


def _repeated(text, start, end, generator):
    times = int(10 ** generator.uniform(0, 4.5)) if generator.random() < 0.05 else 1
    return text[:end] + text[start:end] * times + text[end:]


def _moved(text, start, end, generator):
    rest = text[:start] + text[end:]
    place = int(generator.integers(len(rest) + 1))
    return rest[:place] + text[start:end] + rest[place:]


def _cut(text, start, end, generator):
    return text[:start] if generator.random() < 0.5 else text[start:]


_TEXT_CHANGES = (*[_spaced] * 3, *[_padded] * 3, *[_cased] * 3, _inserted, _replaced, _removed, _repeated, _moved, _cut)


# JSON.


def parsed(text):
    """Return a JSON document in which objects are `Members`."""
    return json.loads(text, object_pairs_hook=Members)


def changed_json(tree, generator):
    """Make one change somewhere in a document of `parsed`; lists and objects are changed in place."""
    slots = list(_slots(tree))
    if slots:
        container, index = pick(generator, slots)
        pick(generator, _JSON_CHANGES)(container, index, slots, generator)


def written(tree, generator):
    """Return a document as text, laid out in some way."""
    comma, colon = pick(generator, ((", ", ": "), (",", ":"), (" ,\t", " :  ")))
    return _written(tree, comma, colon, ensure_ascii=bool(generator.integers(2)))


def _written(node, comma, colon, *, ensure_ascii):
    def text(value):
        return _written(value, comma, colon, ensure_ascii=ensure_ascii)

    if isinstance(node, Members):
        return "{" + comma.join(text(name) + colon + text(value) for name, value in node) + "}"
    if isinstance(node, list):
        return "[" + comma.join(map(text, node)) + "]"
    return str(node) if isinstance(node, Literal) else json.dumps(node, ensure_ascii=ensure_ascii)


def _slots(node):
    """Yield every container with every index in it."""
    for index in range(len(node) if isinstance(node, list) else 0):
        yield node, index
        yield from _slots(_value(node, index))


def _value(container, index):
    return container[index][1] if isinstance(container, Members) else container[index]


def _put(container, index, value):
    container[index] = (container[index][0], value) if isinstance(container, Members) else value


def _hostile(generator):
    roll = generator.random()
    if roll < 0.7:
        return copy.deepcopy(pick(generator, _VALUES))
    if roll < 0.9:
        return Literal(pick(generator, _LITERALS))
    # What can be read just so may be too deep for whatever looks at it next.
    depth = sys.getrecursionlimit() - int(generator.integers(300))
    return Literal(pick(generator, ("[" * depth + "]" * depth, '{"a":' * depth + "1" + "}" * depth)))


def _value_swapped(container, index, slots, generator):
    _put(container, index, _hostile(generator))


def _value_nudged(container, index, slots, generator):
    value = _value(container, index)
    if isinstance(value, str):
        _put(container, index, changed_text(value, generator))
    elif isinstance(value, int | float):
        _put(container, index, value + pick(generator, (-1, 1) if isinstance(value, int) else (-1, 0.5, 1e-12)))
    else:
        _put(container, index, _hostile(generator))


def _value_borrowed(container, index, slots, generator):
    _put(container, index, copy.deepcopy(_value(*pick(generator, slots))))


def _slot_removed(container, index, slots, generator):
    del container[index]


def _slot_doubled(container, index, slots, generator):
    container.insert(index, copy.deepcopy(container[index]))
    if generator.random() < 0.5:
        _put(container, index, _hostile(generator))


def _slots_exchanged(container, index, slots, generator):
    other = int(generator.integers(len(container)))
    container[index], container[other] = container[other], container[index]


def _name_changed(container, index, slots, generator):
    if isinstance(container, Members):
        name, value = container[index]
        container[index] = changed_text(name, generator), value


def _member_added(container, index, slots, generator):
    if isinstance(container, Members):
        container.insert(index, (f"x{generator.integers(100)}", _hostile(generator)))


def _members_turned(container, index, slots, generator):
    if isinstance(container, Members):
        container.reverse()


_JSON_CHANGES = (
    *(_value_swapped, _value_nudged, _value_borrowed, _slot_removed, _slot_doubled, _slots_exchanged, _name_changed),
    *(_member_added, *[_members_turned] * 4),
)


# Files.


def encoded(text, generator):
    """Return the bytes of a file with this text, now and then in another encoding than UTF-8 or damaged."""
    if generator.random() < 0.01:
        return text.encode("utf-16", "surrogatepass")
    content = text.encode("utf-8", "surrogatepass")
    roll = generator.random()
    if roll < 0.04:
        place = int(generator.integers(len(content) + 1))
        return content[:place] + generator.bytes(1) + content[place:]
    return b"\xef\xbb\xbf" + content if roll < 0.1 else content
