"""`quintet fit`, as a user runs it, and what it writes as an opponent."""

import json

import pytest

from solver.game.deal import random_deals
from solver.opponents.specification import parse_opponent
from tests.support.command import rejected, strict_json
from tests.support.d1 import D1
from tests.support.in_process import answer_here, run_here


def line(deal, **fields):
    laid = parse_opponent("greedy", deal).strategies.arrangements[0]
    return {"cards": deal.text(), "arrangement": laid.packet_texts(), **fields}


DEALS = list(random_deals(seed=5, count=3))
LINES = [line(deal) for deal in DEALS]


def written(path, lines, end="\n"):
    path.write_text("\n".join(each if isinstance(each, str) else json.dumps(each) for each in lines) + end)
    return path


def test_a_session_at_the_terminal_makes_an_opponent(tmp_path):
    log, player = tmp_path / "log.jsonl", tmp_path / "me.json"
    answers = "".join(" | ".join(line(deal)["arrangement"]) + "\n" for deal in DEALS)
    played = run_here("play", "--deals", "3", "--seed", "5", "--log", log, "--opponent", "greedy", stdin=answers)
    assert played.code == 0, played.err
    for side in ("player", "opponent"):
        run = run_here("fit", log, "--side", side, "--output", player)
        assert (run.code, run.err) == (0, "")
        assert "Splits greedily in 3 of 3 deals" in run.out
        document = strict_json(player.read_text())
        assert (document["schema"], document["deals"], document["outside"]) == ("quintet.fit/1", 3, 0)
        assert sum(each["weight"] for each in document["components"]) == 1_000_000
    once = player.read_bytes()
    run_here("fit", log, "--side", "opponent", "--output", player)
    assert player.read_bytes() == once
    solved = answer_here("solve", D1.text(), "--opponent", f"fitted:{player}")
    assert solved["status"] == "optimal"
    assert "Надёжность: грубо" in run_here("fit", log, "--lang", "ru").out


def test_helped_deals_are_left_out_and_a_torn_line_is_passed_over(tmp_path):
    lines = [*LINES[:2], LINES[2] | {"assisted": ["hint"]}, json.dumps(LINES[2])[:40]]
    run = run_here("fit", written(tmp_path / "log", lines, end=""), "--json")
    assert run.code == 0
    assert run.err == "quintet: a last line is cut off, and left out\n"
    assert (run.document["deals"], run.document["assisted"]) == (2, 1)


def test_what_nobody_would_lay_is_outside(tmp_path):
    cards = DEALS[0].text().split()
    laid = [" ".join(cards[place::5]) for place in range(5)]
    document = answer_here(
        "fit", written(tmp_path / "log", [*LINES[1:], {"cards": DEALS[0].text(), "arrangement": laid}])
    )
    assert (document["deals"], document["outside"]) == (3, 1)


TELESINA = {"rules": {"name": "telesina", "ace_low": False, "weights": [3, 4, 5, 6, 7]}}


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        ([], "is empty: expected at least one recorded deal"),
        ([LINES[0] | {"assisted": ["hint"]}], "expected at least one recorded deal (1 left out"),
        ([LINES[0] | {"assisted": "hint"}], "expected `assisted` to be a list"),
        ([LINES[0], LINES[1] | TELESINA], "line 2: played under the rules"),
        ([LINES[0], LINES[1] | {"cards": "As Kd"}], "line 2: "),
        ([LINES[0], LINES[1] | {"cards": DEALS[0].text()}], "line 2: "),
        ([LINES[0], {"cards": DEALS[0].text()}], "line 2: expected `arrangement` with five packets"),
        ([LINES[0], {"arrangement": LINES[0]["arrangement"]}], "line 2: expected a deal"),
        ([LINES[0], "[1]", LINES[1]], "line 2: not a JSON document"),
    ],
)
def test_what_is_no_log_is_refused_in_one_line(tmp_path, lines, complaint):
    path = tmp_path / "log"
    if lines:
        written(path, lines)
    else:
        path.touch()
    assert complaint in rejected("fit", path)


def test_a_missing_file_is_named(tmp_path):
    assert "No such file" in rejected("fit", tmp_path / "none")


def test_the_log_is_not_replaced_by_what_it_teaches(tmp_path):
    path, link = written(tmp_path / "log", LINES), tmp_path / "link"
    link.symlink_to(path)
    before = path.read_bytes()
    for output in (path, link):
        assert "would replace the deals" in rejected("fit", path, "--output", output)
    assert path.read_bytes() == before


def test_a_mix_risks_what_the_file_proposes(tmp_path):
    player = tmp_path / "me.json"
    run_here("fit", written(tmp_path / "log", LINES), "--output", player)
    fitted = f"fitted:{player}"
    mix = answer_here("mix", D1.text(), "--opponent", fitted)
    assert mix["limits"]["risk_source"] == "fitted player"
    best = answer_here("solve", D1.text(), "--opponent", fitted, "--objective", "margin", "--engine", "enumerate")
    graded = answer_here("grade", " | ".join(best["arrangement"]), "--opponent", fitted, "--objective", "margin")
    assert mix["limits"]["risk"] == pytest.approx(
        strict_json(player.read_text())["risk"]["share"] * graded["best_answer"]["margin"]
    )
    assert 0 < mix["exploitability"] <= mix["limits"]["risk"] + 1e-6
    asked = answer_here("mix", D1.text(), "--opponent", fitted, "--risk", "0")
    assert asked["limits"]["risk_source"] == "given"
    assert asked["gain"] <= mix["gain"]
    player.write_text(player.read_text().replace('"share": 0.', '"share": 7.'))
    assert "expected `risk` with `share`" in rejected("mix", D1.text(), "--opponent", fitted)
