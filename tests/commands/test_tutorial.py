"""Every command of the tutorial is run, in its order, and gives what the tutorial shows."""

import contextlib
import json
import os
import re
import shlex
import statistics
import subprocess

import pytest

from solver.best_response.solve import solve_best_response
from solver.equilibrium.solve import solve_equilibrium
from solver.game.deal import random_deals
from tests.support.command import LONGEST, PROGRAM, ROOT, Run, environment
from tests.support.d1 import D1
from tests.support.in_process import run_here

TUTORIAL = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", TUTORIAL, re.MULTILINE | re.DOTALL)
SCRIPTS = [(text, BLOCKS[i + 1 : i + 2]) for i, (kind, text) in enumerate(BLOCKS) if kind == "sh"]
CARD = re.compile(r"\b(?:10|[2-9TJQKA])[shdc](?![a-z])|(?<=[shdc])(?:10|[2-9TJQKA])[shdc]")


def in_shell(script, folder):
    """Run commands in bash, with this program on the path under its name."""
    program = folder / "bin" / "quintet"
    program.parent.mkdir(exist_ok=True)
    program.write_text(f'#!/bin/sh\nexec {shlex.join(PROGRAM)} "$@"\n')
    program.chmod(0o755)
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        capture_output=True,
        cwd=folder,
        env=environment({"PATH": f"{program.parent}:{os.environ['PATH']}"}),
        timeout=LONGEST,
        check=False,
    )
    return Run(done.returncode, done.stdout.decode(), done.stderr.decode())


def run(script, folder):
    """Run commands one after the other; without a shell, which is quicker, where they need none."""
    commands = [shlex.split(line) for line in script.splitlines()]
    if any(words[0] != "quintet" or {"|", ">"} & set(words) for words in commands):
        return in_shell(script, folder)
    runs = [run_here(*words[1:]) for words in commands]
    return Run(max(each.code for each in runs), "".join(each.out for each in runs), "".join(each.err for each in runs))


def without_cards(line):
    """Blank the cards out: of packets of the same worth any may be shown."""
    return re.sub(r"[ ,|]+", " ", CARD.sub("", line)).strip()


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Run all scripts in one folder, as a reader does, and return how each ended, and the folder."""
    folder = tmp_path_factory.mktemp("tutorial")
    with contextlib.chdir(folder):
        return [run(script, folder) for script, _ in SCRIPTS], folder


def test_every_command_succeeds(played):
    assert len(SCRIPTS) > 10
    for (script, _), done in zip(SCRIPTS, played[0], strict=True):
        assert done.code == 0, (script, done.err)


def test_every_shown_output_is_what_the_command_gives(played):
    compared = 0
    for (script, following), done in zip(SCRIPTS, played[0], strict=True):
        if not following or following[0][0] != "text" or "…" in following[0][1]:
            continue
        compared += 1
        shown = [without_cards(line) for line in following[0][1].splitlines()]
        assert [without_cards(line) for line in done.out.splitlines()] == shown, script
    assert compared == 4


def test_the_mix_of_the_reference_is_an_opponent(tmp_path):
    text = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
    (mix,) = re.findall(r"^```json\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    path = tmp_path / "mix.json"
    path.write_text(mix, encoding="utf-8")
    done = run_here("solve", D1.text(), "--opponent", f"file:{path}", "--json")
    assert [strategy["weight"] for strategy in done.document["opponent"]["strategies"]] == [3, 1]


def test_every_option_and_command_that_is_named_exists():
    commands = set(re.findall(r"quintet ([a-z]+)", TUTORIAL))
    helps = {command: run_here(command, "--help") for command in commands}
    assert {done.code for done in helps.values()} == {0}
    known = " ".join(done.out for done in helps.values()).split()
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", TUTORIAL))
    assert named
    assert not {option for option in named if option not in known}


def test_the_table_of_objectives_is_what_the_three_commands_say(played):
    table = [
        re.split(r"\s*\|\s*", line)[1:-1]
        for line in TUTORIAL.splitlines()
        if re.match(r"\| `(points|margin|win)`", line)
    ]
    (done,) = [done for (script, _), done in zip(SCRIPTS, played[0], strict=True) if "--objective points" in script]
    answers = done.out.split("Best arrangement")[1:]
    assert len(table) == len(answers) == 3
    for (objective, *names, points, margin, won), answer in zip(table, answers, strict=True):
        assert f"by {objective.strip('`')}" in answer
        hands = [row.split("  ")[3:] for row in re.findall(r"^[1-5] .*$", answer, re.MULTILINE)]
        for name, hand in zip(names, hands, strict=True):
            assert name in " ".join(hand) or (name, "royal flush") == ("royal flush", " ".join(hand))
        figures = re.search(r"points ([\d.]+), opponent ([\d.]+), margin ([-\d.]+)", answer)
        assert f"{float(figures[1]):.2f}" == points.strip("*")
        assert f"{float(figures[3]):.2f}" == margin.strip("*")
        assert f"Match won {won.strip('*')}," in answer


def test_each_equilibrium_is_poor_at_the_other_objective(played):
    """The figures that the tutorial gives in words, with room for other equilibria of the same deal."""
    by_script = {script: done.out for (script, _), done in zip(SCRIPTS, played[0], strict=True)}
    (first,) = [out for script, out in by_script.items() if "file:margin.json" in script]
    won = float(re.search(r"Match won ([\d.]+)%", first)[1])
    drawn = float(re.search(r"drawn ([\d.]+)%", first)[1])
    assert 60 < won + drawn / 2 < 72
    (second,) = [out for script, out in by_script.items() if "file:win.json" in script]
    assert 1.4 < float(re.search(r"margin ([\d.]+)", second.split("Best arrangement")[1])[1]) < 2.6


def test_what_was_saved_is_what_the_tutorial_says(played):
    _, folder = played
    for name in ("margin", "win"):
        document = json.loads((folder / f"{name}.json").read_text())
        assert (document["objective"], document["status"]) == (name, "converged")
    assert len((folder / "mixes.jsonl").read_text().splitlines()) == 3
    assert (folder / "mix.html").read_text().startswith("<!DOCTYPE html>")
    assert 'lang="ru"' in (folder / "best.html").read_text()


def test_the_shells_get_their_completion(tmp_path):
    script = "for shell in bash zsh fish; do _QUINTET_COMPLETE=${shell}_source quintet; done"
    done = in_shell(script, tmp_path)
    assert (done.code, done.err) == (0, "")
    for shell in ("bash", "zsh", "fish"):
        assert f"_QUINTET_COMPLETE={shell}_complete" in done.out
    asked = "COMP_WORDS='quintet gr' COMP_CWORD=1 _QUINTET_COMPLETE=bash_complete quintet"
    assert in_shell(asked, tmp_path).out.split() == ["plain,grade"]


@pytest.mark.slow
def test_the_objectives_differ_so_over_ten_deals():
    """The medians that the tutorial quotes, with room for other equilibria of the same deals."""
    shares, lost = [], []
    for deal in [D1, *random_deals(1, 9)]:
        by_margin, by_win = (solve_equilibrium(deal, objective).strategies for objective in ("margin", "win"))
        shares.append(1 - solve_best_response(deal, by_margin, "win", engine="enumerate").objective_value)
        lost.append(solve_best_response(deal, by_win, "margin", engine="enumerate").objective_value)
    assert 0.2 < min(shares) < max(shares) < 0.43
    assert 0.32 < statistics.median(shares) < 0.38
    assert 0.7 < min(lost) < max(lost) < 3.5
    assert 1.2 < statistics.median(lost) < 1.8
