"""What every demo plays on: a host that can be killed, people who call it, and a narrator."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from countersign.settings import SAMPLE_LIBRARY
from devhost.process import HostProcess, free_port
from local import settings

UNFINISHED = ("running", "awaiting_approval")
PATIENCE = 60.0


_SECONDS = 30.0
# The host behind the port may be killed and started again between two calls.
_NONE_KEPT = httpx.Limits(max_keepalive_connections=0)


class DemoFailed(Exception):
    """Something did not go as promised."""


@contextmanager
def running_host(data: Path, given: Mapping[str, str] | None = None) -> Iterator[HostProcess]:
    """Run the app with the sample library and no model to pay for, and kill it in the end.

    Args:
        data: The folder of all it keeps, and of its log.
        given: More settings of the app.
    """
    own = {
        "COUNTERSIGN_LIBRARY": str(SAMPLE_LIBRARY),
        "COUNTERSIGN_MODEL_PROVIDER": "extractive",
    }
    with running_app(data, {**(given or {}), **own}) as host:
        yield host


@contextmanager
def running_app(data: Path, given: Mapping[str, str]) -> Iterator[HostProcess]:
    """Run the app with these settings and none that happen to be set here, and kill it in the end.

    Args:
        data: The folder of all it keeps, and of its log.
        given: Settings of the app.
    """
    port = free_port()
    foreign = {name: os.environ[name] for name in os.environ if not name.startswith("COUNTERSIGN_")}
    environment = settings.complete({**foreign, **given}, port=port, data=data)
    with (data / "host.log").open("a") as output:
        host = HostProcess(
            app=settings.APP,
            data=data,
            port=port,
            environment=environment,
            output=output,
            options=["--no-local-settings"],
        )
        host.start()
        try:
            yield host
        finally:
            host.kill()


def caller(port: int, token: str | None = None) -> httpx.Client:
    """Return a client of an API on this machine; an answer other than 2xx raises HTTPStatusError.

    Args:
        port: The loopback port that the API listens on.
        token: A person's bearer token; None where nobody asks for one.
    """
    return httpx.Client(
        base_url=f"http://127.0.0.1:{port}",
        headers={"Authorization": f"Bearer {token}"} if token else {},
        timeout=_SECONDS,
        # A proxy set for the internet cannot reach this machine's loopback address.
        trust_env=False,
        limits=_NONE_KEPT,
        event_hooks={"response": [_raise_if_refused]},
    )


def _raise_if_refused(answer: httpx.Response) -> None:
    if not answer.is_success:
        said, request = answer.read().decode(errors="replace")[:500], answer.request
        what = f"{request.method} {request.url.path} was answered with {answer.status_code}: {said}"
        raise httpx.HTTPStatusError(what, request=request, response=answer)


def wait_for(
    person: httpx.Client, operation: str, state: str, *, version: int = 1
) -> dict[str, Any]:
    """Return the operation once it is in that state, and show each step of the way.

    Args:
        person: Who looks.
        operation: The operation's path.
        state: What is waited for.
        version: The version of its proposal that is waited for, or a later one.

    Raises:
        DemoFailed: It ended in another state, or did not get there in time.
    """
    deadline, shown = time.monotonic() + PATIENCE, ""
    while time.monotonic() < deadline:
        current = person.get(operation).json()
        step = _step(current)
        if step != shown:
            print(f"  {step}")
            shown = step
        if current["state"] == state and current["proposal"]["version"] >= version:
            return current
        if current["state"] not in (*UNFINISHED, state):
            raise DemoFailed(f"the operation ended as {current['state']}: {current['outcome']}")
        time.sleep(0.1)
    raise DemoFailed(f"the operation was not {state} within {PATIENCE:.0f} seconds")


def _step(operation: Mapping[str, Any]) -> str:
    if operation["kind"] == "purchase":
        return operation["stage"]
    return "{stage}, {progress[done]} of {progress[total]} subtopics".format_map(operation)


def decide(
    person: httpx.Client, operation: str, proposal: Mapping[str, Any], decision: str, **more: Any
) -> dict[str, Any]:
    """Decide about exactly this version and digest, and return the answer.

    Raises:
        DemoFailed: Another decision stands.
    """
    path = f"{operation}/proposals/{proposal['version']}/decision"
    body = {"decision": decision, "digest": proposal["digest"], **more}
    answer = person.post(path, json=body).json()
    if answer["receipt"]["decision"] != decision:
        raise DemoFailed(f"another decision was recorded: {answer['receipt']}")
    return answer


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


def restart(host: HostProcess) -> None:
    """Kill the host and start it again."""
    print("\nThe host is killed (SIGKILL) and restarted.")
    host.kill()
    host.start()


def show(heading: str, facts: Mapping[str, Any]) -> None:
    """Print facts under a heading, one a line, without those that hold nothing or further facts."""
    print(f"\n{heading}")
    for name, value in facts.items():
        if value not in (None, "", False) and not isinstance(value, Mapping):
            print(f"  {name:<14}{value}")


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
    print("  The ledger is intact.")
