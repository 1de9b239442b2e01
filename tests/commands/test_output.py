"""Where results go: files whole or untouched, full disks, closed pipes and streams."""

import os
import subprocess
import tempfile
from pathlib import Path

import pytest

from tests.support.command import (
    PROGRAM,
    PROGRAM_OF_ORDINARY_USER,
    ROOT,
    answered,
    environment,
    limited,
    quintet,
    rejected,
    strict_json,
)
from tests.support.d1 import D1, ROWS
from tests.support.in_process import run_here

HAND = ("hand", "As Ks Qs Js Ts")
SCORE = ("score", ROWS["A"], ROWS["B"])
GREEDY = ("--opponent", "greedy")
MATCH = ("play", "--seed", "1", *GREEDY)


def in_shell(line, *arguments):
    """Run a line of shell in which $@ is the program; return exit code, output and errors."""
    done = subprocess.run(
        ["bash", "-c", line, "bash", *PROGRAM, *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env=environment(),
    )
    return done.returncode, done.stdout, done.stderr


# Files.


@pytest.mark.parametrize("old", [None, "an old result, much longer than a new one" * 1000])
def test_the_document_goes_to_the_file_and_the_text_to_the_terminal(tmp_path, old):
    output = tmp_path / "out.json"
    if old is not None:
        output.write_text(old)
    run = quintet(*HAND, "--output", output)
    assert (run.code, run.err) == (0, "")
    assert "royal flush" in run.out
    document = strict_json(output.read_text())
    assert document == answered(*HAND, "--output", output)
    assert os.listdir(tmp_path) == ["out.json"]


def test_quiet_with_a_file_writes_the_file_alone(tmp_path):
    run = run_here(*HAND, "--output", tmp_path / "out.json", "--quiet")
    assert (run.code, run.out, run.err) == (0, "", "")
    assert strict_json((tmp_path / "out.json").read_text())["hands"]


def test_a_name_in_any_script_is_a_file(tmp_path):
    output = tmp_path / "сдача ♠.json"
    assert quintet(*HAND, "--output", output).code == 0
    assert output.exists()


def test_a_link_stays_a_link(tmp_path):
    link, target = tmp_path / "link.json", tmp_path / "target.json"
    link.symlink_to(target)
    assert quintet(*HAND, "--output", link, "--quiet").code == 0
    assert link.is_symlink()
    assert strict_json(target.read_text())["hands"]


def test_standard_output_may_be_named_as_a_file():
    code, out, err = in_shell('"$@" | cat; exit "${PIPESTATUS[0]}"', *HAND, "--quiet", "--output", "/dev/stdout")
    assert (code, err) == (0, "")
    assert strict_json(out)["hands"]


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        (".", "is a folder, expected a file"),
        ("missing/out.json", "its folder does not exist"),
        ("file/out.json", "Not a directory"),
        ("x" * 300, "File name too long"),
    ],
)
def test_a_file_that_cannot_be_written_is_refused_before_the_work(tmp_path, name, complaint):
    (tmp_path / "file").write_text("a file")
    assert complaint in rejected(*HAND, "--output", tmp_path / name)
    assert os.listdir(tmp_path) == ["file"]


