"""The readers of everything that a user can hand over, against inputs that are nearly right.

Each input is a valid one with a few changes, and follows from the seed and its number. What is refused is refused in
one line; what is accepted makes sense.
"""

import contextlib
import faulthandler
import io
import json
import os
import resource
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

from solver.batch.deal_sources import DealFile, Item
from solver.batch.record import ERROR_SCHEMA, RecordMaker
from solver.batch.resume import is_failed
from solver.batch.summary import SMALLER_IS_WORSE, summary_document
from solver.batch.summary_text import write_summary
from solver.best_response.solve import quick_response, solve_best_response
from solver.equilibrium.solve import solve_equilibrium
from solver.errors import DealError, QuintetError
from solver.game.arrangement import Arrangement
from solver.game.cards import FULL_PACK, PACK
from solver.game.deal import Deal
from solver.game.notation import NOTATIONS, distinct_cards, format_cards, parse_cards
from solver.game.rules import Rules
from solver.opponents.fitted_player import FittedPlayer
from solver.opponents.player_components import COMPONENTS
from solver.opponents.specification import Opponent, parse_opponent
from solver.play.loop import read_arrangement
from solver.play.session_log import open_log
from solver.reports.console import Style
from solver.reports.tables import write_checks
from solver.results.best_responses import SolveResult
from solver.results.equilibria import EquilibriumResult, read_equilibrium
from solver.results.record_reading import saved_records
from solver.results.recorded_deals import read_recorded_deals
from solver.results.shared_fields import deal_fields, header
from solver.results.tasks import CompactEquilibriumTask, EquilibriumTask
from solver.strategies.mixed_strategy import MixedStrategy
from solver.system.files import read_json
from solver.system.json_document import to_json
from solver.system.record_file import read_records
from solver.verification.checks import NOT_PROVEN
from solver.verification.verify import verdict, verify_file
from tests.support import scoring
from tests.support.batch_doubles import DEALS, Items, Question, run_batch
from tests.support.command import LONGEST, rejected, strict_json
from tests.support.d1 import D1
from tests.support.extreme_deals import EXTREME_DEALS
from tests.support.mutations_of_text import changed_json, changed_text, encoded, parsed, pick, spelled, written
from tests.support.samples import random_mix

FEW = next(extreme.deal for extreme in EXTREME_DEALS if extreme.partitions == 3)
ENTRIES = [*DEALS[:2], "bad", DEALS[2]]
LONGEST_MESSAGE = 600
MEMORY = 1 << 30
"""Bytes of address space that reading may take beyond what is in use before: many times what any input here needs."""


@dataclass(frozen=True)
class Reader:
    """A reader under test.

    Parameters
    ----------
    make
        Returns an input: a text, or the bytes of a file.
    read
        Takes an input, and a path for it; returns whether it was accepted, if what was accepted makes sense.
    command
        Arguments by which the command reads the file FILE, or standard input for `-`.
    """

    make: Callable[[np.random.Generator], Any]
    read: Callable[[Any, Path], bool]
    command: tuple[str, ...] = ()


def changed(text, generator):
    for _ in range(pick(generator, (1, 1, 1, 1, 2, 3))):
        text = changed_text(text, generator)
    return text


def changed_document(text, generator):
    tree = parsed(text)
    for _ in range(pick(generator, (1, 1, 1, 1, 2, 3))):
        changed_json(tree, generator)
    return written(tree, generator)


def changed_lines(lines, generator):
    """Return lines of JSON, one of them changed."""
    index = int(generator.integers(len(lines)))
    return [*lines[:index], changed_document(lines[index], generator), *lines[index + 1 :]]


def is_clean(message):
    return message.isprintable() and len(message) < LONGEST_MESSAGE


