"""The batch command as a user runs it: real processes, files and pipes."""

import json
import os
import pty
import re
import subprocess

import pytest

from solver.game.deal import random_deals
from tests.support.command import LONGEST, PROGRAM, answered, environment, quintet, rejected, started, strict_json
from tests.support.d1 import D1, REMOVED
from tests.support.in_process import answer_here, run_here
from tests.support.processes import children, wait_until

QUICK = ("--opponent", "greedy", "--workers", "1")
DEALS = [deal.text() for deal in random_deals(1, 3)]


@pytest.fixture
def deals(tmp_path):
    path = tmp_path / "deals.txt"
    path.write_text("\n".join(DEALS) + "\n")
    return path


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """The bytes of a finished run on the three deals."""
    folder = tmp_path_factory.mktemp("written")
    (folder / "deals.txt").write_text("\n".join(DEALS) + "\n")
    run = quintet("batch", folder / "deals.txt", *QUICK, "--output", folder / "out.jsonl")
    assert (run.code, run.out, run.err) == (0, "", "quintet: 3 done, 0 failed\n")
    return (folder / "out.jsonl").read_bytes()


def records(content):
    """Return the records of JSON lines, each of which must be whole."""
    text = content.decode("ascii") if isinstance(content, bytes) else content
    assert text.endswith("\n")
    return [strict_json(line) for line in text.removesuffix("\n").split("\n")]


@pytest.mark.parametrize(
    "question",
    [
        ("solve",),
        ("solve", "--objective", "win", "--samples", "20", "--seed", "3", "--top", "2"),
        ("solve", "--engine", "both", "--opponent", "2:greedy", "--opponent", "level:1", "--rules", "telesina"),
        ("equilibrium", "--objective", "win", "--max-iterations", "5", "--weights", "1,2,3,4,5", "--seed", "4"),
    ],
    ids=" ".join,
)
def test_two_workers_write_what_one_writes_and_what_the_command_says(deals, question):
    task, *options = question
    one, two = (quintet("batch", deals, "--task", task, *options, "--workers", count) for count in (1, 2))
    assert one == two
    assert (one.code, one.err) == (0, "quintet: 3 done, 0 failed\n")
    for number, (record, deal) in enumerate(zip(records(one.out), DEALS, strict=True), 1):
        assert (record.pop("id"), record.pop("line")) == (number, number)
        code = run_here(task, deal, *options, "--json")
        assert record == strict_json(code.out)


def test_a_bad_deal_is_one_error_record_in_its_place(tmp_path):
    path = tmp_path / "deals.txt"
    path.write_text(f"{DEALS[0]}\n{DEALS[1][:-3]}\n\n{DEALS[2]}\n")
    run = quintet("batch", path, *QUICK)
    assert run.code == 1
    assert run.err.splitlines()[-1] == "quintet: 2 done, 1 failed"
    first, bad, last = records(run.out)
    assert bad == {
        "schema": "quintet.error/1",
        "id": 2,
        "line": 2,
        "error": "expected 25 cards, the cards in play, not 24",
    }
    assert (first["line"], last["line"], last["id"]) == (1, 4, 4)


def test_settings_that_fit_one_deal_only_fail_the_others(tmp_path, deals):
    run = run_here("batch", deals, *QUICK, "--lock", "5=As Ah Ad Ac Ks")
    assert run.code == 1
    for deal, record in zip(DEALS, records(run.out), strict=True):
        if {"As", "Ah", "Ad", "Ac", "Ks"} <= set(deal.split()):
            assert record["arrangement"][4] == "As Ah Ad Ac Ks"
        else:
            assert "locked in place 5, is not in the deal" in record["error"]
    assert len({record["schema"] for record in records(run.out)}) == 2


def test_two_engines_that_do_not_both_prove_it_fail(deals):
    run = run_here("batch", deals, "--engine", "both", "--time-limit", "0", "--workers", "1")
    assert run.code == 1
    assert {record["error"] for record in records(run.out)} == {
        "the two engines did not both prove the value within the time limit"
    }