@pytest.fixture
def open_folder():
    """A folder that every user may enter; those of pytest are closed to others."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


@pytest.mark.parametrize("name", ["readable/new.json", "readable/old.json", "open/readable.json"])
def test_a_file_that_may_not_be_written_is_refused_before_the_work(open_folder, name):
    for part in ("readable", "open"):
        (open_folder / part).mkdir()
        (open_folder / part / "old.json").write_text("old")
        (open_folder / part / "old.json").chmod(0o666)
    (open_folder / "open" / "readable.json").write_text("old")
    (open_folder / "open" / "readable.json").chmod(0o444)
    for part, mode in (("readable", 0o555), ("open", 0o777)):
        (open_folder / part).chmod(mode)
    before = {path: path.read_text() for path in open_folder.rglob("*.json")}
    line = rejected(*HAND, "--output", open_folder / name, program=PROGRAM_OF_ORDINARY_USER)
    assert "no permission to write" in line
    assert {path: path.read_text() for path in open_folder.rglob("*.json")} == before
    (open_folder / "readable").chmod(0o755)


@pytest.mark.parametrize(
    "arguments",
    [("grade", ROWS["A"], "--html"), ("batch", "--random", "1", "--output"), ("play", "--log")],
    ids=lambda arguments: arguments[0],
)
def test_no_command_works_for_a_file_that_may_not_be_written(open_folder, arguments):
    line = rejected(*arguments, open_folder / "new", program=PROGRAM_OF_ORDINARY_USER)
    assert line == f"quintet: {open_folder / 'new'}: no permission to write"


@pytest.mark.parametrize("command", ["verify", "batch"])
def test_a_file_that_may_not_be_read_is_refused(open_folder, command):
    path = open_folder / "secret"
    path.write_text("{}")
    path.chmod(0)
    assert rejected(command, path, program=PROGRAM_OF_ORDINARY_USER) == f"quintet: {path}: Permission denied"


@pytest.mark.parametrize("command", [HAND, ("batch", "--random", "2", *GREEDY)], ids=lambda command: command[0])
def test_a_full_disk_is_a_failure(command):
    run = quintet(*command, "--output", "/dev/full")
    assert (run.code, run.out) == (1, "")
    assert run.err == "quintet: /dev/full: No space left on device\n"


@pytest.mark.parametrize(
    "arguments", [(*HAND, "--output"), ("grade", ROWS["A"], *GREEDY, "--html")], ids=lambda arguments: arguments[-1]
)
def test_a_file_that_does_not_fit_is_named_and_leaves_the_old_one(tmp_path, arguments):
    path = tmp_path / "old"
    path.write_text("old")
    run = quintet(*arguments, path, program=limited("RLIMIT_FSIZE", 100))
    assert (run.code, run.out) == (1, "")
    assert run.err == f"quintet: {path}: File too large\n"
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["old"]


def test_standard_output_that_does_not_fit_is_a_failure(tmp_path):
    with open(tmp_path / "out", "wb") as out:
        program = limited("RLIMIT_FSIZE", 1000)
        done = subprocess.run(
            [*program, "deal", "--count", "100"], stdout=out, stderr=subprocess.PIPE, env=environment(), check=False
        )
    assert (done.returncode, done.stderr) == (1, b"quintet: output: File too large\n")
    assert (tmp_path / "out").stat().st_size == 1000


@pytest.mark.parametrize("options", [[], ["--json"]])
@pytest.mark.parametrize("command", [HAND, SCORE, ("deal", "--seed", "1"), ("--help",)])
def test_standard_output_on_a_full_disk_is_a_failure(command, options):
    if command == ("--help",):
        options = []
    code, out, err = in_shell('"$@" > /dev/full', *command, *options)
    assert (code, out) == (1, "")
    assert err == "quintet: output: No space left on device\n"


# Pipes and streams.


@pytest.mark.parametrize("options", [[], ["--json"], ["--notation", "symbols"]])
def test_a_closed_pipe_ends_in_silence(options):
    # Report B77.
    line = '"$@" | head -n 1; echo "${PIPESTATUS[0]}"'
    code, out, err = in_shell(line, "deal", "--count", "100000", "--seed", "1", *options)
    dealt, status = out.splitlines()
    assert (code, status, err) == (0, "0", "")
    assert dealt == quintet("deal", "--seed", "1", *options).out.strip()


def test_a_pipe_closed_from_the_start_ends_in_silence():
    for command in (HAND, (*HAND, "--json"), ("--help",), ("--version",)):
        code, out, err = in_shell('(sleep 0.3; "$@"; echo "$?" >&2) | true; wait', *command)
        assert (code, out, err) == (0, "", "0\n")


@pytest.mark.parametrize("command", [HAND, (*HAND, "--json"), ("--help",), ("deal", "--seed", "1")])
def test_streams_that_are_not_needed_may_be_closed(command):
    assert in_shell('"$@" <&- 2>&-', *command) == in_shell('"$@"', *command)


@pytest.mark.parametrize("command", [HAND, (*HAND, "--json"), ("--help",), ("deal", "--seed", "1"), MATCH])
@pytest.mark.parametrize("closed", [">&-", "<&- >&- 2>&-"])
def test_a_result_for_a_closed_standard_output_is_a_failure(command, closed):
    message = "" if "2>&-" in closed else "quintet: output: Bad file descriptor\n"
    assert in_shell(f'"$@" {closed}', *command) == (1, "", message)


def test_where_nothing_is_written_standard_output_may_be_closed(tmp_path):
    code, _, err = in_shell('"$@" >&-', *HAND, "--quiet", "--output", str(tmp_path / "out.json"))
    assert (code, err) == (0, "")
    assert strict_json((tmp_path / "out.json").read_text())["hands"]


def test_a_match_without_standard_input_ends_at_once():
    code, out, err = in_shell('"$@" <&-', *MATCH)
    assert (code, err) == (0, "")
    assert out.endswith("> \n")


@pytest.mark.parametrize("taken", ["2>&-", "2>/dev/full", "2>&1 >/dev/null | true; exit ${PIPESTATUS[0]}"])
def test_an_error_that_nobody_reads_keeps_its_exit_code(taken):
    assert in_shell(f'"$@" {taken}', "hand", "As") == (2, "", "")


@pytest.mark.parametrize("options", [["--verbose"], ["--time-limit", "0"]])
def test_notes_that_nobody_reads_end_in_silence(options):
    line = '{ (sleep 0.3; "$@" >/dev/null; echo "$?" >&3) 2>&1 | true; } 3>&1'
    assert in_shell(line, "solve", D1.text(), *GREEDY, *options) == (0, "0\n", "")


@pytest.mark.parametrize("code_page", ["cp1252", "ascii", "cp866", "cp1251", "cp437"])
def test_text_survives_an_old_code_page(code_page):
    # Report B74: what it cannot hold is written in letters and in English, never a traceback.
    for language in ("en", "ru"):
        options = ("--lang", language, "--notation", "symbols")
        run = quintet(*SCORE, *options, variables={"PYTHONIOENCODING": code_page}, encoding=code_page)
        assert (run.code, run.err) == (0, "")
        assert "?" not in run.out
        assert ("вничью" in run.out) == (language == "ru" and code_page in ("cp866", "cp1251"))
        assert "As Ah Ad Ac 8h" in run.out


def test_a_message_survives_an_old_code_page():
    run = quintet("hand", "Тэ", variables={"PYTHONIOENCODING": "cp1252"}, encoding="cp1252")
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith("quintet: card 1, ")


def test_bytes_that_are_no_text_are_refused_in_one_line():
    code, out, err = in_shell("\"$@\" $'/nowhere/\\xff\\xfe'", "verify")
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert err.startswith("quintet: /nowhere/")
