"""Carry an order through a lost answer and a killed host: it is placed once.

A reviewer corrects the order to more than was asked for, which takes a second person. The
purchasing service accepts it and drops the connection; then the host is killed, too. What is
started again asks the service by the operation's id and takes the receipt that it has.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from devhost.process import free_port
from local.purchasing import PurchasingProcess
from local.settings import APP
from local.stage import (
    PATIENCE,
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
    "vendor": "Nordwind Office GmbH",
    "destination": "Goods in, Hafenstraße 12, Hamburg",
    "currency": "EUR",
    "lines": [
        {"sku": "DESK-160", "description": "Desk", "quantity": 4, "unit_price": "289.50"},
        {"sku": "LAMP-2", "description": "Desk lamp", "quantity": 4, "unit_price": "39.90"},
    ],
    "reason": "Four people join the team in March.",
}
CORRECTION = {"lines": [{"sku": "DESK-160", "quantity": 5}, {"sku": "LAMP-2", "quantity": 5}]}
WHY = "There are five of them."


def play(data: Path) -> None:
    """Tell the story of an order once, from the request to the receipt.

    Raises:
        DemoFailed: It went another way.
    """
    with running_service(data) as service, running_host(data, settings_for(service)) as host:
        ada = caller(host.port, token(data, "Ada", "Purchase.Requester"))
        grace = caller(host.port, token(data, "Grace", "Purchase.Approver"))
        katherine = caller(host.port, token(data, "Katherine", "Purchase.Approver"))
        books = caller(service.port)

        operation = ask(ada)
        corrected = correct(ada, grace, operation)
        approve_own_correction(grace, operation, corrected)
        decision = approve_and_lose_the_answer(katherine, books, operation, corrected)
        expect_no_receipt(ada, operation)
        restart(host)
        ordered = wait_for(ada, operation, "ordered")

        show("Katherine's decision:", decision)
        show("The receipt, recorded after the app asked again:", ordered["receipt"])
        expect_one_order(books, ordered)
        show_history(ada.get(f"{operation}/history").json())
        proof = data / "proof.json"
        proof.write_bytes(ada.get(f"{operation}/proof").content)
        key = ada.get("/api/proof-key").json()["public_key"]
    check(proof, key)


@contextmanager
def running_service(data: Path) -> Iterator[PurchasingProcess]:
    """Run the sample of a purchasing system, and kill it in the end."""
    with (data / "purchasing.log").open("a") as output:
        service = PurchasingProcess(data=data / "purchasing", port=free_port(), output=output)
        service.start()
        try:
            yield service
        finally:
            service.kill()


def settings_for(service: PurchasingProcess) -> dict[str, str]:
    """Return the settings that this story is about, whatever a file of settings says."""
    return {
        "COUNTERSIGN_PURCHASING_URL": service.url,
        "COUNTERSIGN_PURCHASING_TOKEN": "",
        "COUNTERSIGN_PURCHASING_GUARDS": "key lookup",
        "COUNTERSIGN_PURCHASE_LIMITS": "EUR 1000 50000",
    }


def ask(ada: httpx.Client) -> str:
    """Ask for the order, and return its operation's path once it waits for people."""
    print(f"Ada requests an order from {REQUEST['vendor']}: {REQUEST['reason']}")
    started = ada.post("/api/purchases", json=REQUEST, headers={"Idempotency-Key": "demo"}).json()
    operation = f"/api/operations/{started['operation_id']}"
    proposal = wait_for(ada, operation, "awaiting_approval")["proposal"]
    show("Version 1 is pending. Above 1,000 EUR it needs two approvers:", proposal)
    return operation


