"""What a terminal's commands work with: an engine, people by their tokens, and a way to show."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from countersign.approvals.errors import Refusal
from countersign.approvals.operation import Operation
from countersign.approvals.person import Person
from countersign.approvals.standing import needs_operator
from countersign.graph.checkpoint_stores import CheckpointStores, choose_store
from countersign.graph.declared_engine import DeclaredEngine
from countersign.graph.engine import Engine
from countersign.graph.progress import ProgressLines
from countersign.graph.rest import Rest
from countersign.graph.self_test import self_test
from countersign.identity.errors import KeysUnavailable
from countersign.operations.repository import Changed
from countersign.operations.summary import state_of, summarise
from countersign.reports.report import read_report
from countersign.wiring import services

if TYPE_CHECKING:
    from countersign.reports.report_bodies import ReportDecisionBody

MOST_LISTED = 50


class Desk:
    """One engine with the terminal that it is driven from."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    async def person(self, token: str) -> Person:
        """Who a token proves.

        Raises:
            Unauthenticated: nobody.
            KeysUnavailable: the issuer's keys can't be had.
        """
        app = self.engine.app
        try:
            return await app.verifier.verify({"Authorization": f"Bearer {token.strip()}"})
        except KeysUnavailable as error:
            raise KeysUnavailable(f"{error}, from {app.settings.tokens.jwks}") from error

    async def decide(
        self, person: Person, operation_id: str, version: int, body: ReportDecisionBody
    ) -> Changed | Refusal:
        """Record a decision and say so: it stands, whatever becomes of the graph."""
        decided = await self.engine.decide(person, operation_id, version, body)
        if isinstance(decided, Changed):
            self.say(f"Recorded: {body.decision} of version {version} by {person.name}.")
        return decided

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
            content = await read_report(self.engine.app.artifacts, tenant, current.content)
            self._print(f"\n{content.text}")

    def _print(self, text: str) -> None:
        sys.stdout.write(f"{text}\n")


def facts_of(rest: Rest) -> dict[str, Any]:
    """What a program, or a person, has to know of an operation at rest."""
    operation, question = rest.operation, rest.question or {}
    current = operation.current
    pending = current if current and current.status == "pending" else None
    return {
        "operation_id": operation.id,
        "title": operation.title,
        "state": state_of(operation),
        "stage": summarise(operation).stage,
        "request_id": rest.request_id,
        "version": current.version if current else None,
        "digest": current.digest if current else None,
        "required_role": pending.required_role if pending else None,
        "expires_at": pending.expires_at.isoformat() if pending else None,
        "notes": question.get("notes"),
        "failure": pending.failure if pending else None,
        "held": _held(operation),
        "decided": _decided(operation),
        "reason": operation.closed.reason or None if operation.closed else None,
        "receipt": dict(operation.receipt) if operation.receipt else None,
    }


def _held(operation: Operation) -> str | None:
    hold = needs_operator(operation)
    return f"{hold.cause}, attempts: {hold.tries}: {hold.reason}" if hold else None


def _decided(operation: Operation) -> str | None:
    decisions = [each for proposal in operation.proposals for each in proposal.decisions]
    if not decisions:
        return None
    _, last = decisions[-1]
    return (
        f"{last.decision} of version {last.version} by {last.actor.name} at {last.at.isoformat()}"
    )


@asynccontextmanager
async def open_desk(*, saving: bool = True, declared: bool = False) -> AsyncIterator[Desk]:
    """A desk by this process's settings, once its store has passed the self-test.

    Args:
        saving: whether checkpoints are saved at it; if not, nothing is asked of the store.
        declared: whether operations are run by the flow in YAML, which has no checkpoints.

    Raises:
        SettingsError: the environment lacks something.
        GraphError: the store is not configured, or not fit.
    """
    app = services()
    stores = CheckpointStores(choose_store(os.environ), app.settings.data / "graph", app.artifacts)
    try:
        if saving and not declared:
            await self_test(stores)
        engine = DeclaredEngine if declared else Engine
        yield Desk(engine(app, stores, ProgressLines(sys.stderr)))
    finally:
        await stores.close()
