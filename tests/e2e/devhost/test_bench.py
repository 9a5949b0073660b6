from __future__ import annotations

import subprocess
import sys

import pytest

from .conftest import ROOT


def bench(*options: str, seconds: float) -> subprocess.CompletedProcess[str]:
    """Run a benchmark as `dev.py bench` does."""
    return subprocess.run(
        [sys.executable, "-m", "bench", *options],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )


def test_the_bench_of_the_host_runs_and_prints_its_table() -> None:
    done = bench("host", "--quick", seconds=120)
    sys.stdout.write(done.stdout)
    assert done.returncode == 0, done.stderr
    for row in (
        "devhost: over HTTP, state on disk",
        "durabletask: gRPC, in memory, in one process",
        "durabletask: gRPC, in memory, three processes",
        "waiting instances",
        "memory for each, KB: host",
        "CPU while idle, % of a core",
        "event to resume, ms: p95",
        "kill -9 to HTTP answers, s",
        "to instances that resume, s",
    ):
        assert row in done.stdout


def test_the_bench_of_the_start_runs_and_prints_its_table() -> None:
    done = bench("start", "--quick", seconds=120)
    assert done.returncode == 0, done.stderr
    loading, starting = (table.splitlines() for table in done.stdout.split("\n\n"))
    for [_, beside, ours], names in (
        (loading, ("a bare AgentFunctionApp()", "this app")),
        (starting, ("python -c pass", "dev.py start")),
    ):
        assert beside.startswith(names[0])
        assert ours.startswith(names[1])
        assert float(ours.split()[-1]) > 0


def test_the_bench_of_the_evidence_runs_and_prints_its_table() -> None:
    done = bench("evidence", "--model=strong", "--questions=2", seconds=120)
    # The exit code says whether the zero holds.
    assert not done.stderr
    figures = dict(line.rsplit(maxsplit=1) for line in done.stdout.splitlines() if line)
    assert figures["model"] == "strong"
    assert figures["answered, of the questions that the sources answer"]
    assert figures["unsupported lines shown without a mark"] == "0"


def test_the_bench_of_the_gate_runs_and_prints_its_ratios() -> None:
    done = bench("gate", "--quick", seconds=300)
    assert done.returncode == 0, done.stderr
    for row in (
        "asked for until it waits, one at a time, ms",
        "begun until they wait, 20 at once, a second",
        "decided until written, 20 at once, a second",
        "2 wait, 20 decisions a second: written p95, ms",
        "kill -9 until the next one is written, s",
    ):
        [ours, bare, *_, ratio] = (
            next(line for line in done.stdout.splitlines() if line.startswith(row))
            .removeprefix(row)
            .split()[:-1]
        )
        assert float(ratio) == pytest.approx(float(ours) / float(bare), abs=0.3)
