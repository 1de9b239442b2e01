import os
import signal
import subprocess
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from solver.best_response.greedy import greedy_arrangement
from solver.errors import QuintetError
from solver.game.deal import random_deals
from solver.language.numbers import amount
from solver.opponents.specification import parse_opponent
from solver.play.arrangement_entry import ArrangementEntry
from solver.system.files import LONGEST_LINE
from tests.support.command import LONGEST, PROGRAM, environment, strict_json
from tests.support.d1 import D1, FIXTURES, ROWS
from tests.support.in_process import answer_here, run_here
from tests.support.samples import random_arrangement

PACKETS = ROWS["A"].split(" | ")
SEED = 5
DEALS = list(random_deals(SEED, 3))
GENERATOR = np.random.default_rng(1)
ANSWERS = [random_arrangement(deal, GENERATOR) for deal in DEALS]


# The arrangement, line by line.


def test_an_arrangement_is_taken_on_one_line():
    assert ArrangementEntry(D1).take(ROWS["A"]) == FIXTURES["A"]


def test_an_arrangement_is_taken_packet_by_packet_in_any_notation():
    entry = ArrangementEntry(D1)
    lines = ["Т♠ Т♥ Т♦ Т♣ 8♥", "kd,kc,qh,qc,9d", "10s10d9s8s7d", "Вп Вч Дп Кч 9ч", "7c 8c Tc Jd Jc"]
    assert [entry.take(line) for line in lines[:4]] == [None] * 4
    assert entry.take(lines[4]) == FIXTURES["A"]


def test_a_line_may_hold_several_packets():
    entry = ArrangementEntry(D1)
    assert entry.take(" | ".join(PACKETS[:2])) is None
    assert entry.take(" / ".join(PACKETS[2:])) == FIXTURES["A"]


def test_five_packets_replace_those_laid_before():
    entry = ArrangementEntry(D1)
    entry.take(ROWS["B"].split(" | ")[0])
    assert entry.take(ROWS["A"]) == FIXTURES["A"]


def test_an_empty_line_lays_the_last_five_cards_and_nothing_else():
    entry = ArrangementEntry(D1)
    for packet in PACKETS[:4]:
        assert entry.take("  ") is None
        assert entry.take(packet) is None
    assert entry.take("") == FIXTURES["A"]


def test_what_is_left_shrinks_and_undo_gives_it_back():
    entry = ArrangementEntry(D1)
    entry.undo()
    assert entry.left == D1.cards
    entry.take(PACKETS[0])
    assert set(entry.left) == set(D1.cards) - set(FIXTURES["A"].packets[0])
    entry.undo()
    assert entry.left == D1.cards


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("As Ah Ad Ac", "packet 1 has 4 cards: expected 5$"),
        (ROWS["A"].replace("|", ""), "packet 1 has 25 cards: expected 5, and | between packets"),
        ("As Ah Ad Ac 7s", "7s is not in this deal"),
        ("As Ah Ad Ac Ac", "Ac given twice, in packets 1 and 1"),
        ("As Ah Ad Ac 8h | As Kd Kc Qh Qc", "As given twice, in packets 1 and 2"),
        (ROWS["A"] + "| 7d 7c 9h 9d Td", "6 packets: expected 5 in all"),
        ("eleven", "'eleven'"),
        ("As Ah Ad Ac 1h", "card 5, '1h'"),
    ],
)
def test_a_line_that_does_not_fit_changes_nothing(line, complaint):
    entry = ArrangementEntry(D1)
    with pytest.raises(QuintetError, match=complaint.replace("|", r"\|")):
        entry.take(line)
    assert entry.packets == []
    assert entry.take(ROWS["A"]) == FIXTURES["A"]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("x", "packet 3, card 1"),
        ("7d 7c 9h 9d Td / x", "packet 4, card 1"),
        ("7d 7c", "packet 3 has 2 cards"),
        (" | ".join(["7d", "7c", "9h", "x", "Td"]), "packet 4, card 1"),
    ],
)
def test_packets_are_counted_from_the_first_place(line, complaint):
    entry = ArrangementEntry(D1)
    for text in PACKETS[:2]:
        entry.take(text)
    with pytest.raises(QuintetError, match=complaint):
        entry.take(line)


