"""What a terminal's commands work with: an engine, people by their tokens, and a way to show."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, TextIO

from countersign.approvals.operation import Operation
from countersign.approvals.person import Person
from countersign.content import read_content
from countersign.graph.checkpoint_stores import CheckpointStores, choose_store
from countersign.graph.engine import Engine, Rest
from countersign.graph.progress import Progress
from countersign.graph.self_test import self_test
from countersign.summary import state_of, summarise
from countersign.wiring import services

MOST_LISTED = 50


class Desk:
    """One engine with the terminal that it is driven from."""

    def __init__(self, engine: Engine, output: TextIO) -> None:
        self.engine = engine
        self._output = output

    async def person(self, token: str) -> Person:
        """Who a token proves.

        Raises:
            Unauthenticated: nobody.
            KeysUnavailable: the issuer's keys can't be had.
        """
        return await self.engine.app.verifier.verify({"Authorization": f"Bearer {token.strip()}"})

    def say(self, text: str) -> None:
        """Tell the person; standard output is for results."""
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()

    async def list(self, tenant: str, *, state: str | None, as_json: bool) -> None:
        """Show a tenant's newest operations, each with its state."""
        page = await self.engine.app.operations.index.page(
            tenant, state=state, limit=MOST_LISTED, cursor=None
        )
        rows = [
            {"operation_id": each.operation_id, "state": each.state, "title": each.title}
            for each in page.rows
        ]
        if as_json:
            self._print(json.dumps(rows))
        for row in [] if as_json else rows:
            self._print(f"{row['operation_id']}  {row['state']:18}  {row['title']}")
        if page.cursor:
            self.say(f"These are the newest {MOST_LISTED}.")

    async def show(self, rest: Rest, *, as_json: bool, whole: bool = False) -> None:
        """Show where an operation stands; `whole` adds the text that is to be decided about."""
        facts = facts_of(rest)
        if as_json:
            self._print(json.dumps(facts))
            return
        for name, value in facts.items():
            if value is not None:
                self._print(f"{name:13} {value}")
        current = rest.operation.current
        if whole and current:
            tenant = rest.operation.tenant
            content = await read_content(self.engine.app.artifacts, tenant, current.content)
            self._print(f"\n{content.text}")

    def _print(self, text: str) -> None:
        self._output.write(f"{text}\n")


def facts_of(rest: Rest) -> dict[str, Any]:
    """What a program, or a person, has to know of an operation at rest."""
    operation, question = rest.operation, rest.question or {}
    return {
        "operation_id": operation.id,
        "title": operation.title,
        "state": state_of(operation),
        "stage": summarise(operation).stage,
        "request_id": rest.request_id,
        "version": operation.current.version if operation.current else None,
        "digest": operation.current.digest if operation.current else None,
        "required_role": question.get("required_role"),
        "expires_at": question.get("expires_at"),
        "notes": question.get("notes"),
        "decided": _decided(operation),
        "reason": operation.closed.reason or None if operation.closed else None,
        "receipt": dict(operation.receipt.receipt) if operation.receipt else None,
    }


def _decided(operation: Operation) -> str | None:
    decisions = [each for proposal in operation.proposals for each in proposal.decisions]
    if not decisions:
        return None
    _, last = decisions[-1]
    return (
        f"{last.decision} of version {last.version} by {last.actor.name} at {last.at.isoformat()}"
    )


@asynccontextmanager
async def open_desk() -> AsyncIterator[Desk]:
    """A desk by this process's settings, once its store has passed the self-test.

    Raises:
        SettingsError: the environment lacks something.
        GraphError: the store is not configured, or not fit.
    """
    app = services()
    stores = CheckpointStores(choose_store(os.environ), app.settings.data / "graph", app.artifacts)
    try:
        await self_test(stores)
        yield Desk(Engine(app, stores, Progress(sys.stderr)), sys.stdout)
    finally:
        await stores.close()