def test_a_limit_that_is_reached_is_no_failure(deals):
    run = run_here("batch", deals, "--task", "equilibrium", "--max-iterations", "1", "--workers", "1")
    assert run.code == 0
    assert {record["status"] for record in records(run.out)} == {"iteration limit"}
    run = run_here("batch", deals, "--time-limit", "0", "--workers", "1")
    assert run.code == 0
    assert {record["status"] for record in records(run.out)} == {"feasible"}


def test_every_deal_has_a_time_limit_of_its_own(deals):
    """The sum of the deals takes longer than the limit of one."""
    run = run_here("batch", deals, "--timings", "--time-limit", "100", "--workers", "1")
    assert {record["status"] for record in records(run.out)} == {"optimal"}
    assert {record["limits"]["time_limit"] for record in records(run.out)} == {100.0}


def test_names_and_repeats(tmp_path, written):
    """Wanted repeats are done as often as they stand there, whatever their notation, also after an interruption."""
    path, out = tmp_path / "deals.jsonl", tmp_path / "out.jsonl"
    russian = " ".join(reversed(D1.text("russian").split()))
    path.write_text(f"{D1.text()}\n{DEALS[0]}\n{russian}\n", encoding="utf-8")
    assert quintet("batch", path, *QUICK, "--output", out).code == 0
    whole = out.read_bytes()
    out.write_bytes(whole[: whole.index(b"\n") + 1])
    assert quintet("batch", path, *QUICK, "--output", out, "--resume").code == 0
    assert out.read_bytes() == whole
    first, _, third = records(whole)
    assert (first.pop("id"), third.pop("id"), first.pop("line"), third.pop("line")) == (1, 3, 1, 3)
    assert first == third


@pytest.mark.parametrize("rest", [b'{"id": 3, "val', b'{"id": 3, "val\n\n', b""])
def test_a_torn_last_line_is_redone(tmp_path, deals, written, rest):
    out = tmp_path / "out.jsonl"
    out.write_bytes(b"".join(written.splitlines(keepends=True)[:2]) + rest)
    run = run_here("batch", deals, *QUICK, "--output", out, "--resume")
    assert (run.code, run.err) == (0, "quintet: 3 done, 0 failed\n")
    assert out.read_bytes() == written
    assert sorted(os.listdir(tmp_path)) == ["deals.txt", "out.jsonl"]


