"""The people of one tenant who order things, and what they do at a host."""

from __future__ import annotations

from typing import Any

import httpx

from testbed.desk import Desk


class Buyers(Desk):
    """A desk at which orders are asked for instead of reports."""

    ROLES = ("Purchase.Requester", "Purchase.Approver", "Purchase.Escalation")

    def order(self, *prices: str, **body: Any) -> dict[str, Any]:
        """What asks for two of each thing, at these prices."""
        lines = [
            {"sku": f"S-{n}", "description": f"Thing {n}", "quantity": 2, "unit_price": price}
            for n, price in enumerate(prices or ("12.50",), start=1)
        ]
        usual = {"vendor": "Acme", "currency": "EUR", "reason": "We have none left."}
        return {**usual, "lines": lines, **body}

    def buy(self, *prices: str, **body: Any) -> str:
        """Ask for an order; returns the operation's id."""
        answer = self.post(self.order(*prices, **body))
        assert answer.status_code == 202, answer.text
        return answer.json()["operation_id"]

    def post(self, body: dict[str, Any], **headers: str) -> httpx.Response:
        """Send a request for an order."""
        return self.host.call("POST", "purchases", self.requester, json=body, headers=headers)

    def waiting(self, *prices: str, **body: Any) -> tuple[str, dict[str, Any]]:
        """Ask for an order; returns the operation's id and its first version, once it waits."""
        operation = self.buy(*prices, **body)
        return operation, self.until_version(operation)

    def shown(self, operation: str, version: int = 1, token: str | None = None) -> dict[str, Any]:
        """A version as an approver sees it."""
        path = f"operations/{operation}/proposals/{version}"
        answer = self.host.call("GET", path, token or self.reviewer)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def inbox(self, token: str, operation: str) -> list[dict[str, Any]]:
        """The rows about an operation among all that waits for somebody."""
        rows: list[dict[str, Any]] = []
        cursor = ""
        while True:
            page = self.host.call("GET", f"proposals?limit=100{cursor}", token).json()
            rows += page["proposals"]
            if page["cursor"] is None:
                return [row for row in rows if row["operation_id"] == operation]
            cursor = f"&cursor={page['cursor']}"

    def types(self, operation: str) -> list[str]:
        """The types of the operation's events, in order."""
        return [event["type"] for event in self.history(operation)]
