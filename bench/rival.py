"""The same chain on durabletask's in-memory backend, used as its documentation shows.

`python -m bench.rival together` has the backend, the worker and the client in one process, like
the example of `create_test_backend`. `apart` gives each a process of its own, as the local host
has. Either one answers a line `COUNT CONCURRENCY` with the seconds that so many chains took.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from typing import IO, Any, cast

from durabletask.client import OrchestrationStatus, TaskHubGrpcClient
from durabletask.task import ActivityContext, OrchestrationContext
from durabletask.testing import create_test_backend
from durabletask.worker import TaskHubGrpcWorker

from devhost.process import free_port

_LONGEST_CHAIN = 60

# It writes a line for each step to the terminal, which nobody would leave on in a measurement.
_SILENT = logging.Logger("rival", logging.CRITICAL)


def chain(context: OrchestrationContext, _: Any) -> Generator[Any, Any, list[str]]:
    """Greet three cities, one after the other."""
    greetings = []
    for city in ("Tokyo", "London", "Seattle"):
        greetings.append((yield context.call_activity(greet, input=city)))
    return greetings


def greet(_: ActivityContext, city: str) -> str:
    """Greet one city."""
    return f"Hello {city}!"


def _backend(port: int) -> Any:
    logging.disable(logging.INFO)
    return create_test_backend(port=port)


def _worker(port: int) -> Any:
    worker = TaskHubGrpcWorker(host_address=f"localhost:{port}", logger=_SILENT)
    worker.add_orchestrator(chain)
    worker.add_activity(greet)
    worker.start()
    return worker


def _drive(port: int) -> None:
    client = TaskHubGrpcClient(host_address=f"localhost:{port}", logger=_SILENT)

    def one(_: int) -> None:
        instance = client.schedule_new_orchestration(chain)
        state = client.wait_for_orchestration_completion(instance, timeout=_LONGEST_CHAIN)
        if state is None or state.runtime_status != OrchestrationStatus.COMPLETED:
            raise RuntimeError(f"a chain of durabletask ended as {state}")

    for line in sys.stdin:
        count, concurrency = map(int, line.split())
        with ThreadPoolExecutor(concurrency) as threads:
            began = time.perf_counter()
            list(threads.map(one, range(count)))
            print(time.perf_counter() - began, flush=True)


def _together() -> None:
    port = free_port()
    running = _backend(port), _worker(port)
    _drive(port)
    del running


def _apart() -> None:
    port = free_port()
    with ExitStack() as stack:
        for part in ("backend", "worker"):
            command = [sys.executable, "-m", "bench.rival", part, str(port)]
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            stack.callback(process.wait)
            stack.callback(process.kill)
            # Its line says that it is up: the worker must find a backend that listens.
            cast("IO[bytes]", process.stdout).readline()
        _drive(port)


def _part(start: Callable[[int], Any], port: str) -> None:
    running = start(int(port))
    print("up", flush=True)
    # The end of the bench, however it comes, closes the standard input.
    sys.stdin.read()
    del running


if __name__ == "__main__":
    {
        "together": _together,
        "apart": _apart,
        "backend": partial(_part, _backend),
        "worker": partial(_part, _worker),
    }[sys.argv[1]](*sys.argv[2:])
    # The threads of gRPC would keep any other way of ending waiting.
    os._exit(0)