def correct(ada: httpx.Client, grace: httpx.Client, operation: str) -> dict[str, Any]:
    """Have a reviewer change quantities, and return the version that this makes.

    Raises:
        DemoFailed: It is not a new version that goes beyond the first.
    """
    print(f"\nGrace corrects it: {WHY}")
    first = grace.get(f"{operation}/proposals/1").json()
    answer = decide(grace, operation, first, "revise", comment=WHY, correction=CORRECTION)
    wait_for(ada, operation, "awaiting_approval", version=2)
    second = grace.get(f"{operation}/proposals/2?since=1").json()
    widened = second["changes"]["widened"]
    if not widened or second["digest"] == first["digest"]:
        raise DemoFailed(f"the correction did not make a larger version: {second['changes']}")
    print(f"Version 2 has its own digest, gate and deadline: {second['digest']}")
    print(f"Its total is {second['amount']} instead of {first['amount']}. These values increased:")
    print(f"  {', '.join(widened)}")
    print(f"The answer to Grace: {answer['correction']['rule']}")
    return second


def approve_own_correction(
    grace: httpx.Client, operation: str, proposal: Mapping[str, Any]
) -> None:
    """Show that whoever corrected an order can't be the only one to approve it.

    Raises:
        DemoFailed: Her approval was enough.
    """
    print("\nGrace approves her own correction. The approval is recorded but not sufficient:")
    answer = decide(grace, operation, proposal, "approve")
    print(f"  {answer['status']}: {answer['approvals']['missing']}")
    if answer["status"] != "pending" or answer["approvals"]["missing_role"] is None:
        raise DemoFailed("the order was approved by its corrector alone")


def approve_and_lose_the_answer(
    katherine: httpx.Client, books: httpx.Client, operation: str, proposal: Mapping[str, Any]
) -> dict[str, Any]:
    """Approve as a second person, and return her decision once the service took the order.

    Raises:
        DemoFailed: The order did not reach the service.
    """
    books.post("/faults", json={"faults": ["drop"]})
    print("\nKatherine approves the same version, as the second person.")
    receipt = decide(katherine, operation, proposal, "approve")["receipt"]
    deadline = time.monotonic() + PATIENCE
    while not (orders := books.get("/orders").json()["orders"]):
        if time.monotonic() > deadline:
            raise DemoFailed("the order did not reach the purchasing service")
        time.sleep(0.05)
    number = orders[0]["order_number"]
    print(
        f"The purchasing system records it as {number} and drops the connection without an answer."
    )
    return receipt


def expect_no_receipt(ada: httpx.Client, operation: str) -> None:
    """Make sure that nobody but the service knows of the order.

    Raises:
        DemoFailed: Its answer was not lost.
    """
    if receipt := ada.get(operation).json()["receipt"]:
        raise DemoFailed(f"the answer arrived after all: {receipt}")


def expect_one_order(books: httpx.Client, ordered: Mapping[str, Any]) -> None:
    """Print what the service has in its books.

    Raises:
        DemoFailed: It is not exactly the order that the receipt tells of.
    """
    orders = books.get("/orders").json()["orders"]
    print("\nThe orders in the purchasing system:")
    for order in orders:
        print("  {order_number}  {order[total]} {order[currency]}  {reference}".format_map(order))
    receipt = ordered["receipt"]
    if [order["order_number"] for order in orders] != [receipt["order_number"]]:
        raise DemoFailed("the orders differ from the one in the receipt")
    if orders[0]["order"]["total"] != receipt["total"]:
        raise DemoFailed("the amount differs from the approved one")
    print("  Exactly one order, as approved.")


def check(proof: Path, key: str) -> None:
    """Check the proof of all this by itself: nothing else runs any more.

    Args:
        proof: The file.
        key: The public key that it has to be signed with.

    Raises:
        DemoFailed: It proves nothing.
    """
    arguments = [str(proof), "--key", key]
    python = "py" if os.name == "nt" else "python3"
    print("\nThe host and the purchasing system have stopped. The proof can still be verified:")
    print(f"  {python} dev.py verify {shlex.join(arguments)}", flush=True)
    if subprocess.call([sys.executable, "-m", "countersign.proof.verify", *arguments], cwd=APP):
        raise DemoFailed("the proof does not hold")
