"""The questions of a batch, asked in this process: what a worker answers."""

import pytest

from solver.errors import LimitReached
from solver.results.tasks import EquilibriumTask, SolveTask
from solver.system.json_document import to_json
from tests.support.command import strict_json
from tests.support.d1 import D1
from tests.support.in_process import answer_here


def test_a_task_answers_as_its_command_does():
    solution = SolveTask(specs=("greedy",), objective="win", top=2, seed=3).document_of(D1)
    arguments = ("--opponent", "greedy", "--objective", "win", "--top", "2", "--seed", "3")
    assert strict_json(to_json(solution)) == answer_here("solve", D1.text(), *arguments)
    mix = EquilibriumTask(objective="win", tolerance=1.0, seed=4).document_of(D1)
    arguments = ("--objective", "win", "--tolerance", "1", "--seed", "4")
    assert strict_json(to_json(mix)) == answer_here("equilibrium", D1.text(), *arguments)


def test_an_opponent_that_is_not_ready_gives_the_greedy_arrangement():
    document = SolveTask(specs=("quantal:1",), time_limit=0.0).document_of(D1)
    assert document["status"] == "feasible"
    assert document["value"] is None


def test_engines_that_do_not_agree_in_time_give_no_record():
    with pytest.raises(LimitReached, match="did not both prove the value"):
        SolveTask(specs=("greedy",), engine="both", time_limit=0.0).document_of(D1)