# What the opponent lays.


@pytest.mark.parametrize(
    "spec",
    ["greedy", "greedy-shuffled", "random", "undominated", "level:1", "quantal:1", ["2:greedy", "1:random"]],
    ids=str,
)
def test_every_model_draws_arrangements_of_the_deal_by_the_seed(spec):
    opponent = parse_opponent(spec, D1)
    first, second = ([opponent.draw(np.random.default_rng([seed, 1])) for seed in range(5)] for _ in range(2))
    assert first == second
    assert {arrangement.deal for arrangement in first} == {D1}
    assert len(set(first)) > 1 or spec == "greedy"


@pytest.mark.parametrize("spec", ["random", "undominated", "quantal:1", ["1:quantal:5", "3:random"]], ids=str)
def test_draws_follow_the_place_distributions_of_the_model(spec):
    """Every place has the right share of packets that are stronger than the model's median there."""
    opponent = parse_opponent(spec, D1)
    generator = np.random.default_rng(7)
    draws = 2000
    strengths = np.array([opponent.draw(generator).strengths() for _ in range(draws)])
    for place, distribution in enumerate(opponent.mix.places):
        ends = np.cumsum(distribution.weights)
        for quantile in (0.25, 0.5, 0.75):
            index = int(np.searchsorted(ends, quantile * ends[-1]))
            share = float(ends[index] / ends[-1])
            seen = float((strengths[:, place] <= distribution.strengths[index]).mean())
            assert abs(seen - share) < 5 * (share * (1 - share) / draws) ** 0.5 + 1e-9


def test_a_mix_of_models_draws_each_as_often_as_its_weight():
    opponent = parse_opponent(["1:greedy", "3:random"], D1)
    greedy = parse_opponent("greedy", D1).strategies.arrangements[0]
    generator = np.random.default_rng(3)
    seen = Counter(opponent.draw(generator) for _ in range(2000))
    assert 400 < seen[greedy] < 600


# Whole sessions, from scripts.


def play(*arguments, lines=(), seed=SEED):
    return run_here("play", "--seed", seed, "--opponent", "greedy-shuffled", *arguments, stdin="\n".join([*lines, ""]))


def logged(path):
    return [strict_json(line) for line in path.read_text().splitlines()]


def test_a_session_of_three_deals_is_scored_graded_and_logged(tmp_path):
    path = tmp_path / "session.jsonl"
    run = play("--deals", 3, "--log", path, lines=[answer.text("russian") for answer in ANSWERS])
    assert (run.code, run.err) == (0, "")
    records = logged(path)
    assert [record["round"] for record in records] == [1, 2, 3]
    won = drawn = lost = mine = theirs = 0
    regret = Fraction(0)
    for record, deal, answer in zip(records, DEALS, ANSWERS, strict=True):
        assert record["schema"] == "quintet.play/1"
        assert record["deal"]["cards"] == deal.text()
        assert record["arrangement"] == answer.packet_texts()
        referee = answer_here("score", answer.text(), "|".join(record["opponent_arrangement"]))
        for name in ("points", "tied", "draw", "places"):
            assert record[name] == referee[name]
        grade = answer_here("grade", answer.text(), "--seed", SEED, "--opponent", "greedy-shuffled")
        for name in grade.keys() - {"schema"}:
            assert record[name] == grade[name]
        first, second = record["points"]
        won, drawn, lost = won + (first > second), drawn + (first == second), lost + (first < second)
        mine, theirs, regret = mine + first, theirs + second, regret + Fraction(record["regret_exact"])
        assert f"So far won {won}, drawn {drawn}, lost {lost}; points {mine}-{theirs}; mean regret " in run.out
    assert run.out.rstrip().endswith(f"mean regret {amount(regret / 3, 'points', exact=False)}")


