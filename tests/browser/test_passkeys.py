"""People add passkeys, have them confirmed, and approve with them: Chromium's own authenticator."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from testbed.buyers import Buyers
from testbed.signers import Signers, order

DEVICE = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


class Device:
    """The authenticator of a tab."""

    def __init__(self, page: Page) -> None:
        self._session = page.context.new_cdp_session(page)
        self._session.send("WebAuthn.enable")
        made = self._session.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})
        self._id = made["authenticatorId"]

    def verifies(self, verified: bool) -> None:
        """Whether it recognises its user from now on."""
        self._session.send(
            "WebAuthn.setUserVerified",
            {"authenticatorId": self._id, "isUserVerified": verified},
        )


@pytest.fixture
def signers(buyers: Buyers) -> Iterator[Signers]:
    people = Signers(buyers)
    people.remove_all()
    yield people
    people.remove_all()


@pytest.fixture
def at_localhost(arrive: Callable[..., Any], buyers: Buyers) -> Callable[..., Any]:
    """Makes people whose browsers know the host by a name: passkeys have no numbers."""

    def make(name: str, roles: str, **more: Any) -> Any:
        url = buyers.host.url.replace("127.0.0.1", "localhost")
        visitor = arrive(name, roles, host=SimpleNamespace(url=url), **more)
        visitor.sign_in()
        return visitor

    return make


def add(page: Page, label: str) -> None:
    page.get_by_label("A name for it").fill(label)
    page.get_by_role("button", name="Add a passkey").click()


def confirm(page: Page, label: str) -> None:
    theirs = page.get_by_role("listitem").filter(has_text=label)
    expect(theirs).to_contain_text("Added by Victor")
    theirs.get_by_role("button", name="The fingerprint matches").click()
    expect(page.locator(".passkeys .notice-say")).to_have_text("The passkey is confirmed.")


def test_a_passkey_is_added_confirmed_and_signs_before_the_seconds_of_undo(
    at_localhost: Callable[..., Any], buyers: Buyers, signers: Signers
) -> None:
    victor = at_localhost("Victor", "Purchase.Approver", undo_seconds=3_600)
    page = victor.open(passkeys="")
    device = Device(page)
    add(page, "Work laptop")
    mine = page.get_by_role("listitem").filter(has_text="Work laptop")
    expect(mine).to_contain_text("waits for an operator to confirm it")
    # A second one of the same device is none.
    add(page, "Again")
    expect(page.get_by_role("alert")).to_contain_text("already added a passkey from this device")

    operation, _ = order(buyers, "60.00")
    review = victor.on(page)
    page.goto(f"{victor.url}/api/review?operation={operation}&version=1")
    review.begin("Approve")
    expect(page.get_by_text("Your device will ask you to sign")).to_be_visible()
    review.send_with("Sign and approve").click()
    expect(review.alert).to_contain_text("waits for an operator to confirm it")

    operators = at_localhost("Olga", "Operator").open(passkeys="")
    confirm(operators, "Work laptop")

    device.verifies(False)
    review.send_with("Sign and approve").click()
    expect(review.alert).to_contain_text("Nothing was signed")
    device.verifies(True)
    review.send_with("Sign and approve").click()
    held = page.get_by_role("region", name="About to be sent").locator(".held")
    held.get_by_role("button", name="Send now").click()
    expect(review.receipt).to_contain_text("Victor approved version 1.")
    buyers.until_state(operation, "ordered")

    theirs = operators.get_by_role("region", name="Confirmed passkeys of others")
    theirs.get_by_role("button", name="Remove Work laptop").click()
    page.goto(f"{victor.url}/api/review?passkeys=")
    expect(mine).to_contain_text("removed by Olga")


def test_why_nothing_was_signed_is_said_where_it_was_to_be(
    at_localhost: Callable[..., Any], visit: Any, buyers: Buyers, signers: Signers
) -> None:
    operation, _ = order(buyers, "60.00")
    victor = at_localhost("Victor", "Purchase.Approver")
    review = victor.review(operation)
    review.approve()
    expect(review.alert).to_contain_text("You have no passkey.")
    signers.with_passkey(buyers.reviewer)
    # It is on another device than this one.
    Device(review.page)
    review.send_with("Sign and approve").click()
    expect(review.alert).to_contain_text("your passkey is not on this device")
    # By its number the host is another place, where no passkey works.
    elsewhere = visit("Victor", "Purchase.Approver", host=buyers.host).review(operation)
    elsewhere.approve()
    expect(elsewhere.alert).to_contain_text(f"Passkeys work only at {victor.url}.")
    assert buyers.operation(operation)["state"] == "awaiting_approval"
