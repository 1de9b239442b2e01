"""Whatever is wrong with the input: exit 2, one line that quotes it and says what was expected, nothing written."""

import json

import click
import pytest

from solver.system.files import LONGEST_LINE
from tests.support.command import PROGRAM, Run, quintet, rejected
from tests.support.d1 import D1, FALLING, FIXTURES, REMOVED, ROWS
from tests.support.in_process import run_here

CARDS = D1.text()
OLD = "an old result"
# D1 as reports.md has it, lowest rank first.
ASCENDING = "7d 7c 8s 8h 8c 9s 9h 9d Ts Td Tc Js Jh Jd Jc Qs Qh Qc Kh Kd Kc As Ah Ad Ac"
LOCK_ROYAL = "5=Ac Kc Qc Jc Tc"

BAD = {
    # The deal.
    "no cards": (["solve"], "solve: Missing argument 'CARDS...'"),
    "24 cards": (["solve", CARDS[:-3]], "expected 25 cards, the cards in play, not 24"),
    "a deal as JSON without cards": (["solve", '{"id": 1}'], "expected `cards` or `removed` in the JSON object"),
    "a deal as broken JSON": (["solve", '{"cards": '], "not a JSON object"),
    "26 cards": (["solve", CARDS, "7s"], "expected 25 cards, the cards in play, not 26"),
    "no card at all": (["solve", ""], "expected 25 cards, the cards in play, not 0"),
    "a card twice": (["solve", ASCENDING.replace("Ac", "A♠")], "As given twice, places 22 and 25"),
    "a foreign card": (["solve", CARDS.replace("Ah", "2h")], "card 2, 2h, is not in the 32-card pack"),
    "an unreadable card": (["solve", CARDS.replace("Ah", "Xh")], "card 2, 'Xh': 'X' is not a rank"),
    "a card without a suit": (["solve", CARDS + "7"], "card 26, '7': the suit is missing"),
    "one for ten": (["solve", CARDS.replace("Ts", "1s")], "card 15, '1s': '1' is not a rank"),
    "a look-alike": (
        ["solve", CARDS.replace("Ac", "Αc")],
        "Α (U+0391) is not a rank; did you mean the Latin A (U+0041)?",
    ),
    "packets for a deal": (["solve", ROWS["A"]], "card 6, '|': '|' stands between packets"),
    "6 cards laid aside": (["solve", "--removed", REMOVED[:-3]], "expected 7 cards, the cards laid aside, not 6"),
    "25 cards laid aside": (["solve", "--removed", CARDS], "25 cards: expected the 7 laid aside, or no --removed"),
    "a card laid aside twice": (
        ["equilibrium", "--removed", REMOVED.replace("7h", "7s")],
        "7s given twice, places 1 and 2",
    ),
    "output to a dash": (["solve", CARDS, "--output", "-"], "'-' is no file to write to: expected its name"),
    "output to nothing": (["solve", CARDS, "--output", ""], "'' is no file to write to: expected its name"),
    "a page to a dash": (["solve", CARDS, "--html", "-"], "'-' is no file to write to: expected its name"),
    "an unknown deal option": (["solve", CARDS, "--cards"], click.NoSuchOption("--cards").format_message()),
    # Numbers.
    "no seconds": (["solve", CARDS, "--time-limit", "nan"], "'--time-limit': 'nan' is not a number of at least 0"),
    "seconds below 0": (["solve", CARDS, "--time-limit", "-1"], "'--time-limit': '-1' is not a number of at least 0"),
    "seconds in words": (
        ["solve", CARDS, "--time-limit", "abc"],
        "'--time-limit': 'abc' is not a number of at least 0",
    ),
    "endless seconds": (["equilibrium", CARDS, "--time-limit", "inf"], "'--time-limit': 'inf' is not a number"),
    "no seconds given": (["verify", "x", "--time-limit", ""], "'--time-limit': '' is not a number of at least 0"),
    "a negative seed": (["solve", CARDS, "--seed", "-1"], "'--seed': -1 is not in the range x>=0"),
    "half a seed": (["equilibrium", CARDS, "--seed", "0.5"], "'--seed': '0.5' is not a valid integer"),
    "no samples": (["solve", CARDS, "--samples", "0"], "'--samples': 0 is not in the range 1<=x<=50000"),
    "too many samples": (["solve", CARDS, "--samples", "50001"], "'--samples': 50001 is not in the range"),
    "no alternatives": (["solve", CARDS, "--top", "0"], "'--top': 0 is not in the range"),
    "alternatives in words": (["solve", CARDS, "--top", "many"], "'--top': 'many' is not a valid integer"),
    "a negative tolerance": (["equilibrium", CARDS, "--tolerance", "-1e-9"], "'--tolerance': '-1e-9' is not a number"),
    "no tolerance": (["equilibrium", CARDS, "--tolerance", "nan"], "'--tolerance': 'nan' is not a number"),
    "any tolerance": (["equilibrium", CARDS, "--tolerance", "inf"], "'--tolerance': 'inf' is not a number"),
    "negative rounds": (["equilibrium", CARDS, "--max-iterations", "-1"], "'--max-iterations': -1 is not in the range"),
    "an option without its value": (["solve", CARDS, "--seed"], "Option '--seed' requires an argument"),
    # Choices.
    "an unknown objective": (["solve", CARDS, "--objective", "fun"], "'fun' is not one of 'points', 'margin', 'win'"),
    "an equilibrium of points": (["equilibrium", CARDS, "--objective", "points"], "'points' has no equilibrium"),
    "an unknown engine": (
        ["solve", CARDS, "--engine", "guess"],
        "'guess' is not one of 'auto', 'cpsat', 'enumerate', 'both'",
    ),
    "unknown rules": (["hand", "AsKsQsJsTs", "--rules", "poker"], "'poker' is not one of 'quintet'"),
    "an unknown language": (["hand", "AsKsQsJsTs", "--lang", "de"], "'de' is not one of 'en', 'ru'"),
    "an unknown notation": (
        ["hand", "AsKsQsJsTs", "--notation", "x"],
        "'x' is not one of 'letters', 'symbols', 'russian'",
    ),
    # Weights.
    "four weights": (["solve", CARDS, "--weights", "3,4,5,6"], "weights need 5 whole numbers, one a place, not 4"),
    "six weights": (["score", ROWS["A"], ROWS["B"], "--weights", "1,2,3,4,5,6"], "weights need 5 whole numbers"),
    "a weight of 0": (["solve", CARDS, "--weights", "0,1,1,1,1"], "weight 0 is out of range"),
    "a weight of 1001": (["equilibrium", CARDS, "--weights", "1,1,1,1,1001"], "weight 1001 is out of range"),
    "a negative weight": (["hand", "AsKsQsJsTs", "--weights", "3,4,5,6,-7"], "weight -7 is out of range"),
    "weights in words": (["solve", CARDS, "--weights", "a,b,c,d,e"], "'a,b,c,d,e' is not five whole numbers"),
    "half a weight": (["solve", CARDS, "--weights", "1.5,2,3,4,5"], "'1.5,2,3,4,5' is not five whole numbers"),
    "weights with spaces": (["solve", CARDS, "--weights", "3 4 5 6 7"], "'3 4 5 6 7' is not five whole numbers"),
    "a weight left out": (["solve", CARDS, "--weights", "3,4,5,6,"], "'3,4,5,6,' is not five whole numbers"),
    "empty weights": (["solve", CARDS, "--weights", ""], "'' is not five whole numbers"),
    "an endless weight": (["solve", CARDS, "--weights", f"1,1,1,1,{'9' * 5000}"], "is not five whole numbers"),
    # Locks.
    "a lock without a place": (["solve", CARDS, "--lock", "AcKcQcJcTc"], "--lock 'AcKcQcJcTc': expected PLACE=CARDS"),
    "a lock of place 6": (["solve", CARDS, "--lock", "6=AcKcQcJcTc"], "'6=AcKcQcJcTc': expected PLACE=CARDS"),
    "a lock of place 0": (["solve", CARDS, "--lock", "0=AcKcQcJcTc"], "with a place from 1 to 5"),
    "a lock of no place": (["solve", CARDS, "--lock", "=AcKcQcJcTc"], "expected PLACE=CARDS"),
    "a lock of a superscript place": (["solve", CARDS, "--lock", "²=AcKcQcJcTc"], "expected PLACE=CARDS"),
    "a lock of four cards": (["solve", CARDS, "--lock", "5=AcKcQcJc"], "locked in place 5 has 4 cards: expected 5"),
    "a lock of no cards": (["solve", CARDS, "--lock", "5="], "locked in place 5 has 0 cards: expected 5"),
    "a lock of no card": (["solve", CARDS, "--lock", "5=AcKcQcJcXx"], "card 5, 'Xx': 'X' is not a rank"),
    "a lock of a card laid aside": (
        ["solve", CARDS, "--lock", "5=AcKcQcJcTh"],
        "Th, locked in place 5, is not in the deal",
    ),
    "a lock of a card twice": (["solve", CARDS, "--lock", "5=AcKcQcJcAc"], "Ac, locked in place 5, is locked twice"),
    "two locks of a card": (
        ["solve", CARDS, "--lock", LOCK_ROYAL, "--lock", "1=AcAdAhAsKh"],
        "Ac, locked in place 1, is locked twice",
    ),
    "two locks of a place": (
        ["solve", CARDS, "--lock", LOCK_ROYAL, "--lock", "5=AdAhAsKhKd"],
        "place 5 is locked twice",
    ),
    "every place locked": (
        [
            "solve",
            CARDS,
            *[part for place, packet in enumerate(FALLING, 1) for part in ("--lock", f"{place}={packet}")],
        ],
        "every place is locked",
    ),
    # Opponents.
    "an unknown opponent": (["solve", CARDS, "--opponent", "me"], "opponent 'me' is not known: expected greedy,"),
    "no opponent": (["solve", CARDS, "--opponent", ""], "opponent '' cannot be read"),
    "a weight of no opponent": (["solve", CARDS, "--opponent", "2:"], "opponent '2:' cannot be read"),
    "an opponent of weight 0": (
        ["solve", CARDS, "--opponent", "0:greedy"],
        "opponent '0:greedy': expected a whole number from 1",
    ),
    "an opponent of weight -1": (
        ["solve", CARDS, "--opponent", "-1:greedy"],
        "opponent '-1:greedy': expected a whole number",
    ),
    "half an opponent": (
        ["solve", CARDS, "--opponent", "0.5:greedy"],
        "opponent '0.5:greedy': expected a whole number",
    ),
    "a greedy one with a number": (["solve", CARDS, "--opponent", "greedy:1"], "greedy takes nothing after a colon"),
    "level 21": (
        ["solve", CARDS, "--opponent", "level:21"],
        "opponent 'level:21': expected a whole number from 0 to 20",
    ),
    "half a level": (["solve", CARDS, "--opponent", "level:0.5"], "expected a whole number from 0 to 20"),
    "no level": (["solve", CARDS, "--opponent", "level"], "expected a whole number from 0 to 20"),
    "no rationality": (["solve", CARDS, "--opponent", "quantal:nan"], "expected a number from 0 to 1000"),
    "too much rationality": (["solve", CARDS, "--opponent", "quantal:1001"], "expected a number from 0 to 1000"),
    "the second opponent": (
        ["solve", CARDS, "--opponent", "greedy", "--opponent", "nobody"],
        "opponent 'nobody' is not",
    ),
    "no file": (["solve", CARDS, "--opponent", "file:"], "opponent 'file:': expected file:PATH"),
    "a missing file": (["solve", CARDS, "--opponent", "file:/nowhere/mix.json"], "/nowhere/mix.json: No such file"),
    "a folder": (["solve", CARDS, "--opponent", "file:/"], "/: Is a directory"),
    # Saved results.
    "a missing result": (["verify", "/nowhere/result.json"], "/nowhere/result.json: No such file"),
    "a folder for a result": (["verify", "/"], "/: Is a directory"),
    "an endless result": (["verify", "/dev/zero"], "/dev/zero: larger than"),
    "an empty result": (["verify", "/dev/null"], "/dev/null: not a JSON document"),
    "no result": (["verify"], "verify: Missing argument 'FILE'"),
    "two results": (["verify", "a.json", "b.json"], "Got unexpected extra argument"),
    "a mix that is missing": (
        ["equilibrium", CARDS, "--resume", "/nowhere/mix.json"],
        "/nowhere/mix.json: No such file",
    ),
    # Hands.
    "no hands": (["hand"], "hand: Missing argument 'HANDS...'"),
    "a hand of four": (["hand", "AsKsQsJsTs", "AsKsQsJs"], "hand 2, 'AsKsQsJs': expected 5 cards, not 4"),
    "a hand of six": (["hand", "As Ks Qs Js Ts 9s"], "hand 1, 'As Ks Qs Js Ts 9s': expected 5 cards, not 6"),
    "a hand with a card twice": (["hand", "As Ks Qs Js A♠"], "As given twice, places 1 and 5"),
    "a hand without cards": (["hand", " , "], "expected 5 cards, not 0"),
    "an unreadable hand": (["hand", "As Ks Qs Js Jx"], "card 5, 'Jx': 'x' is not a suit"),
    # Arrangements.
    "one arrangement": (["score", ROWS["A"]], "score: Missing argument 'SECOND'"),
    "three arrangements": (["score", ROWS["A"], ROWS["B"], ROWS["S"]], "Got unexpected extra argument"),
    "four packets": (["score", ROWS["A"], "As|Kd|Qs|Js"], "expected 5 packets with | or / between them, not 4"),
    "a packet of six": (["score", ROWS["A"], ROWS["A"].replace("As", "As Ks")], "packet 1 has 6 cards: expected 5"),
    "an unreadable packet": (
        ["score", ROWS["A"].replace("9h |", "9x |"), ROWS["B"]],
        "packet 4, card 5, '9x': 'x' is not",
    ),
    "a card in two packets": (
        ["score", ROWS["A"], ROWS["B"].replace("Kc", "Js")],
        "Js given twice, in packets 1 and 5",
    ),
    "arrangements of two deals": (
        ["score", ROWS["A"], ROWS["B"].replace("Ac", "Ks")],
        "the second arrangement uses Ks",
    ),
    # Dealing.
    "a negative deal": (["deal", "-5"], click.NoSuchOption("-5").format_message()),
    "a deal with a negative seed": (["deal", "--seed", "-5"], "'--seed': -5 is not in the range x>=0"),
    "no deals": (["deal", "--count", "0"], "'--count': 0 is not in the range x>=1"),
    "deals in words": (["deal", "--count", "ten"], "'--count': 'ten' is not a valid integer"),
    "a deal of something": (["deal", "5"], "Got unexpected extra argument"),
    # The command itself.
    "an unknown command": (["win"], "quintet: No such command 'win'"),
    "an option before the command": (["--json", "deal"], click.NoSuchOption("--json").format_message()),
    "an escape code": (["solve", CARDS, "--opponent", "\x1b[31mred"], r"opponent '\x1b[31mred' cannot be read"),
    "line ends": (["verify", "no\nsuch\r\nfile"], r"no\nsuch\r\nfile: No such file"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_refused_in_one_line(tmp_path, case):
    arguments, complaint = BAD[case]
    output = tmp_path / "old.json"
    output.write_text(OLD)
    command, *others = arguments
    # `deal` writes no document and has no --output.
    options = ["--json", "--output", output] if command in ("solve", "equilibrium", "verify", "hand", "score") else []
    assert complaint in rejected(command, *options, *others)
    assert output.read_text() == OLD
    assert list(tmp_path.iterdir()) == [output]


@pytest.mark.parametrize(
    ("stdin", "complaint"),
    [
        (b"", "expected 25 cards, the cards in play, not 0"),
        (b"As Kd \xff", "standard input is not UTF-8 text (byte 7)"),
        ("Aс".encode(), "card 1, 'A"),
        (CARDS.encode() + b" Zz", "card 26, 'Zz'"),
    ],
)
def test_bad_standard_input_is_refused(stdin, complaint):
    assert complaint in rejected("solve", "-", stdin=stdin)


@pytest.mark.parametrize("command", ["solve", "grade", "hand"])
def test_an_endless_standard_input_is_refused(command):
    # The limit, in KiB, is for the sake of the machine.
    script = 'ulimit -v 8000000; exec "$@" </dev/zero'
    run = quintet(command, "-", program=("sh", "-c", script, "sh", *PROGRAM))
    assert (run.code, run.out) == (2, "")
    assert run.err == f"quintet: standard input is longer than {LONGEST_LINE} bytes: expected cards\n"


def test_a_standard_input_that_cannot_be_read_is_refused():
    run = quintet("solve", "-", program=("sh", "-c", 'exec "$@" 0>/dev/null', "sh", *PROGRAM))
    assert run == Run(2, "", "quintet: standard input: Bad file descriptor\n")


def test_a_closed_standard_input_is_empty():
    run = quintet("solve", "-", program=("sh", "-c", 'exec "$@" <&-', "sh", *PROGRAM))
    assert (run.code, run.out) == (2, "")
    assert run.err == "quintet: expected 25 cards, the cards in play, not 0\n"


def test_no_command_shows_what_there_is():
    run = quintet()
    assert (run.code, run.out) == (2, "")
    for command in ("solve", "equilibrium", "verify", "score", "hand", "deal"):
        assert f"\n  {command} " in run.err
    assert "Traceback" not in run.err


# Files that are there and hold something else.


def strategy(arrangement="A", **fields):
    return {"arrangement": FIXTURES[arrangement].packet_texts(), **fields}


OTHER_DEAL = ["7s 7c 8h 8c 9s", *FIXTURES["X"].packet_texts()[1:]]
NESTED = '{"strategies": ' + "[" * 100_000

BAD_FILES = {
    "nothing": (b"", "not a JSON document"),
    "cards": (CARDS.encode(), "not a JSON document"),
    "binary": (bytes(range(256)), "not UTF-8 text (byte 129)"),
    "UTF-16": (json.dumps({"strategies": []}).encode("utf-16"), "not UTF-8 text (byte 1)"),
    "deep": (NESTED.encode(), "not a JSON document"),
    "two documents": (b"{}\n{}", "not a JSON document"),
    "a list": (b"[]", "expected a JSON object with `strategies`"),
    "no strategies": (b"{}", "expected a list `strategies` with at least one strategy"),
    "empty strategies": ({"strategies": []}, "expected a list `strategies` with at least one strategy"),
    "a strategy that is none": ({"strategies": [strategy(weight=1), 5]}, "strategy 2: expected an object"),
    "no arrangement": ({"strategies": [{"weight": 1}]}, "strategy 1: expected an object with `arrangement`"),
    "an arrangement in one text": (
        {"strategies": [{"arrangement": ROWS["A"], "weight": 1}]},
        "strategy 1: expected `arrangement` to be a list of five packet strings",
    ),
    "four packets": (
        {"strategies": [{"arrangement": FALLING[:4], "weight": 1}]},
        "strategy 1: expected 5 packets, not 4",
    ),
    "an unreadable card": (
        {"strategies": [strategy(weight=1), {"arrangement": [*FALLING[:4], "8s 8c 9s 9h 9x"], "weight": 1}]},
        "strategy 2: packet 5: ",
    ),
    "another deal": ({"strategies": [{"arrangement": OTHER_DEAL, "weight": 1}]}, "uses 7s, which is not in the deal"),
    "no weight": ({"strategies": [strategy()]}, "strategy 1: probability None is not a number from 0 to 1"),
    "a negative weight": ({"strategies": [strategy(weight=-1)]}, "weight -1 is not a whole number of at least 0"),
    "half a weight": ({"strategies": [strategy(weight=0.5)]}, "weight 0.5 is not a whole number"),
    "a weight in words": ({"strategies": [strategy(weight="1")]}, "weight '1' is not a whole number"),
    "a weight that is true": ({"strategies": [strategy(weight=True)]}, "weight True is not a whole number"),
    "weights of 0": ({"strategies": [strategy(weight=0)]}, "all weights are 0"),
    "weights too large": (
        {"strategies": [strategy(weight=2**53 // 25), strategy("B", weight=1)]},
        f"expected at most {2**53 // 25}, as the place weights add up to 25",
    ),
    "weights without end": ({"strategies": [strategy(weight=10**4000)] * 20}, "add up to"),
    "weights and probabilities": (
        {"strategies": [strategy(weight=1), strategy("B", probability=1.0)]},
        "strategy 1 has a weight where others have none: expected weights or probabilities",
    ),
    "probabilities below 1": ({"strategies": [strategy(probability=0.999999998)]}, "add up to 0.999999998: expected 1"),
    "a probability above 1": (
        {"strategies": [strategy(probability=1.5)]},
        "probability 1.5 is not a number from 0 to 1",
    ),
    "a probability of no number": (
        b'{"strategies": [' + json.dumps(strategy()).encode()[:-1] + b', "probability": NaN}]}',
        "probability nan is not a number from 0 to 1",
    ),
}


@pytest.mark.parametrize("case", BAD_FILES)
def test_a_bad_opponent_file_is_refused_by_name(tmp_path, case):
    content, complaint = BAD_FILES[case]
    path, output = tmp_path / "mix.json", tmp_path / "old.json"
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    output.write_text(OLD)
    run = run_here("solve", CARDS, "--opponent", f"file:{path}", "--output", output)
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith(f"quintet: {path}: ")
    assert run.err.count("\n") == 1
    assert complaint in run.err
    assert len(run.err) < 1000
    assert output.read_text() == OLD


@pytest.mark.parametrize("case", ["another deal", "binary", "probabilities below 1"])
def test_a_bad_opponent_file_is_refused_by_the_program(tmp_path, case):
    content, complaint = BAD_FILES[case]
    path = tmp_path / "mix.json"
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    assert complaint in rejected("solve", CARDS, "--opponent", f"2:file:{path}", "--opponent", "1:greedy")


def test_weights_must_leave_room_for_large_place_weights(tmp_path):
    path = tmp_path / "mix.json"
    path.write_text(json.dumps({"strategies": [strategy(weight=2**53 // 25)]}))
    run = run_here("solve", CARDS, "--opponent", f"file:{path}", "--weights", "3,4,5,6,8", "--time-limit", "0")
    assert run.code == 2
    assert "as the place weights add up to 26" in run.err


def test_an_opponent_file_that_is_too_large_is_refused_unread(tmp_path):
    path = tmp_path / "mix.json"
    with open(path, "wb") as file:
        file.truncate(64 * 1024 * 1024 + 1)
    assert "mix.json: larger than 67108864 bytes" in rejected("solve", CARDS, "--opponent", f"file:{path}")


@pytest.mark.parametrize("document", [[], {}, {"schema": "quintet.hand/1"}, 3, {"schema": "quintet.solve/2"}])
def test_what_is_no_result_is_refused_by_verify(tmp_path, document):
    path = tmp_path / "result.json"
    path.write_text(json.dumps(document))
    run = run_here("verify", path)
    assert (run.code, run.out) == (2, "")
    assert run.err.count("\n") == 1
    assert "expected a" in run.err


@pytest.mark.parametrize(
    ("field", "value", "complaint"),
    [("objective", "win", "its objective is another"), ("deal", {"cards": "As"}, "its deal is another")],
)
def test_a_mix_of_another_game_is_not_resumed(tmp_path, field, value, complaint):
    path = tmp_path / "mix.json"
    document = run_here("equilibrium", CARDS, "--max-iterations", "0", "--json").document
    path.write_text(json.dumps(document | {field: value}))
    assert complaint in rejected("equilibrium", CARDS, "--resume", path)


def test_a_deal_may_be_typed_in_many_ways_but_never_wrongly():
    # Report B23 and its kind: each token is read to its end or refused with its place.
    for text, complaint in [
        ("10h10s9dTc1h", "card 5, '1h'"),
        ("0h", "card 1, '0h'"),
        ("Ahh", "card 2, 'h'"),
        ("hA", "'h' is a suit, and the rank comes first"),
        ("Аh", "card 1, 'Аh': А (U+0410) is not a rank; did you mean the Latin A (U+0041)?"),
    ]:
        run = run_here("hand", text)
        assert run.code == 2
        assert complaint in run.err
