"""`quintet deal`, as a user runs it."""

import re

import pytest

from solver.game.cards import PACK
from solver.game.deal import Deal
from solver.game.notation import format_card
from tests.support.command import answered, quintet, strict_json
from tests.support.d1 import REMOVED
from tests.support.in_process import answer_here, run_here

WHOLE_PACK = {format_card(card) for card in PACK}


def test_a_deal_is_25_cards_and_its_seed_is_reported():
    run = quintet("deal")
    assert run.code == 0
    assert len(Deal.parse(run.out).cards) == 25
    (seed,) = re.fullmatch(r"quintet: dealt with --seed (\d+)\n", run.err).groups()
    assert quintet("deal", "--seed", seed).out == run.out
    assert quintet("deal").out != run.out


def test_a_seeded_deal_is_silent_and_the_same_again():
    first, second = (quintet("deal", "--seed", "7", "--count", "20") for _ in range(2))
    assert first == second
    assert (first.code, first.err) == (0, "")
    assert len(set(first.out.splitlines())) == 20
    assert quintet("deal", "--seed", "7", "--count", "3").out.splitlines() == first.out.splitlines()[:3]
    assert quintet("deal", "--seed", "8").out not in first.out


def test_dealt_and_laid_aside_make_the_pack():
    # Report B28.
    lines = quintet("deal", "--count", "500", "--seed", "1", "--json").out.splitlines()
    for number, line in enumerate(lines, 1):
        record = strict_json(line)
        dealt, removed = record["cards"].split(), record["removed"].split()
        assert (len(dealt), len(removed)) == (25, 7)
        assert set(dealt) | set(removed) == WHOLE_PACK
        assert (record["schema"], record["id"], record["seed"]) == ("quintet.deal/1", number, 1)
    assert len(lines) == 500


@pytest.mark.parametrize("notation", ["letters", "symbols", "russian"])
def test_every_output_reads_back(notation):
    # Report B35.
    expected = strict_json(quintet("deal", "--seed", "1", "--json").out)["cards"]
    shown = quintet("deal", "--seed", "1", "--notation", notation).out
    assert Deal.parse(shown).text() == expected
    assert "10" not in expected


def test_a_dealt_line_is_solved():
    record = strict_json(quintet("deal", "--seed", "1", "--json").out)
    options = ["--opponent", "greedy", "--engine", "enumerate"]
    by_cards = answered("solve", record["cards"], *options)
    by_removed = answered("solve", "--removed", record["removed"], *options)
    assert by_cards == by_removed
    assert by_cards["deal"] == {"cards": record["cards"], "removed": record["removed"]}


def test_a_large_seed_is_a_seed():
    assert len(Deal.parse(quintet("deal", "--seed", str(10**40)).out).cards) == 25


@pytest.mark.parametrize("code_page", ["cp1252", "ascii", "koi8-r", "utf-8"])
def test_an_old_code_page_gets_letters_or_what_it_can_hold(code_page):
    # Report B74.
    for notation in ("symbols", "russian"):
        run = quintet(
            "deal", "--seed", "1", "--notation", notation, variables={"PYTHONIOENCODING": code_page}, encoding=code_page
        )
        assert (run.code, run.err) == (0, "")
        assert Deal.parse(run.out) == Deal.parse(quintet("deal", "--seed", "1").out)
    document = quintet("deal", "--seed", "1", "--json", variables={"PYTHONIOENCODING": code_page}).out
    assert strict_json(document)["id"] == 1


def test_seven_cards_are_those_laid_aside():
    # Report R22.
    assert answer_here("solve", REMOVED, "--opponent", "greedy") == answer_here(
        "solve", "--removed", REMOVED, "--opponent", "greedy"
    )


def test_a_deal_as_json_is_read_wherever_cards_are(tmp_path):
    # Report R21.
    line = run_here("deal", "--seed", "5", "--json", "--quiet").out
    cards = strict_json(line)["cards"]
    expected = answer_here("solve", cards, "--opponent", "greedy")
    assert answer_here("solve", "-", "--opponent", "greedy", stdin=line) == expected
    assert answer_here("solve", "-", "--opponent", "greedy", stdin="\ufeff" + line) == expected
    assert answer_here("solve", line.strip(), "--opponent", "greedy") == expected
