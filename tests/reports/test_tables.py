import re
import string
from fractions import Fraction

import pytest

from solver.commands.main import commands as program
from solver.game.deal import Deal
from solver.game.notation import NOTATIONS, parse_packets
from solver.language import translations
from solver.language.numbers import amount, figure, percent
from tests.support.command import quintet
from tests.support.d1 import D1, REMOVED, ROWS
from tests.support.in_process import answer_here, run_here
from tests.support.terminal import at_terminal

ESCAPE = "\x1b"
# Four flushes and a full house: names of all lengths, hands of every suit.
HANDS = ("AsKsQsJsTs", "8s8h8d8cKs", "TsThTd7s7h", "QhJhTh8h7h", "KdQdJdTd8d", "7s7d8s8d9s", "7h7c8h8c9d", "AcKcQh9h8h")
BEST = "QhJhTd9h8h|AsAhAdKhKd|QsJsTs9s8s|AcKcQcJcTc|Jd9d8c7d7c"
GREEDY = ("--opponent", "greedy-shuffled")


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    path = tmp_path_factory.mktemp("saved") / "solution.json"
    assert run_here("solve", "--removed", REMOVED, *GREEDY, "--output", path, "--quiet").code == 0
    return path


def commands(saved):
    """Return every command that writes text, with the lines that it reads."""
    return {
        "solve": (["solve", "--removed", REMOVED, *GREEDY, "--top", 3], ""),
        "solve sampled": (["solve", "--removed", REMOVED, "--objective", "win", "--engine", "enumerate"], ""),
        "solve unready": (["solve", "--removed", REMOVED, "--time-limit", 0], ""),
        "equilibrium": (["equilibrium", "--removed", REMOVED, "--seed", 0], ""),
        "equilibrium of win": (["equilibrium", "--removed", REMOVED, "--objective", "win", "--max-iterations", 0], ""),
        "grade": (["grade", ROWS["A"]], ""),
        "grade best": (["grade", BEST, "--opponent", "greedy", "--objective", "margin"], ""),
        "grade unready": (["grade", ROWS["A"], "--time-limit", 0], ""),
        "score": (["score", ROWS["A"], ROWS["B"]], ""),
        "score first": (["score", ROWS["S"], ROWS["B"]], ""),
        "score second": (["score", ROWS["B"], ROWS["S"]], ""),
        "hand": (["hand", *HANDS], ""),
        "verify": (["verify", saved], ""),
        "play": (["play", "--seed", 5, "--opponent", "greedy", "--deals", 2], PLAYED),
    }


PLAYED = "help\nAs Ks Js 9s 8s | Ah Kh Qh Jh 9h | Ad Kd Td 9d 8d | Ac Kc Jc Tc 9c\n\n"
NAMES = list(commands(None))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("language", translations.LANGUAGES)
def test_text_that_is_piped_is_clean(name, language, saved):
    arguments, stdin = commands(saved)[name]
    run = run_here(*arguments, "--lang", language, stdin=stdin)
    assert run.code == 0
    assert run.out
    assert ESCAPE not in run.out
    assert "\r" not in run.out
    for line in run.out.splitlines():
        assert line == line.rstrip() or line.endswith("> "), line
        assert "None" not in line
        assert "np." not in line
        assert not re.search(r"(?<![\d-])-0(\.0*)?(?![\d.])", line), line


# What stays as it is in Russian: cards, the names of models, options, statuses of programs, and numbers.
KEPT = {"quantal", "greedy", "shuffled", "json", "cp", "sat"}


@pytest.mark.parametrize("name", [name for name in NAMES if name != "verify"])
def test_everything_is_said_in_russian(name):
    arguments, stdin = commands(None)[name]
    russian = run_here(*arguments, "--lang", "ru", "--notation", "russian", stdin=stdin).out
    if stdin:
        russian = russian.replace(stdin.splitlines()[0], "").replace(stdin.splitlines()[1], "")
    words = {word.lower() for word in re.findall(r"[A-Za-z]{2,}", russian)}
    assert words <= KEPT
    assert re.search("[а-яё]", russian)


def test_every_translation_fills_in_the_same_values():
    fields = lambda text: sorted(name for _, name, _, _ in string.Formatter().parse(text) if name)  # noqa: E731
    for english, russian in translations._RUSSIAN.items():
        assert fields(english) == fields(russian), english


# Russian is the longer language; what is worded most at length is looked at in both.
@pytest.mark.parametrize(
    ("name", "language"),
    [
        *((name, "ru") for name in ("solve", "solve sampled", "equilibrium of win", "grade", "score", "hand")),
        *((name, "en") for name in ("grade", "verify")),
    ],
)
def test_a_terminal_of_80_columns_holds_every_line(name, language, saved):
    arguments, _ = commands(saved)[name]
    session = at_terminal(*arguments, "--lang", language)
    assert session.code == 0
    for line in session.lines:
        assert len(line) <= 80, line


def test_suits_have_four_colours_on_a_terminal_and_none_elsewhere():
    shown = at_terminal("hand", "AsKhQdJcTs").shown
    colours = {suit: re.search(rf"\x1b\[(\d+)m\w+{suit}", shown)[1] for suit in "♠♥♦♣"}
    assert len(set(colours.values())) == 4
    assert ESCAPE not in quintet("hand", "AsKhQdJcTs").out