def require_clean_output(write):
    """Require that what is written to standard output is fit for a terminal."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        write(Style())
    assert all(line.isprintable() for line in out.getvalue().split("\n"))


# Cards.


def make_cards(generator):
    cards = generator.choice(FULL_PACK, generator.integers(1, 33), replace=generator.random() < 0.2)
    return changed(spelled(cards.tolist(), generator), generator)


def read_cards(text, path):
    cards = parse_cards(text)
    assert set(cards) <= set(FULL_PACK)
    for notation in NOTATIONS:
        assert parse_cards(format_cards(cards, notation)) == cards
    try:
        assert distinct_cards(text) == cards
        assert len(set(cards)) == len(cards)
    except DealError:
        assert len(set(cards)) < len(cards)
    return True


# Arrangements.


def make_packets(generator):
    return [spelled(packet, generator) for packet in generator.permutation(D1.cards).reshape(5, 5).tolist()]


def make_row(generator):
    mark = pick(generator, ("|", " / ", "\n", "|\n", "\r\n"))
    return changed(mark.join(make_packets(generator)), generator)


def read_row(text, path):
    require_sense(Arrangement.parse(text))
    return True


def make_texts(generator):
    packets = make_packets(generator)
    for _ in range(pick(generator, (1, 1, 2))):
        index = int(generator.integers(len(packets)))
        if isinstance(packets[index], str) and generator.random() < 0.9:
            packets[index] = changed_text(packets[index], generator)
        else:
            packets[index : index + 1] = pick(generator, ([], [""], [None], [5], [packets[:1]], packets[:2]))
    return packets


def read_texts(packets, path):
    require_sense(Arrangement.of_texts(packets))
    return True


def make_script(generator):
    packets = make_packets(generator)
    lines = [" | ".join(packets)] if generator.random() < 0.5 else packets
    if generator.random() < 0.2:
        lines.insert(int(generator.integers(len(lines) + 1)), pick(generator, ("undo", "help", "", "As", "назад")))
    return encoded(changed("\n".join(lines) + "\n\n", generator), generator)


def read_script(content, path):
    complaints = []
    given = io.TextIOWrapper(io.BytesIO(content), encoding="utf-8")
    with contextlib.redirect_stdout(io.StringIO()), patch.object(sys, "stdin", given):
        arrangement = read_arrangement(D1, Style(quiet=True), complaints.append)
    assert all(map(is_clean, complaints))
    if arrangement is not None:
        require_sense(arrangement, D1)
    return arrangement is not None


def require_sense(arrangement, deal=None):
    """Require an arrangement of 25 cards, those of the deal if one is given, that every form of output gives back."""
    cards = sorted((card for packet in arrangement.packets for card in packet), reverse=True)
    assert [len(packet) for packet in arrangement.packets] == [5] * 5
    assert len(set(cards)) == 25
    assert set(cards) <= set(PACK)
    assert deal is None or tuple(cards) == deal.cards
    for notation in NOTATIONS:
        assert Arrangement.parse(arrangement.text(notation)) == arrangement
    assert Arrangement.of_texts(arrangement.packet_texts()) == arrangement


# Deals.


def make_deals(generator):
    deals = [spelled(generator.permutation(deal.cards).tolist(), generator) for deal in DEALS[:2]]
    return encoded(changed("\n".join(deals), generator), generator)


def make_deal_lines(generator):
    lines = []
    for number, deal in enumerate(DEALS[:3]):
        fields = {"id": pick(generator, (number, str(number), "я", None)), "cards": deal.text()}
        if generator.random() < 0.5:
            fields["removed"] = spelled(deal.removed, generator)
        lines.append(json.dumps(fields))
    return encoded("\n".join(changed_lines(lines, generator)) + "\n", generator)


def read_deals(content, path):
    path.write_bytes(content)
    source = DealFile(str(path))
    items = list(source)
    assert source.count() == len(items)
    for item in items:
        record = RecordMaker(Question())(item)
        document = strict_json(record.line)
        assert (document["line"], document["id"]) == (item.line, item.id)
        if item.deal is None:
            assert is_clean(item.error)
        else:
            assert Deal.parse(item.deal.text()) == Deal.from_removed(format_cards(item.deal.removed)) == item.deal
    return bool(items) and all(item.deal for item in items)


# Mixes.


def make_strategies(generator):
    weights = generator.integers(1, 50, generator.integers(1, 4)).tolist()
    by_weight = generator.random() < 0.5
    return [
        {"arrangement": make_packets(generator)}
        | ({"weight": weight} if by_weight else {"probability": weight / sum(weights)})
        for weight in weights
    ]


def make_mix(generator):
    return encoded(changed_document(json.dumps({"strategies": make_strategies(generator)}), generator), generator)


def read_mix(content, path):
    path.write_bytes(content)
    require_mix(parse_opponent(f"file:{path}", D1).strategies)
    return True


def make_saved_equilibrium(generator):
    document = {**header("equilibrium", D1, Rules(), "margin", 0), "strategies": make_strategies(generator)}
    return encoded(changed_document(json.dumps(document), generator), generator)


def read_saved_equilibrium(content, path):
    path.write_bytes(content)
    require_mix(read_equilibrium(str(path), D1, Rules(), "margin"))
    return True


def require_mix(mix):
    assert all(type(weight) is int and weight >= 1 for weight in mix.weights)
    assert sum(mix.weights) * 25 <= 2**53
    for arrangement in mix.arrangements:
        require_sense(arrangement, D1)
    assert MixedStrategy.from_records(json.loads(json.dumps(mix.records())), D1) == mix


# Results.


@cache
def results():
    """Return a few results: of both commands, and one that was stopped before the opponent was ready."""
    mix = random_mix(FEW, np.random.default_rng(1), 3)
    opponent = Opponent(("file:mix.json",), mix.strength_mix(), mix)
    locked = {2: parse_opponent("greedy", FEW).strategies.arrangements[0].packets[2]}
    response = solve_best_response(FEW, opponent, "win", engine="enumerate", locked=locked, top=2)
    stopped = quick_response(FEW, "points", Rules(), "cpsat", locked)
    return (
        SolveResult.of(response, opponent.spec, opponent).document(0),
        EquilibriumResult(solve_equilibrium(FEW, "win"), 0).document(1e-9),
        SolveResult.of(stopped, opponent.spec, None).document(0),
    )


@cache
def batch_of_results():
    """Return the results as records of a batch, with an error record behind them."""
    lines = [to_json({"id": line, "line": line, **result}, indent=None) for line, result in enumerate(results(), 1)]
    return [*lines, to_json({"schema": ERROR_SCHEMA, "id": 4, "line": 4, "error": "out of memory"}, indent=None)]


@cache
def compact_results():
    """Return the equilibrium as a compact record, with its header before it."""
    task = EquilibriumTask("win")
    maker = RecordMaker(CompactEquilibriumTask(task), header=task.compact_header)
    return [to_json(maker.header, indent=None), maker(Item(1, 1, FEW)).line]


def make_result(generator):
    roll = generator.random()
    if roll < 0.4:
        lines = batch_of_results() if roll < 0.2 else compact_results()
        return encoded("\n".join(changed_lines(lines, generator)), generator)
    return encoded(changed_document(to_json(pick(generator, results())), generator), generator)


def read_result(content, path):
    path.write_bytes(content)
    checks = verify_file(str(path), time_limit=0)
    assert all(is_clean(check.detail) for check in checks)
    if len(content) % 20 == 0:
        require_clean_output(lambda style: write_checks(style, checks, verdict(checks)))
    if not all(check.holds or check.detail == NOT_PROVEN for check in checks):
        return False
    for record in saved_records(str(path)):
        if "error" not in record.written:
            require_true(record.document())
    return True


def require_true(document):
    """Require those claims of a result that the referee of the tests can check."""
    deal = Deal.parse(document["deal"]["cards"])
    if document["schema"] == "quintet.equilibrium/1":
        played = [record["arrangement"] for record in document["strategies"]]
        for row in played:
            require_sense(Arrangement.of_texts(row), deal)
        assert document["play"] in played
        return
    arrangement = Arrangement.of_texts(document["arrangement"])
    require_sense(arrangement, deal)
    for place, cards in document["locked"].items():
        assert set(arrangement.packets[int(place) - 1]) == set(parse_cards(cards))
    if document["value"] is not None:
        rules = document["rules"]
        rules = Rules(rules["name"], rules["ace_low"], tuple(rules["weights"]))
        mix = [(record["weight"], record["arrangement"]) for record in document["opponent"]["strategies"]]
        figures = scoring.figures(arrangement.packet_texts(), mix, rules)
        mine = scoring.objective_value(figures, document["objective"])
        assert document["value"] == {name: float(figure) for name, figure in figures.items()}
        assert (document["objective_value_exact"], document["objective_value"]) == (str(mine), float(mine))


# Outputs of a batch.


@cache
def batch_output(failed):
    """Return the records of a finished run, one more than need be an error record if wanted."""
    maker = RecordMaker(Question(refused={DEALS[1]} if failed else set()))
    return [maker(item).line for item in Items(ENTRIES)]


def torn(lines, generator):
    """Return the bytes of an output file with these lines, perhaps as a crash has left them."""
    content = "\n".join([*lines, ""]).encode("utf-8", "surrogatepass")
    roll = generator.random()
    if roll < 0.2:
        return content[: generator.integers(len(content) + 1)]
    if roll < 0.4:
        return content + pick(generator, (b"\n", b"\0\0\0", b"\r\n \n", b"{", b"\xff", b"rubbish", b"\xef\xbb\xbf"))
    return content.replace(b"\n", b"\r\n") if roll < 0.5 else content


def make_output(generator):
    lines = batch_output(generator.random() < 0.5)[: generator.integers(1, len(ENTRIES) + 1)]
    return torn(changed_lines(lines, generator), generator)


def read_output(content, path):
    path.write_bytes(content)
    try:
        counts = run_batch(path, ENTRIES, Question(), resume=True)
    except QuintetError:
        assert path.read_bytes() == content
        raise
    path_before = path.with_suffix(".before")
    path_before.write_bytes(content)
    before, after = (list(read_records(str(name))) for name in (path_before, path))
    assert {record.line for record in before if not is_failed(record)} <= {record.line for record in after}
    assert path.read_bytes().endswith(b"}\n")
    assert (counts.done, counts.failed) == (3, 1)
    for number, (record, entry) in enumerate(zip(after, ENTRIES, strict=True), 1):
        assert (record.document["line"], is_failed(record)) == (number, entry == "bad")
        assert entry == "bad" or record.document["deal"] == deal_fields(entry)
    return True


def make_records(generator):
    lines = []
    for number in range(1, 4):
        document = {"schema": "quintet.solve/1", "id": number, "line": number, "status": "optimal"}
        document |= {"objective_value": 25 * generator.random(), "iterations": int(generator.integers(300))}
        lines.append(json.dumps(document | {"exploitability": 1e-10, "timings": {"seconds": generator.random()}}))
    return torn(changed_lines(lines, generator), generator)


def read_summary(content, path):
    path.write_bytes(content)
    summary = summary_document(str(path))
    assert strict_json(to_json(summary)) == summary
    records = list(read_records(str(path)))
    assert summary["done"] + summary["failed"] == len(records)
    assert summary["done"] == sum(summary["status"].values())
    for name in SMALLER_IS_WORSE.keys() & summary.keys():
        median, p90, worst, _ = summary[name].values()
        assert worst <= median <= p90 if SMALLER_IS_WORSE[name] else median <= p90 <= worst
    require_clean_output(lambda style: write_summary(style, summary))
    return bool(records)


def read_session_log(content, path):
    path.write_bytes(content)
    before = [record.line for record in read_records(str(path))]
    with open_log(str(path)) as record:
        record({"round": len(before) + 1})
    after = [record.line for record in read_records(str(path))]
    assert after == [*before, f'{{"round": {len(before) + 1}}}']
    return bool(before)


# Players.


def make_player(generator):
    names = generator.permutation(COMPONENTS)[:3].tolist()
    weights = generator.integers(0, 1_000_000, 6).tolist()
    orders = [generator.permutation(5) + 1 for _ in range(3)]
    document = {
        **header("fit", None, Rules(), None, None),
        "components": [{"name": name, "weight": weight} for name, weight in zip(names, weights, strict=False)],
        "orders": [
            {"order": order.tolist(), "weight": weight} for order, weight in zip(orders, weights[3:], strict=True)
        ],
    }
    return encoded(changed_document(json.dumps(document), generator), generator)


def read_player(content, path):
    path.write_bytes(content)
    player = FittedPlayer.of_document(read_json(str(path)))
    assert player.weights.min() >= 0 < player.weights.sum() < 2**40
    assert player.habit.min() >= 0
    assert player.habit.sum() < 2**40
    return True


def make_log(generator):
    lines = [json.dumps({"cards": D1.text(), "arrangement": make_packets(generator)}) for _ in range(2)]
    return torn(changed_lines(lines, generator), generator)


def read_log(content, path):
    path.write_bytes(content)
    deals = read_recorded_deals([str(path)], "player", Rules())
    for arrangement in deals.arrangements:
        require_sense(arrangement)
    return True


READERS = {
    "a fitted player": Reader(make_player, read_player, ("solve", D1.text(), "--opponent", "fitted:FILE")),
    "recorded deals": Reader(make_log, read_log, ("fit", "FILE")),
    "cards": Reader(make_cards, read_cards, ("hand", "-")),
    "an arrangement": Reader(make_row, read_row, ("grade", "-")),
    "five packets": Reader(make_texts, read_texts),
    "lines at the table": Reader(make_script, read_script),
    "deals as text": Reader(make_deals, read_deals),
    "deals as JSON": Reader(make_deal_lines, read_deals),
    "a mix": Reader(make_mix, read_mix, ("solve", D1.text(), "--opponent", "file:FILE")),
    "an equilibrium to resume": Reader(
        make_saved_equilibrium, read_saved_equilibrium, ("equilibrium", D1.text(), "--resume", "FILE")
    ),
    "a result": Reader(make_result, read_result, ("verify", "FILE")),
    "a batch to resume": Reader(
        make_output, read_output, ("batch", "--random", "4", "--seed", "3", "--output", "FILE", "--resume")
    ),
    "a batch to sum up": Reader(make_records, read_summary, ("batch", "FILE", "--summary")),
    "a match log": Reader(make_records, read_session_log, ("play", "--seed", "1", "--log", "FILE")),
}


@pytest.fixture(autouse=True)
def no_sync(monkeypatch):
    """Spare the disk where many files are written."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)


