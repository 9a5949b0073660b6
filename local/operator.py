"""Whoever runs a command with the app's settings acts as an operator, and is recorded as that."""

from __future__ import annotations

import getpass

from countersign.approvals.person import OPERATOR, Person


def operator_of(tenant: str) -> Person:
    """Return the person at this machine as an operator of a tenant."""
    name = getpass.getuser()
    return Person(
        id=f"command-line:{name}",
        name=f"{name}, on the command line",
        tenant=tenant,
        roles=frozenset({OPERATOR}),
    )
