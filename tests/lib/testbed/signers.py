"""People at a host who sign their approvals with passkeys."""

from __future__ import annotations

from typing import Any

import httpx

from testbed.authenticator import Authenticator
from testbed.buyers import Buyers
from testbed.desk import Desk

CURRENCY = "CHF"
"""An order in it of more than 100 takes a passkey's signature at the buyers' host."""


class Signers:
    """What people do with passkeys at a desk."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self.host = desk, desk.host
        self.operator = desk.person("Olga", "Operator")

    def post(self, path: str, token: str, body: dict[str, Any]) -> httpx.Response:
        return self.host.call("POST", path, token, json=body)

    def add(self, device: Authenticator, token: str, **forged: Any) -> httpx.Response:
        """Add a passkey, as the page does."""
        options = self.host.call("GET", "passkeys/options", token)
        assert options.status_code == 200, options.text
        return self.post("passkeys", token, device.make(options.json(), **forged))

    def with_passkey(self, token: str) -> Authenticator:
        """An authenticator with a passkey that an operator has confirmed."""
        device = Authenticator()
        added = self.add(device, token).json()
        named = {"person": added["person"], "id": added["id"]}
        assert self.post("passkeys/confirm", self.operator, named).status_code == 200
        return device

    def remove_all(self) -> None:
        """Remove all passkeys of the approvers, as an operator."""
        for token in (self.desk.reviewer, self.desk.second):
            for each in self.host.call("GET", "passkeys", token).json()["passkeys"]:
                named = {"person": each["person"], "id": each["id"]}
                assert self.post("passkeys/remove", self.operator, named).status_code == 200

    def challenge(
        self, operation: str, token: str, version: int = 1, comment: str = ""
    ) -> httpx.Response:
        path = f"operations/{operation}/proposals/{version}/challenge"
        return self.post(path, token, {"comment": comment})

    def signature(self, device: Authenticator, operation: str, token: str) -> dict[str, Any]:
        """What somebody's passkey signs to approve the first version."""
        answer = self.challenge(operation, token)
        assert answer.status_code == 200, answer.text
        return device.sign(answer.json())


def order(buyers: Buyers, price: str, **body: Any) -> tuple[str, dict[str, Any]]:
    """Ask for two things at a price in francs; returns the operation and its first version."""
    return buyers.waiting(price, currency=CURRENCY, **body)
