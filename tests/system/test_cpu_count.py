"""The number of processors, read from control group files as they are found in the wild."""

import os

import pytest

from solver.system.cpu_count import available_cpus

VERSION_2 = "0::/user.slice/app\n"
VERSION_1 = "4:memory:/docker/abc\n3:cpuset:/docker/abc\n2:cpu,cpuacct:/docker/abc\n1:name=systemd:/docker/abc\n"


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """A machine of eight processors; returns a function that writes its files and counts."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(8)), raising=False)

    def count(cgroup, files):
        for name, content in {"proc/self/cgroup": cgroup, **files}.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
        return available_cpus(tmp_path)

    return count


def cfs(folder, quota, period=100000):
    return {f"{folder}/cpu.cfs_quota_us": f"{quota}\n", f"{folder}/cpu.cfs_period_us": f"{period}\n"}


@pytest.mark.parametrize(
    ("cgroup", "files", "cpus"),
    [
        ("", {}, 8),
        (VERSION_2, {}, 8),
        (VERSION_2, {"sys/fs/cgroup/user.slice/app/cpu.max": "max 100000\n"}, 8),
        (VERSION_2, {"sys/fs/cgroup/user.slice/app/cpu.max": "300000 100000\n"}, 3),
        (VERSION_2, {"sys/fs/cgroup/user.slice/app/cpu.max": "150000 100000\n"}, 2),
        (VERSION_2, {"sys/fs/cgroup/user.slice/app/cpu.max": "1000 100000\n"}, 1),
        (VERSION_2, {"sys/fs/cgroup/user.slice/app/cpu.max": "1600000 100000\n"}, 8),
        # The group around it is the tighter one.
        (
            VERSION_2,
            {
                "sys/fs/cgroup/user.slice/app/cpu.max": "600000 100000\n",
                "sys/fs/cgroup/user.slice/cpu.max": "200000 100000\n",
            },
            2,
        ),
        # Inside a container with a namespace of its own.
        ("0::/\n", {"sys/fs/cgroup/cpu.max": "50000 25000\n"}, 2),
        # Inside one without: the path is that of the host and leads nowhere.
        ("0::/kubepods/pod1\n", {"sys/fs/cgroup/cpu.max": "400000 100000\n"}, 4),
        # A group that is named from outside the namespace.
        ("0::/../other\n", {"sys/fs/cgroup/cpu.max": "400000 100000\n"}, 4),
        (VERSION_1, cfs("sys/fs/cgroup/cpu,cpuacct/docker/abc", 250000), 3),
        (VERSION_1, cfs("sys/fs/cgroup/cpu/docker/abc", 250000), 3),
        (VERSION_1, cfs("sys/fs/cgroup/cpu,cpuacct", 200000), 2),
        (VERSION_1, cfs("sys/fs/cgroup/cpu,cpuacct/docker/abc", -1), 8),
        # The quota of another controller's folder is none of ours.
        (VERSION_1, cfs("sys/fs/cgroup/memory/docker/abc", 100000), 8),
        # Version 1 for the processors, version 2 mounted beside it.
        ("1:cpu:/\n0::/\n", {**cfs("sys/fs/cgroup/cpu", 500000), "sys/fs/cgroup/unified/cpu.max": "max 100000\n"}, 5),
        (VERSION_2, {"sys/fs/cgroup/user.slice/app/cpu.max": "nonsense\n"}, 8),
        (VERSION_2, {"sys/fs/cgroup/user.slice/app/cpu.max": "100000 0\n"}, 8),
    ],
)
def test_the_tightest_limit_counts(machine, cgroup, files, cpus):
    assert machine(cgroup, files) == cpus


def test_affinity_counts_where_it_is_tighter(machine, monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {3, 5})
    assert machine(VERSION_2, {"sys/fs/cgroup/user.slice/app/cpu.max": "400000 100000\n"}) == 2


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="needs settable affinity")
def test_real_affinity_is_respected():
    allowed = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(allowed)})
        assert available_cpus() == 1
    finally:
        os.sched_setaffinity(0, allowed)