def test_a_broken_line_elsewhere_is_refused_with_its_number(tmp_path, deals, written):
    out = tmp_path / "out.jsonl"
    first, second, third = written.splitlines(keepends=True)
    out.write_bytes(first + second[:40] + b"\n" + third)
    broken = out.read_bytes()
    run = run_here("batch", deals, *QUICK, "--output", out, "--resume")
    assert (run.code, run.err) == (2, f"quintet: {out}, line 2: is broken, and not the last one\n")
    assert out.read_bytes() == broken


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["--seed", "1"], "seed 0"),
        (["--objective", "margin"], "objective 'points'"),
        (["--opponent", "greedy-shuffled"], "spec ['greedy']"),
        (["--engine", "both"], "engine 'cpsat'"),
        (["--top", "2"], "limits: was written with top 0"),
        (["--time-limit", "5"], "limits: was written with time_limit None"),
        (["--lock", f"5={DEALS[0][:14]}"], "locked"),
        (["--rules", "telesina"], "rules: was written with name 'quintet'"),
        (["--ace-low"], "rules: was written with ace_low False"),
        (["--weights", "1,2,3,4,5"], "rules: was written with weights [3, 4, 5, 6, 7]"),
        (["--timings"], "timings False"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_other_settings_are_refused_naming_the_difference(tmp_path, deals, written, options, named):
    out = tmp_path / "out.jsonl"
    out.write_bytes(written)
    opponent = () if options[0] == "--opponent" else ("--opponent", "greedy")
    run = run_here("batch", deals, *opponent, *options, "--output", out, "--resume")
    assert run.code == 2
    assert run.err.startswith(f"quintet: {out}, line 1")
    assert named in run.err
    assert run.err.count("\n") == 1
    assert out.read_bytes() == written


def test_another_task_and_its_settings_are_refused(tmp_path, deals, written):
    out = tmp_path / "out.jsonl"
    out.write_bytes(written)
    run = run_here("batch", deals, "--task", "equilibrium", "--output", out, "--resume")
    assert run.code == 2
    assert "schema 'quintet.solve/1'" in run.err
    assert run_here("batch", deals, "--task", "equilibrium", "--output", tmp_path / "mixes").code == 0
    for options, named in (
        (["--tolerance", "0.5"], "tolerance 1e-09"),
        (["--max-iterations", "500"], "max_iterations None"),
        (["--objective", "win"], "objective 'margin'"),
        (["--seed", "3"], "seed 0"),
    ):
        again = ["batch", deals, "--task", "equilibrium", "--output", tmp_path / "mixes", "--resume"]
        run = run_here(*again, *options)
        assert run.code == 2
        assert named in run.err
    assert run_here(*again).code == 0


def test_samples_count_only_where_something_is_sampled(tmp_path, deals, written):
    out = tmp_path / "out.jsonl"
    out.write_bytes(written)
    assert run_here("batch", deals, *QUICK, "--samples", "7", "--output", out, "--resume").code == 0
    sampled = ["batch", deals, "--opponent", "random", "--engine", "enumerate", "--output", tmp_path / "sampled"]
    assert run_here(*sampled, "--samples", "7").code == 0
    run = run_here(*sampled, "--resume")
    assert run.code == 2
    assert "was written with samples 7, and this run has 10000" in run.err


@pytest.mark.parametrize(
    ("edit", "named"),
    [
        (lambda lines: [lines[1], lines[0], lines[2]], "line 1: was written for the deal"),
        (lambda lines: lines[:2], "line 3: the input has only 2 deals"),
        (lambda lines: ["", *lines], "line 1: was written for line 1 of the input, not 2"),
        (lambda lines: [lines[0], lines[1][:-3], lines[2]], "line 2: was written for a good deal"),
        (lambda lines: [json.dumps({"id": "a", "cards": lines[0]}), *lines[1:]], "was written for id 1, not 'a'"),
    ],
)
def test_other_deals_are_refused_naming_the_difference(tmp_path, written, edit, named):
    deals, out = tmp_path / "deals.txt", tmp_path / "out.jsonl"
    deals.write_text("\n".join(edit(DEALS)) + "\n")
    out.write_bytes(written)
    run = run_here("batch", deals, *QUICK, "--output", out, "--resume")
    assert run.code == 2
    assert named in run.err
    assert out.read_bytes() == written


def test_existing_output_is_refused(tmp_path, deals):
    out = tmp_path / "out.jsonl"
    out.touch()
    line = rejected("batch", deals, "--output", out)
    assert line == f"quintet: {out}: exists already; --resume goes on with it"


def test_the_second_run_on_one_output_is_refused_while_the_first_goes_on(tmp_path):
    out = tmp_path / "out.jsonl"
    command = ("batch", "--random", "100", "--opponent", "greedy", "--workers", "4", "--output", str(out))
    with started(*command) as first:
        wait_until(lambda: out.exists() and out.stat().st_size > 0)
        for options in ([], ["--resume"], ["--seed", "5", "--resume"]):
            run = run_here(*command, *options)
            assert (run.code, run.out, run.err) == (1, "", f"quintet: {out}: another run is writing to it\n")
        assert first.wait(LONGEST) == 0
    assert [record["id"] for record in records(out.read_bytes())] == list(range(1, 101))


def test_many_workers_write_the_same_records_in_input_order(tmp_path):
    outputs = []
    for workers in (1, 2, 4):
        out = tmp_path / f"{workers}"
        run = quintet(
            *("batch", "--random", 100, "--seed", 1, "--opponent", "greedy-shuffled", "--engine", "enumerate"),
            *("--workers", workers, "--output", out),
        )
        assert (run.code, run.out, run.err) == (0, "", "quintet: 100 done, 0 failed\n")
        outputs.append(out.read_bytes())
    assert outputs[0] == outputs[1] == outputs[2]
    found = records(outputs[0])
    assert [(record["id"], record["line"]) for record in found] == [(number, number) for number in range(1, 101)]
    assert [record["deal"]["cards"] for record in found] == [deal.text() for deal in random_deals(1, 100)]
    assert len({record["deal"]["cards"] for record in found[:8]}) == 8


def test_equilibria_are_the_same_whatever_the_number_of_workers():
    command = ("batch", "--task", "equilibrium", "--random", 20, "--seed", 5)
    one, two, four = (quintet(*command, "--workers", number) for number in (1, 2, 4))
    assert one == two == four
    assert one.code == 0
    assert {record["status"] for record in records(one.out)} == {"converged"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "options"),
    [
        (1000, ("--task", "solve", "--opponent", "greedy-shuffled", "--engine", "enumerate")),
        (200, ("--task", "equilibrium")),
    ],
)
def test_a_long_run_is_the_same_whatever_the_number_of_workers(tmp_path, number, options):
    outputs = []
    for workers in (1, 2, 4):
        out = tmp_path / f"{workers}"
        done = subprocess.run(
            [*PROGRAM, "batch", *options, "--random", str(number), "--workers", str(workers), "--output", str(out)],
            env=environment(),
            check=False,
        )
        assert done.returncode == 0
        outputs.append(out.read_bytes())
    assert outputs[0] == outputs[1] == outputs[2]
    found = records(outputs[0])
    assert [record["id"] for record in found] == list(range(1, number + 1))
    assert {record["status"] for record in found} <= {"optimal", "converged"}


