import json

from solver.system.environment import timings
from solver.system.json_document import to_json


def test_timings_are_numbers_and_a_name():
    fields = json.loads(to_json(timings(1.23456789)))
    assert fields["seconds"] == 1.234568
    assert fields["peak_memory_mib"] > 10
    assert isinstance(fields["cpu"], str)