@pytest.mark.parametrize("variables", [{"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=["NO_COLOR", "dumb"])
def test_colours_can_be_kept_away_from_a_terminal(variables):
    shown = at_terminal("hand", "AsKhQdJcTs", variables=variables).shown
    assert not re.search(r"\x1b\[[0-9;]*(3|9)\d", shown)
    assert "A♠ K♥ Q♦ J♣ T♠" in shown


@pytest.mark.parametrize("notation", NOTATIONS)
def test_every_written_arrangement_reads_back(notation):
    for arguments in (
        ["solve", "--removed", REMOVED, *GREEDY, "--top", 2],
        ["solve", "--removed", REMOVED, *GREEDY, "--quiet"],
        ["grade", ROWS["A"], *GREEDY],
        ["equilibrium", "--removed", REMOVED, "--max-iterations", 9],
    ):
        out = run_here(*arguments, "--notation", notation).out
        written = [line.split(":")[-1].split("  ")[-1] for line in out.splitlines() if line.count("|") == 4]
        assert written
        for text in written:
            assert sorted((card for packet in parse_packets(text) for card in packet), reverse=True) == list(D1.cards)


@pytest.mark.parametrize("notation", NOTATIONS)
def test_a_written_deal_reads_back(notation):
    out = run_here("deal", "--seed", 1, "--notation", notation).out
    assert Deal.parse(out) == Deal.parse(run_here("deal", "--seed", 1).out)


@pytest.mark.parametrize(
    ("page", "notation", "language", "sign"),
    [
        ("cp1252", "symbols", "en", "As"),
        ("cp1252", "russian", "ru", "As"),
        ("ascii", "symbols", "ru", "As"),
        ("utf-8", "symbols", "en", "A♠"),
        ("cp1251", "russian", "ru", "Тп"),
        ("cp866", "symbols", "ru", "As"),
    ],
)
def test_a_legacy_code_page_gets_what_it_can_hold(page, notation, language, sign):
    arguments = ("hand", "AsKsQsJsTs", "--notation", notation, "--lang", language)
    run = run_here(*arguments, encoding=page)
    assert (run.code, run.err) == (0, "")
    assert "?" not in run.out
    assert f" {sign} " in run.out
    assert ("покер" in run.out) == (language == "ru" and page in ("cp1251", "cp866"))


def test_a_terminal_shows_symbols_without_being_asked_and_a_pipe_letters():
    assert "A♠ K♠" in "".join(at_terminal("hand", "AsKsQsJsTs").lines)
    assert "As Ks" in quintet("hand", "AsKsQsJsTs").out


@pytest.mark.parametrize(
    ("probability", "text"),
    [
        (None, "-"),
        (0, "0%"),
        (1, "100%"),
        (1e-12, "<0.1%"),
        (0.0004999, "<0.1%"),
        (0.0005, "0.1%"),
        (1 / 3, "33.3%"),
        (0.9994, "99.9%"),
        (0.99999, ">99.9%"),
    ],
)
def test_probabilities_are_rounded_but_never_to_certainty(probability, text):
    assert percent(probability) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(18), "18"),
        (Fraction(-3), "-3"),
        (Fraction(0), "0"),
        (Fraction(52, 3), "17.3333 (52/3)"),
        (Fraction(1735189303119335, 140737488355328), "12.3293"),
        (Fraction(1, 10**9), "1.0e-09 (1/1000000000)"),
        (Fraction(-1, 3 * 10**20), "-3.3e-21"),
    ],
)
def test_figures_are_short_and_exact_where_that_is_short(value, text):
    assert figure(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(1), "100%"),
        (Fraction(0), "0%"),
        (Fraction(151, 200), "75.50% (151/200)"),
        (Fraction(1, 10**16), "1.0e-14%"),
    ],
)
def test_chances_to_win_are_in_per_cent(value, text):
    assert amount(value, "win") == text


def test_an_equilibrium_lists_the_likeliest_and_counts_the_rest():
    out = run_here("equilibrium", "--removed", REMOVED, "--seed", 0).out
    document = answer_here("equilibrium", "--removed", REMOVED, "--seed", 0)
    chances = sorted((strategy["probability"] for strategy in document["strategies"]), reverse=True)
    assert f"{len(chances) - 12} more" in out
    assert f"support {len(chances)}" in out
    assert f"{sum(chances[12:]):.1%} " in out
    assert f"{chances[0]:.1%}  " in out
    assert f"undominated partitions {document['undominated_partitions']}" in out


# Help.


@pytest.mark.parametrize("command", sorted(program.commands))
def test_help_gives_examples_and_fits_80_columns(command):
    lines = run_here(command, "--help").out.splitlines()
    assert any(line.startswith(f"    quintet {command}") for line in lines)
    assert all(len(line) <= 80 for line in lines)


# A session at a terminal.


def test_a_session_is_played_at_a_terminal():
    packets = ["As Ks Js 9s 8s", "Ah Kh Qh Jh 9h", "Ad Kd Td 9d 8d", "Ac Kc Jc Tc 9c"]
    typed = [(f"Place {place}> ", packet.encode() + b"\r") for place, packet in enumerate(packets, 1)]
    session = at_terminal(
        "play",
        "--seed",
        5,
        "--opponent",
        "greedy",
        typed=[*typed, ("lays these five> ", b"\r"), ("Place 1> ", b"\x04")],
    )
    assert session.code == 0
    assert any(line.startswith("You ") for line in session.lines)
    assert any("mean regret" in line for line in session.lines)
    assert all(len(line) <= 80 for line in session.lines if "thinking" not in line)


def test_ctrl_c_at_the_prompt_ends_a_session_with_130():
    session = at_terminal("play", "--seed", 5, "--opponent", "greedy", typed=[("Place 1> ", b"\x03")])
    assert session.code == 130
    assert session.lines[-2] == "quintet: interrupted"