def test_redirected_output_holds_records_only_and_no_progress(tmp_path, deals):
    with open(tmp_path / "out.jsonl", "wb") as out, open(tmp_path / "err.txt", "wb") as err:
        code = subprocess.run([*PROGRAM, "batch", deals, *QUICK], stdout=out, stderr=err, check=False).returncode
    assert code == 0
    assert len(records((tmp_path / "out.jsonl").read_bytes())) == 3
    assert (tmp_path / "err.txt").read_bytes() == b"quintet: 3 done, 0 failed\n"


def test_progress_on_a_terminal(tmp_path, deals):
    (tmp_path / "bad.txt").write_text(f"bad\n{deals.read_text()}")
    written = on_terminal("batch", tmp_path / "bad.txt", *QUICK, "--output", tmp_path / "out.jsonl")
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", written)
    assert "0 done, 0 failed" in plain
    assert re.search(r"3 done, 1 failed .*\d+\.\d deals/s", plain)
    assert plain.splitlines()[-1] == "quintet: 3 done, 1 failed"
    assert re.search(r"\d:\d\d:\d\d", plain), "the remaining time"
    quiet = on_terminal("batch", deals, *QUICK, "--output", tmp_path / "quiet.jsonl", "--quiet")
    assert quiet == "quintet: 3 done, 0 failed\r\n"


def on_terminal(*arguments):
    """Run the command with a terminal as its standard error, and return what it shows."""
    master, slave = pty.openpty()
    variables = environment({"TERM": "xterm", "COLUMNS": "100"})
    with subprocess.Popen([*PROGRAM, *map(str, arguments)], stderr=slave, env=variables) as process:
        os.close(slave)
        shown = b""
        try:
            while chunk := os.read(master, 4096):
                shown += chunk
        except OSError:
            pass  # the terminal has been closed
        assert process.wait() in (0, 1)
    os.close(master)
    return shown.decode()


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_leaves_early_ends_the_run_quietly(tmp_path, unbuffered):
    variables = environment({"PYTHONUNBUFFERED": unbuffered})
    with subprocess.Popen(
        [*PROGRAM, "batch", "--random", "10000", *QUICK],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=variables,
    ) as process:
        assert json.loads(process.stdout.readline())["id"] == 1
        workers = children(process.pid)
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(LONGEST) == 0
    assert workers
    assert not any(os.path.exists(f"/proc/{pid}") for pid in workers)