def test_the_deals_are_those_of_the_deal_command():
    dealt = run_here("deal", "--seed", SEED, "--count", 3, "--notation", "letters").out
    run = play("--deals", 3, "--quiet", lines=[answer.text() for answer in ANSWERS])
    assert [line for line in run.out.splitlines() if line in dealt.splitlines()] == dealt.splitlines()


def test_the_same_seed_and_script_give_the_same_bytes():
    lines = [answer.text() for answer in ANSWERS[:2]]
    first, second = (play("--deals", 2, lines=lines) for _ in range(2))
    assert first == second


def test_the_opponent_lays_the_same_whatever_the_player_does(tmp_path):
    laid = []
    for number, answer in enumerate([ANSWERS[0], random_arrangement(DEALS[0], np.random.default_rng(9))]):
        path = tmp_path / f"{number}.jsonl"
        play("--deals", 1, "--log", path, lines=["nonsense"] * number + [answer.text()])
        laid.append(logged(path)[0]["opponent_arrangement"])
    assert laid[0] == laid[1]


def test_against_ones_own_arrangement_the_match_is_drawn():
    mine = greedy_arrangement(DEALS[0])
    run = run_here("play", "--seed", SEED, "--opponent", "greedy", "--deals", 1, stdin=f"{mine.text()}\n")
    assert "The match is drawn 0-0" in run.out
    assert "So far won 0, drawn 1, lost 0; points 0-0" in run.out


def test_a_seed_is_drawn_and_reported_and_repeats_the_session():
    first = run_here("play", "--opponent", "greedy", stdin="")
    assert first.code == 0
    seed = first.err.removeprefix("quintet: playing with --seed ").strip()
    assert f"seed {seed}" in first.out
    again = run_here("play", "--opponent", "greedy", "--seed", seed, stdin="")
    assert (again.out, again.err) == (first.out, "")


def test_a_line_without_end_is_read_in_pieces():
    run = play("--deals", 1, "--quiet", lines=["x" * (LONGEST_LINE + 1), ANSWERS[0].text()])
    assert run.code == 0
    assert [len(line) < 100 for line in run.err.splitlines()] == [True] * 2


def test_a_bad_line_gets_one_line_and_the_question_again():
    lines = ["As As", "", "x\x1b[31m", *ANSWERS[0].packet_texts()]
    run = play("--deals", 1, lines=lines)
    assert run.code == 0
    assert run.err.count("\n") == 2
    assert all(line.startswith("quintet: ") and line.isprintable() for line in run.err.splitlines())
    assert run.out.count("Place 1> ") == 4
    assert run.out.count("Place 5, an empty line lays these five> ") == 1
    assert "So far" in run.out


def test_bytes_that_are_no_text_are_a_bad_line():
    run = subprocess.run(
        [*PROGRAM, "play", "--seed", str(SEED), "--deals", "1", "--opponent", "greedy"],
        input=b"\xff\xfe\n" + ANSWERS[0].text("symbols").encode() + b"\r\n",
        capture_output=True,
        env=environment(),
        timeout=LONGEST,
        check=False,
    )
    assert run.returncode == 0
    assert run.stderr.count(b"\n") == 1
    assert b"So far" in run.stdout


def test_words_undo_and_help_and_quit(tmp_path):
    path = tmp_path / "session.jsonl"
    packets = ANSWERS[0].packet_texts()
    lines = ["help", packets[1], "undo", *packets[:4], "", "QUIT", "never read"]
    run = play("--log", path, lines=lines)
    assert (run.code, run.err) == (0, "")
    assert run.out.count("undo takes the last packet back") == 2
    assert [record["arrangement"] for record in logged(path)] == [packets]
    assert "never read" not in run.out


def test_packet_by_packet_shows_what_is_left():
    run = play("--deals", 1, lines=ANSWERS[0].packet_texts())
    after = run.out.split("Place 4> ")[1].split("\n", 1)[1].split("Place 5, ")[0]
    assert sorted(after.split()) == sorted(ANSWERS[0].packet_texts()[4].split())


