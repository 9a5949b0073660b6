"""What a newcomer needs to go on once the app runs: links, a token and a first request."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path

from local import settings
from local.setup.failure import DEV

ORDER = (
    '{"vendor": "Nordwind Office GmbH", "currency": "EUR", "reason": "The old ones are worn out.",'
    ' "lines": [{"sku": "CHAIR-2", "description": "Chair", "quantity": 2, "unit_price": "249.00"}]}'
)


def welcome(*, url: str, signin: str, data: Path, told: str, links: Mapping[str, str]) -> str:
    """Return the text.

    Args:
        url: Where the app answers.
        signin: Where one signs in.
        data: The folder of the sign-in's key.
        told: What runs the app, and where things are kept.
        links: More addresses, each under its name.
    """
    token = f"{DEV} token --as Ada --role Research.Requester"
    if data != settings.DATA:
        token += f" --data {shlex.quote(str(data))}"
    shown = {
        "the page": f"{url}/api/review",
        **links,
        "health": f"{url}/api/health",
        "description": f"{url}/api/openapi.json",
        "sign in": f"{signin}/.auth/login/dev",
        "a token": token,
    }
    lines = "\n".join(f"  {name:<14}{address}" for name, address in shown.items())
    return f"""
{told}

{lines}

Request a report in bash:

  curl -sS {url}/api/research -H "Authorization: Bearer $({token})" \\
    -H "Idempotency-Key: first" -H "Content-Type: application/json" \\
    -d '{{"topic": "How durable execution survives a crash"}}'

or in PowerShell:

  $token = {token}
  Invoke-RestMethod {url}/api/research -Method Post -ContentType application/json `
    -Headers @{{ Authorization = "Bearer $token"; "Idempotency-Key" = "first" }} `
    -Body '{{"topic": "How durable execution survives a crash"}}'

For an order, sign in with the role Purchase.Requester, or send this to {url}/api/purchases:

  {ORDER}

A Purchase.Approver decides on it; above a limit, two have to approve.

Begin at {url}/api/review : sign in with any name and the role Research.Requester, and
request a report. Then sign in with another name and the role Report.Reviewer, and decide on it.
Ctrl-C stops the app.
"""
