"""The deals of the big job, and the arithmetic that sizes it."""

import json
from dataclasses import replace

import pytest

from benchmarks.big_job import DEALS, Sample, report
from benchmarks.deals.canonical import canonical_deals


def test_every_canonical_deal_comes_once():
    deals = list(canonical_deals())
    assert len(deals) == len(set(deals)) == DEALS == 156_248
    assert all(deal == deal.canonical() for deal in deals[::100])


def test_a_sample_is_scaled_to_all_deals(tmp_path):
    path = tmp_path / "records.jsonl"
    records = [
        {
            "schema": "quintet.equilibrium/1",
            "objective": "win",
            "status": "time limit" if seconds == 7.0 else "converged",
            "timings": {"seconds": seconds, "peak_memory_mib": 100 * seconds},
        }
        for seconds in (7.0, 1.0, 2.0, 2.0)
    ]
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    sample = Sample.of(path)
    assert (sample.name, sample.seconds, sample.unsolved) == ("equilibrium, win", (1.0, 2.0, 2.0, 7.0), 1)
    assert (sample.percentile(0.5), sample.percentile(0.99), sample.mean) == (2.0, 7.0, 3.0)
    assert sample.record_bytes == path.stat().st_size / 4
    assert sample.memory_mib == 700
    assert sample.hours(8) == pytest.approx(156_248 * 3 / 8 / 3600)
    assert "| 8 | 16.3 h | 16.3 h | 5.5 GiB |" in report([sample])
    assert "| 128 | 20 min | 20 min |" in report([replace(sample, seconds=(1.0,))])
