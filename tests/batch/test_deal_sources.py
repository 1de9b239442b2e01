"""Deals of a batch from files, seeds and instance sets."""

import json

import pytest

from solver.batch import deal_sources
from solver.batch.deal_sources import DealFile, Item, RandomDeals, instance_file
from solver.errors import BatchError, FileError
from solver.game.deal import Deal, random_deals
from solver.system.files import LONGEST_LINE
from tests.support.d1 import D1, REMOVED

RUSSIAN = D1.text("russian")


def read(tmp_path, content, **options):
    path = tmp_path / "deals"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    source = DealFile(str(path), **options)
    items = list(source)
    assert source.count() == len(items)
    assert list(source) == items, "it can be read again"
    return items


def test_text_in_any_notation_with_blank_lines_between(tmp_path):
    content = f"\n{D1.text()}\n\n  \t\r\n{RUSSIAN}\r\n{D1.text('symbols')}"
    assert read(tmp_path, content) == [Item(2, 2, D1), Item(5, 5, D1), Item(6, 6, D1)]


def test_a_byte_order_mark_is_ignored(tmp_path):
    assert read(tmp_path, b"\xef\xbb\xbf\n" + D1.text().encode()) == [Item(2, 2, D1)]
    assert read(tmp_path, b"\xef\xbb\xbf" + D1.text().encode()) == [Item(1, 1, D1)]
    assert read(tmp_path, b"\xef\xbb\xbf" + json.dumps({"removed": REMOVED}).encode()) == [Item(1, 1, D1)]


def test_lines_of_text_may_name_the_cards_laid_aside(tmp_path):
    assert read(tmp_path, REMOVED, removed=True) == [Item(1, 1, D1)]


@pytest.mark.parametrize(
    ("fields", "identity"),
    [
        ({"cards": D1.text()}, 1),
        ({"removed": REMOVED}, 1),
        ({"id": None, "removed": REMOVED}, 1),
        ({"id": "first", "cards": RUSSIAN}, "first"),
        ({"id": 0, "cards": D1.text()}, 0),
        ({"id": "7", "cards": D1.text(), "removed": REMOVED, "seed": 5}, "7"),
        ({"id": "Тур 1 \ud83c", "cards": D1.text()}, "Тур 1 \ud83c"),
    ],
)
def test_json_lines(tmp_path, fields, identity):
    assert read(tmp_path, json.dumps(fields), removed=True) == [Item(1, identity, D1)]


def test_what_deal_writes_is_read(tmp_path):
    from tests.support.in_process import run_here

    dealt = run_here("deal", "--count", 3, "--seed", 5, "--json").out
    assert read(tmp_path, dealt) == [Item(number, number, deal) for number, deal in enumerate(random_deals(5, 3), 1)]


@pytest.mark.parametrize(
    ("line", "identity", "error"),
    [
        (D1.text()[:-3], 2, "expected 25 cards, the cards in play, not 24"),
        ("hello", 2, "card 1, 'hello'"),
        ("{", 2, "not a JSON object"),
        ("[" * 3000, 2, "card 1"),
        ('{"cards": ' + "[" * 100_000, 2, "not a JSON object"),
        ("{}", 2, "expected `cards` or `removed`"),
        ('{"id": "x"}', "x", "expected `cards` or `removed`"),
        ('{"id": "x", "cards": ""}', "x", "not 0"),
        ('{"id": "x", "cards": 5}', "x", "`cards` is 5"),
        ('{"id": true, "cards": ""}', 2, "id True"),
        ('{"id": 1.5, "cards": ""}', 2, "id 1.5"),
        ('{"id": {}, "cards": ""}', 2, "id {}"),
        (json.dumps({"cards": D1.text(), "removed": "7s 7h 8d 9c Th Qd As"}), 2, "do not make up the pack"),
        (b"\xff\xfe7s", 2, "not UTF-8 text (byte 1 of the line)"),
        ("7s " * LONGEST_LINE, 2, f"longer than {LONGEST_LINE} bytes"),
    ],
)
def test_a_bad_line_is_one_bad_item_and_the_next_one_is_read(tmp_path, line, identity, error):
    content = line if isinstance(line, bytes) else line.encode()
    first, bad, last = read(tmp_path, D1.text().encode() + b"\n" + content + b"\n" + D1.text().encode())
    assert (first, last) == (Item(1, 1, D1), Item(3, 3, D1))
    assert (bad.line, bad.id, bad.deal) == (2, identity, None)
    assert error in bad.error
    assert bad.error.isprintable()


def test_an_empty_file_has_no_deals(tmp_path):
    assert read(tmp_path, "") == []


def test_random_deals_are_those_of_the_deal_command():
    source = RandomDeals(8, 1)
    assert [item.deal for item in source] == list(random_deals(1, 8)) == [item.deal for item in source]
    assert [(item.line, item.id) for item in source] == [(number, number) for number in range(1, 9)]
    assert source.count() == 8
    assert len({item.deal for item in source}) == 8


@pytest.mark.parametrize("path", ["missing", "."])
def test_a_file_that_cannot_be_read_is_refused_at_once(tmp_path, monkeypatch, path):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileError, match=path):
        DealFile(path)


def test_instance_sets_are_found_by_name(tmp_path, monkeypatch):
    monkeypatch.setattr(deal_sources, "INSTANCES", tmp_path)
    (tmp_path / "small.txt").write_text(f"{D1.text()}\n")
    (tmp_path / "README.md").write_text("no set")
    assert list(instance_file("small")) == [Item(1, 1, Deal.parse(D1.text()))]
    for name in ("large", "README", "../small", "small.txt"):
        with pytest.raises(BatchError, match="no such set, expected one of small"):
            instance_file(name)


def test_outside_a_checkout_there_are_no_instance_sets(tmp_path, monkeypatch):
    monkeypatch.setattr(deal_sources, "INSTANCES", tmp_path / "gone")
    with pytest.raises(BatchError, match="come with a checkout"):
        instance_file("small")