def test_output_to_a_file_does_not_need_standard_output(tmp_path, deals, written):
    out = tmp_path / "out.jsonl"
    line = 'exec "$@" >&-'
    done = subprocess.run(
        ["sh", "-c", line, "sh", *PROGRAM, "batch", deals, *QUICK, "--output", out],
        capture_output=True,
        env=environment(),
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"quintet: 3 done, 0 failed\n")
    assert out.read_bytes() == written


def test_a_full_standard_output_is_one_line(deals):
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*PROGRAM, "batch", deals, *QUICK],
            stdout=full,
            stderr=subprocess.PIPE,
            env=environment(),
            check=False,
        )
    assert (done.returncode, done.stderr) == (1, b"quintet: output: No space left on device\n")


def test_deals_from_a_pipe(tmp_path, deals):
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(["dd", "status=none", f"if={deals}", f"of={tmp_path / 'pipe'}"]):
        run = quintet("batch", tmp_path / "pipe", *QUICK)
    assert (run.code, run.err) == (0, "quintet: 3 done, 0 failed\n")


def test_cards_laid_aside(tmp_path):
    path = tmp_path / "deals.txt"
    path.write_text(REMOVED)
    (record,) = records(run_here("batch", path, "--removed", *QUICK).out)
    assert record["deal"]["cards"] == D1.text()


def test_an_instance_set():
    run = run_here("batch", "--instances", "extreme-8", *QUICK)
    assert (run.code, run.err) == (0, "quintet: 8 done, 0 failed\n")


def test_a_batch_is_verified(tmp_path, deals, written):
    out = tmp_path / "out.jsonl"
    error = b'{"schema": "quintet.error/1", "id": 4, "line": 4, "error": "bad"}\n'
    out.write_bytes(written + error)
    document = answered("verify", out)
    assert document["holds"] is True
    assert {check["name"].split(":")[0] for check in document["checks"]} == {f"line {n}" for n in (1, 2, 3, 4)}


def test_summary(tmp_path, deals):
    deals.write_text(deals.read_text() + "bad\n")
    out = tmp_path / "out.jsonl"
    assert run_here("batch", deals, *QUICK, "--timings", "--output", out).code == 1
    with out.open("ab") as file:
        file.write(b'{"torn')
    document = answer_here("batch", out, "--summary")
    values = sorted(record["objective_value"] for record in records(out.read_bytes()[:-6]) if "status" in record)
    assert (document["done"], document["failed"], document["status"]) == (3, 1, {"optimal": 3})
    assert document["objective_value"] == {
        "median": values[1],
        "p90": pytest.approx(values[1] + 0.8 * (values[2] - values[1])),
        "worst": values[0],
        "records": 3,
    }
    assert document["seconds"]["median"] <= document["seconds"]["p90"] <= document["seconds"]["worst"]
    assert "iterations" not in document
    text = run_here("batch", out, "--summary").out
    assert re.search(r"optimal +3", text)
    assert re.search(r"objective_value( +[0-9.]+){3}\n", text)
    assert re.search(r"оптимум доказан +3", run_here("batch", out, "--summary", "--lang", "ru").out)


def test_summary_of_equilibria(tmp_path, deals):
    out = tmp_path / "out.jsonl"
    assert run_here("batch", deals, "--task", "equilibrium", "--output", out).code == 0
    document = answer_here("batch", out, "--summary")
    found = records(out.read_bytes())
    assert document["status"] == {"converged": 3}
    for name in ("exploitability", "iterations"):
        assert document[name]["worst"] == max(record[name] for record in found)
    assert "objective_value" not in document
    assert "seconds" not in document