@pytest.mark.parametrize("lines", [[], ANSWERS[1].packet_texts()[:3], ["undo"]], ids=["deal", "packet", "word"])
def test_the_end_of_input_ends_the_session_cleanly(tmp_path, lines):
    path = tmp_path / "session.jsonl"
    run = play("--log", path, lines=[ANSWERS[0].text(), *lines])
    assert (run.code, run.err) == (0, "")
    assert run.out.endswith("> \n")
    assert len(logged(path)) == 1


def test_quiet_writes_deals_and_results_only():
    run = play("--deals", 1, "--quiet", lines=[ANSWERS[0].text()])
    deal, *results = run.out.splitlines()
    assert deal == DEALS[0].text()
    assert len(results) == 3
    assert "match" in results[0]


def test_the_objective_changes_what_regret_is(tmp_path):
    path = tmp_path / "session.jsonl"
    run = play("--deals", 1, "--objective", "win", "--log", path, lines=[ANSWERS[0].text()])
    (record,) = logged(path)
    assert record["objective"] == "win"
    assert Fraction(record["regret_exact"]) <= 1
    assert "mean regret " in run.out
    assert run.out.rstrip().endswith("%")


def test_other_rules_change_the_referee(tmp_path):
    path = tmp_path / "session.jsonl"
    play("--deals", 1, "--weights", "1,1,1,1,9", "--rules", "telesina", "--log", path, lines=[ANSWERS[0].text()])
    (record,) = logged(path)
    assert record["rules"] == {"name": "telesina", "ace_low": False, "weights": [1, 1, 1, 1, 9]}
    assert sum(record["points"]) + record["tied"] == 13


# The log.


def test_a_log_grows_and_keeps_what_was_in_it(tmp_path):
    path = tmp_path / "session.jsonl"
    play("--deals", 1, "--log", path, lines=[ANSWERS[0].text()])
    before = path.read_bytes()
    play("--deals", 2, "--log", path, lines=[answer.text() for answer in ANSWERS])
    assert path.read_bytes().startswith(before)
    assert [record["round"] for record in logged(path)] == [1, 1, 2]


def test_a_line_cut_off_by_a_crash_goes_and_the_others_stay(tmp_path):
    path = tmp_path / "session.jsonl"
    play("--deals", 2, "--log", path, lines=[answer.text() for answer in ANSWERS])
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"schema": "quintet.pl')
    play("--deals", 1, "--log", path, lines=[ANSWERS[0].text()])
    assert path.read_bytes().startswith(whole)
    assert [record["round"] for record in logged(path)] == [1, 2, 1]


def test_a_file_that_is_no_log_is_refused_untouched(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("buy bread")
    run = play("--log", path, lines=[ANSWERS[0].text()])
    assert (run.code, run.out) == (2, "")
    assert run.err.count("\n") == 1
    assert path.read_text() == "buy bread"


@pytest.mark.parametrize("arguments", [["--deals", "0"], ["--seed", "-5"], ["--opponent", "nobody"], ["--log", "/"]])
def test_options_that_cannot_be_are_refused_before_the_session(arguments):
    run = run_here("play", *arguments)
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)


# Interrupts.


def test_ctrl_c_ends_with_130_and_keeps_the_finished_deals(tmp_path):
    path = tmp_path / "session.jsonl"
    arguments = ["play", "--seed", str(SEED), "--opponent", "greedy", "--log", str(path)]
    with subprocess.Popen(
        [*PROGRAM, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        start_new_session=True,
    ) as process:
        try:
            process.stdin.write(ANSWERS[0].text().encode() + b"\n")
            process.stdin.flush()
            seen = b""
            while seen.count(b"Place 1> ") < 2:
                part = os.read(process.stdout.fileno(), 4096)
                assert part, "the session ended by itself"
                seen += part
            os.killpg(process.pid, signal.SIGINT)
            assert process.wait(LONGEST) == 130
            assert process.stderr.read() == b"quintet: interrupted\n"
        finally:
            process.kill()
    assert len(logged(path)) == 1