@contextlib.contextmanager
def bounded():
    """Let what takes much more memory than is in use now fail with a `MemoryError`, and end every watch for hangs."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + MEMORY, hard))
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def is_accepted(reader, content, path):
    try:
        return reader.read(content, path)
    except QuintetError as error:
        message = str(error)
    assert is_clean(message), message
    return False


def share_accepted(name, inputs, path):
    """Return the share of the inputs that a reader accepts; it may neither fail nor hang nor take much memory."""
    reader = READERS[name]
    is_accepted(reader, reader.make(np.random.default_rng(0)), path)  # what is made once is in memory now
    accepted = 0
    with bounded():
        for number in range(inputs):
            if number % 100 == 0:
                # It ends the process: a hang in native code would notice nothing less.
                faulthandler.dump_traceback_later(LONGEST, exit=True)
            content = reader.make(np.random.default_rng([1, number]))
            try:
                accepted += is_accepted(reader, content, path)
            except Exception as error:
                error.add_note(f"{name}, input {number}: {content!r:.2000}")
                raise
    return accepted / inputs


@pytest.mark.parametrize("name", READERS)
def test_what_is_nearly_right_is_read_or_refused(tmp_path, name):
    assert 0.3 <= share_accepted(name, 500, tmp_path / "file") <= 0.9


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
def test_a_hundred_thousand_inputs_are_read_or_refused(tmp_path, record_property, name):
    share = share_accepted(name, 100_000, tmp_path / "file")
    record_property("accepted", share)
    assert 0.3 <= share <= 0.9


def refused_by_command(name, inputs, path):
    """Have the command refuse that many inputs that the reader refuses."""
    reader = READERS[name]
    generators = (np.random.default_rng([2, number]) for number in count())
    while inputs:
        made = reader.make(next(generators))
        content = made.encode("utf-8", "surrogatepass") if isinstance(made, str) else made
        if b"[" * 500 in content or b'{"a":' * 500 in content:
            continue  # how deep is too deep depends on who reads
        try:
            reader.read(made, path)
            continue
        except QuintetError:
            inputs -= 1
        path.write_bytes(content)
        arguments = [part.replace("FILE", str(path)) for part in reader.command]
        rejected(*arguments, stdin=content if "-" in arguments else b"")
        assert path.read_bytes() == content


COMMANDS = [name for name, reader in READERS.items() if reader.command]


@pytest.mark.parametrize("name", COMMANDS)
def test_the_command_refuses_in_one_line(tmp_path, name):
    refused_by_command(name, 2, tmp_path / "file")


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_the_command_refuses_many_in_one_line(tmp_path, name):
    refused_by_command(name, 10, tmp_path / "file")


def test_changes_follow_from_the_seed():
    for name, reader in READERS.items():
        first, second = ([reader.make(np.random.default_rng([3, number])) for number in range(20)] for _ in range(2))
        assert first == second, name
        assert len(set(map(repr, first))) == 20, name
