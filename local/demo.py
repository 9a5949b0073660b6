"""Carry an approval through a killed host, before the developer's eyes.

A report is researched and waits for a person. Then the host is killed without warning and started
again; the same proposal still waits, a reviewer approves it, and it is published.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from countersign.settings import SAMPLE_LIBRARY
from devhost.process import HostFailed, HostProcess, free_port
from local import settings
from local.api import Api, CallFailed

REQUEST = {
    "topic": "How a durable workflow survives a crash",
    "subtopics": ["Replay and determinism", "Retries and idempotency", "Waiting for a person"],
}
UNFINISHED = ("running", "awaiting_approval")
PATIENCE = 60.0


class DemoFailed(Exception):
    """Something did not go as promised."""


def main() -> int:
    """Play the demo and return 0 only if everything in it happened."""
    for name in {"SIGTERM", "SIGHUP"} & set(dir(signal)):
        signal.signal(getattr(signal, name), signal.default_int_handler)
    data = Path(tempfile.mkdtemp(prefix="countersign-demo-"))
    log = data / "host.log"
    try:
        with running_host(data, log) as host:
            play(host, data)
    except KeyboardInterrupt:
        return 130
    except (DemoFailed, HostFailed, CallFailed) as error:
        print(f"\nThe demo failed: {error}\nThe host's log is {log}", file=sys.stderr)
        return 1
    print(f"\nAll of it is kept in {data}")
    return 0


@contextmanager
def running_host(data: Path, log: Path) -> Iterator[HostProcess]:
    """Run the app with the sample library and no model to pay for, and kill it in the end."""
    port = free_port()
    foreign = {name: os.environ[name] for name in os.environ if not name.startswith("COUNTERSIGN_")}
    environment = settings.complete(foreign, port=port, data=data)
    environment["COUNTERSIGN_LIBRARY"] = str(SAMPLE_LIBRARY)
    environment["COUNTERSIGN_MODEL_PROVIDER"] = "extractive"
    with log.open("a") as output:
        host = HostProcess(
            app=settings.APP, data=data, port=port, environment=environment, output=output
        )
        host.start()
        try:
            yield host
        finally:
            host.kill()


def play(host: HostProcess, data: Path) -> None:
    """Tell the story once, from the request to the receipt.

    Raises:
        DemoFailed: It went another way.
    """
    print(f"Ada asks for a report: {REQUEST['topic']}")
    ada = Api(host.port, token(data, "Ada", "Research.Requester"))
    grace = Api(host.port, token(data, "Grace", "Report.Reviewer"))
    started = ada.post("/api/research", REQUEST, {"Idempotency-Key": "demo"})
    operation = f"/api/operations/{started['operation_id']}"
    before = wait_for(ada, operation, "awaiting_approval")["proposal"]
    show("A proposal waits for a person:", before)

    print("\nThe host is killed without warning (SIGKILL) and started again.")
    host.kill()
    host.start()
    after = ada.get(operation)["proposal"]
    if after != before:
        raise DemoFailed(f"after the crash another proposal waits: {after}")
    print("The same version, digest and deadline still wait.")

    approve(grace, operation, before)
    published = wait_for(ada, operation, "published")
    show("The report is published, with this receipt:", published["receipt"])
    show_report(ada, operation, data / "reports" / published["receipt"]["location"])
    show_history(ada.get(f"{operation}/history"))


def wait_for(person: Api, operation: str, state: str) -> dict[str, Any]:
    """Return the operation once it is in that state, and show each step of the way.

    Raises:
        DemoFailed: It ended in another state, or did not get there in time.
    """
    deadline, shown = time.monotonic() + PATIENCE, ""
    while time.monotonic() < deadline:
        current = person.get(operation)
        step = "  {stage}, {progress[done]} of {progress[total]} subtopics".format_map(current)
        if step != shown:
            print(step)
            shown = step
        if current["state"] == state:
            return current
        if current["state"] not in UNFINISHED:
            raise DemoFailed(f"the operation ended as {current['state']}: {current['outcome']}")
        time.sleep(0.1)
    raise DemoFailed(f"the operation was not {state} within {PATIENCE:.0f} seconds")


def approve(reviewer: Api, operation: str, proposal: Mapping[str, Any]) -> None:
    """Approve exactly this version and digest.

    Raises:
        DemoFailed: Another decision stands.
    """
    print("\nGrace reads it and approves it.")
    path = f"{operation}/proposals/{proposal['version']}/decision"
    answer = reviewer.post(path, {"decision": "approve", "digest": proposal["digest"]})
    if answer["receipt"]["decision"] != "approve":
        raise DemoFailed(f"another decision was recorded: {answer['receipt']}")


def token(data: Path, name: str, role: str) -> str:
    """Return a token of the host whose data folder this is.

    Raises:
        DemoFailed: The host's token command failed.
    """
    command = [sys.executable, "-m", "devhost", "token", "--data", str(data)]
    command += ["--as", name, "--role", role]
    answer = subprocess.run(command, cwd=settings.APP, capture_output=True, text=True, check=False)
    if answer.returncode:
        raise DemoFailed(f"no token for {name}: {answer.stderr.strip()}")
    return answer.stdout.strip()


def show(heading: str, facts: Mapping[str, Any]) -> None:
    """Print facts under a heading, one a line."""
    print(f"\n{heading}")
    for name, value in facts.items():
        print(f"  {name:<14}{value}")


def show_report(person: Api, operation: str, file: Path) -> None:
    """Print how the report begins and where it is.

    Raises:
        DemoFailed: It is not at its destination.
    """
    report = person.text(f"{operation}/report")
    if not file.is_file():
        raise DemoFailed(f"there is no report at {file}")
    print(f"\nIt begins like this ({file}):\n")
    for line in report.splitlines()[:8]:
        print(f"    {line}")


def show_history(history: Mapping[str, Any]) -> None:
    """Print who did what when.

    Raises:
        DemoFailed: The chain of events does not hold.
    """
    print("\nIts history:")
    for event in history["events"]:
        step = event["data"].get("step", "")
        print(f"  {event['at'][11:23]}  {event['type']:<19}{event['actor']['name']:<13}{step}")
    if history["chain"] != "intact":
        raise DemoFailed(f"the chain of events is broken: {history['chain']}")
    print("  The chain of events is intact.")


if __name__ == "__main__":
    sys.exit(main())
