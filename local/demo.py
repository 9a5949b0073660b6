"""Watch the app keep its promises.

The first demo carries an approval through a killed host: a team researches a report, which waits
for a decision. Then the host is killed and restarted; the same proposal is still pending, a
reviewer approves it, and it is published.
"""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import httpx

from devhost.process import HostFailed
from local import demo_purchase
from local.stage import (
    DemoFailed,
    caller,
    decide,
    restart,
    running_host,
    show,
    show_history,
    token,
    wait_for,
)

REQUEST = {
    "topic": "How a durable workflow survives a crash",
    "subtopics": ["Replay and determinism", "Retries and idempotency", "Waiting for a person"],
}


def main(argv: Sequence[str]) -> int:
    """Play a demo and return 0 only if everything in it happened."""
    play_it = demo_purchase.play if _arguments(argv).purchase else play
    for name in {"SIGTERM", "SIGHUP"} & set(dir(signal)):
        signal.signal(getattr(signal, name), signal.default_int_handler)
    data = Path(tempfile.mkdtemp(prefix="countersign-demo-"))
    try:
        play_it(data)
    except KeyboardInterrupt:
        return 130
    except (DemoFailed, HostFailed, httpx.HTTPError) as error:
        print(f"\nThe demo failed: {error}\nThe logs are in {data}", file=sys.stderr)
        return 1
    print(f"\nEverything is kept in {data}")
    return 0


def play(data: Path) -> None:
    """Tell the story of a report once, from the request to the receipt.

    Raises:
        DemoFailed: It went another way.
    """
    with running_host(data) as host:
        print(f"Ada requests a report: {REQUEST['topic']}")
        ada = caller(host.port, token(data, "Ada", "Research.Requester"))
        grace = caller(host.port, token(data, "Grace", "Report.Reviewer"))
        started = ada.post(
            "/api/research", json=REQUEST, headers={"Idempotency-Key": "demo"}
        ).json()
        operation = f"/api/operations/{started['operation_id']}"
        before = wait_for(ada, operation, "awaiting_approval")["proposal"]
        show("The proposal is pending:", before)

        restart(host)
        after = ada.get(operation).json()["proposal"]
        if after != before:
            raise DemoFailed(f"after the crash, the proposal has changed: {after}")
        print("The same version is pending, with the same digest and deadline.")

        print("\nGrace reads and approves it.")
        decide(grace, operation, before, "approve")
        published = wait_for(ada, operation, "published")
        show("The report is published. Its receipt:", published["receipt"])
        show_report(ada, operation, data / "reports" / published["receipt"]["location"])
        show_history(ada.get(f"{operation}/history").json())


def show_report(person: httpx.Client, operation: str, file: Path) -> None:
    """Print how the report begins and where it is.

    Raises:
        DemoFailed: It is not at its destination.
    """
    report = person.get(f"{operation}/report").text
    if not file.is_file():
        raise DemoFailed(f"there is no report at {file}")
    print(f"\nIts first lines ({file}):\n")
    for line in report.splitlines()[:8]:
        print(f"    {line}")


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="dev.py demo", description=__doc__)
    parser.add_argument(
        "--purchase",
        action="store_true",
        help="show an order instead: it is corrected, needs two approvers, and is placed once"
        " although the answer is lost",
    )
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