def test_summary_of_nothing(tmp_path):
    out = tmp_path / "out.jsonl"
    out.touch()
    assert answer_here("batch", out, "--summary") == {
        "schema": "quintet.summary/1",
        "done": 0,
        "failed": 0,
        "status": {},
    }
    out.write_text('{"a": 1}\n')
    assert run_here("batch", out, "--summary").err == f"quintet: {out}, line 1: is no record of a batch\n"


@pytest.mark.parametrize("figure", ["1e999", "-1e999", "NaN", "9" * 400, "1e300", "true", '"1"', "[]"])
@pytest.mark.parametrize(
    "record", ['{"status": "optimal", "objective_value": %s}', '{"status": "x", "timings": {"seconds": %s}}']
)
def test_a_figure_that_no_result_has_is_refused(tmp_path, record, figure):
    out = tmp_path / "out.jsonl"
    out.write_text(f'{{"status": "optimal", "objective_value": 3}}\n{record % figure}\n')
    run = run_here("batch", out, "--summary")
    assert (run.code, run.out, run.err) == (2, "", f"quintet: {out}, line 2: is no record of a batch\n")


def test_the_words_of_a_record_are_written_as_they_stand(tmp_path):
    out = tmp_path / "out.jsonl"
    out.write_text('{"status": "[/x] [red]{0}"}\n')
    assert re.search(r"^\[/x\] \[red\]\{0\} +1$", run_here("batch", out, "--summary").out, re.MULTILINE)
    out.write_text(json.dumps({"status": "\x1b[31m"}) + "\n")
    assert run_here("batch", out, "--summary").err == f"quintet: {out}, line 1: is no record of a batch\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "expected one of FILE, --random N, --all, --sample N and --instances NAME"),
        (["deals.txt", "--random", "3"], "expected one of"),
        (["-"], "not from standard input"),
        (["missing.txt"], "missing.txt: No such file"),
        (["."], ".: Is a directory"),
        (["deals.txt", "--resume"], "--resume needs --output"),
        (["deals.txt", "--workers", "0"], "--workers"),
        (["deals.txt", "--workers", "2", "--dask", "tcp://127.0.0.1:1"], "--workers does not go with --dask"),
        (["deals.txt", "--task", "equilibrium", "--opponent", "greedy"], "--opponent does not go with --task"),
        (["deals.txt", "--task", "equilibrium", "--engine", "cpsat"], "--engine does not go with --task equilibrium"),
        (["deals.txt", "--tolerance", "1"], "--tolerance does not go with --task solve"),
        (["deals.txt", "--task", "equilibrium", "--objective", "points"], "'points' has no equilibrium"),
        (["deals.txt", "--opponent", "nobody"], "opponent 'nobody' is not known"),
        (["deals.txt", "--lock", "6=As"], "--lock '6=As'"),
        (["deals.txt", "--output", "gone/out.jsonl"], "its folder does not exist"),
        (["deals.txt", "--output", "."], ".: is a folder"),
        (["--instances", "nowhere"], "no such set"),
        (["deals.txt", "--summary", "--seed", "3"], "--seed does not go with --summary"),
        (["--summary"], "--summary needs FILE"),
        (["--summary", "missing.txt"], "missing.txt: No such file"),
        (["--random", "0"], "--random"),
        (["--random", "3", "--seed", "-1"], "--seed"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_usage_is_one_line_and_exit_2(tmp_path, monkeypatch, deals, arguments, message):
    monkeypatch.chdir(tmp_path)
    run = run_here("batch", *arguments)
    assert (run.code, run.out) == (2, "")
    assert message in run.err
    assert run.err.count("\n") == 1
    assert os.listdir(tmp_path) == ["deals.txt"]
