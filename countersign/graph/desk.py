"""What a terminal's commands work with: an engine, people by their tokens, and a way to show."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from countersign.approvals.errors import Refusal
from countersign.approvals.ledger import Row
from countersign.approvals.person import Person
from countersign.graph.checkpoint_stores import CheckpointStores, choose_store
from countersign.graph.declared_engine import DeclaredEngine
from countersign.graph.engine import Engine
from countersign.graph.errors import (
    FAULTS,
    HUB,
    DamagedLedger,
    GraphError,
    ServedByAnother,
    unknown_operation,
)
from countersign.graph.facts import DID, EXPIRED, WAITING, facts_of, lines_of, shown_state
from countersign.graph.failures import Stuck
from countersign.graph.progress import ProgressLines
from countersign.graph.rest import Rest
from countersign.graph.self_test import self_test
from countersign.graph.turn import turn_within
from countersign.identity.errors import KeysUnavailable
from countersign.operations.repository import Changed
from countersign.operations.summary import State
from countersign.platform.environment import SettingsError
from countersign.platform.visible import without_deceit
from countersign.reports.report import read_report
from countersign.stores.search import Search
from countersign.wiring import services

if TYPE_CHECKING:
    from countersign.proof.keys import SigningKey
    from countersign.reports.report_bodies import ReportDecisionBody
    from countersign.stores.serving import ServingStore

MOST_LISTED = 50


class Desk:
    """One engine with the terminal that it is driven from."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    async def person(self, token: str) -> Person:
        """Return who a token proves.

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
            self.say(f"Recorded: {person.name} {DID[body.decision]} version {version}.")
        return decided

    def say(self, text: str) -> None:
        """Tell the person; standard output is for results."""
        sys.stderr.write(f"{without_deceit(text)}\n")
        sys.stderr.flush()

    async def list(self, tenant: str, *, state: str | None, as_json: bool) -> None:
        """Show a tenant's newest operations, each with its state."""
        rows, more = await self._listed(tenant, state)
        if as_json:
            self.print(json.dumps(rows))
        for row in [] if as_json else rows:
            self.print(f"{row['operation_id']}  {row['state']:18}  {row['title']}")
        if more:
            self.say(f"These are the newest {MOST_LISTED}.")

    async def facts(self, rest: Rest) -> dict[str, Any]:
        """Return the facts that a program needs about an operation at rest."""
        return await facts_of(self.engine.app, rest)

    async def show(self, rest: Rest, *, whole: bool = False) -> None:
        """Show where an operation stands; `whole` adds the text that is to be decided about."""
        for line in lines_of(await self.facts(rest)):
            self.print(line)
        current = rest.operation.current
        if whole and current:
            shelf = rest.operation.shelf
            content = await read_report(self.engine.app.artifacts, shelf, current.content)
            self.print(f"\n{content.text}")

    async def recorded(self, tenant: str, operation_id: str) -> dict[str, Any]:
        """Every row of an operation's ledger, and what can be said of their chain.

        Raises:
            UnknownOperation: there is none.
        """
        rows, broken = await self._rows(tenant, operation_id)
        events = [
            {"sequence": row.sequence, "type": row.type, "data": row.content, "hash": row.hash}
            for row in rows
        ]
        return {"events": events, "chain": "intact" if broken is None else f"broken at {broken}"}

    async def proof(self, tenant: str, operation_id: str) -> bytes:
        """Return the signed proof of an operation.

        Raises:
            DamagedLedger: its rows are not as they were recorded.
            SettingsError: there is no key to sign with.
            UnknownOperation: there is no such operation.
        """
        # Imported here because making its models takes longer than most commands.
        from countersign.proof.export import export

        app = self.engine.app
        key = self.proof_key()
        rows, broken = await self._rows(tenant, operation_id)
        if broken is not None:
            raise DamagedLedger(
                f"the ledger of {operation_id} is not as it was recorded, from row {broken} on:"
                " nobody signs that"
            )
        return await export(tenant, operation_id, rows, app.artifacts, key=key, now=app.clock())

    def proof_key(self) -> SigningKey:
        """Return the key that signs decisions and proofs here.

        Raises:
            SettingsError: there is none.
        """
        key = self.engine.app.settings.proof_key
        if key is None:
            raise SettingsError("Nothing can be signed: COUNTERSIGN_PROOF_KEY is not set.")
        return key

    async def _rows(self, tenant: str, operation_id: str) -> tuple[Sequence[Row], int | None]:
        rows, broken = await self.engine.app.operations.recorded(tenant, operation_id)
        if not rows:
            raise unknown_operation(operation_id)
        return rows, broken

    async def run(self, tenant: str, operation_id: str) -> Rest:
        """Run a graph from its beginning, in this operation's turn; raises as the others do."""
        return await self._driven(
            tenant, operation_id, lambda: self.engine.run(tenant, operation_id)
        )

    async def resume(
        self,
        tenant: str,
        operation_id: str,
        *,
        checkpoint_id: str | None = None,
        patience: float = 0.0,
    ) -> Rest:
        """Go on with a graph, in this operation's turn.

        Raises:
            TurnTaken: another process works on it, and does so after `patience` seconds too.
            GraphError: it can't go on for a reason of its own.
            Stuck: something that it needs is not to be had now.
        """
        return await self._driven(
            tenant,
            operation_id,
            lambda: self.engine.resume(tenant, operation_id, checkpoint_id),
            patience=patience,
        )

    async def _driven(
        self,
        tenant: str,
        operation_id: str,
        go_on: Callable[[], Awaitable[Rest]],
        *,
        patience: float = 0.0,
    ) -> Rest:
        await self.engine.operation(tenant, operation_id)
        try:
            folder = self.engine.stores.turns(tenant, operation_id)
            async with turn_within(patience, folder, operation_id):
                return await go_on()
        except (GraphError, BrokenPipeError):
            raise
        except FAULTS as error:
            remedy = f"No completed work is lost; continue with: resume {operation_id}"
            raise Stuck(f"{error}. {remedy}") from error

    def print(self, text: str) -> None:
        """Print a result; nothing in it can steer the terminal."""
        sys.stdout.write(f"{without_deceit(text)}\n")

    def print_bytes(self, result: bytes) -> None:
        """Write a result as it is for a file or a program; to a terminal, as `print` does."""
        if sys.stdout.isatty():
            self.print(result.decode())
        else:
            sys.stdout.flush()
            sys.stdout.buffer.write(result)
            sys.stdout.buffer.flush()

    async def _listed(
        self, tenant: str, state: State | None
    ) -> tuple[Sequence[dict[str, str]], bool]:
        """Return the newest rows of a state, as it is now, and whether there are more."""
        app, now = self.engine.app, self.engine.app.clock()
        # The index has a version as waiting until somebody notes that its deadline has passed.
        states = (EXPIRED, WAITING) if state == EXPIRED else (state,)
        pages = [
            await app.operations.index.search(tenant, Search(state=each), limit=MOST_LISTED)
            for each in states
        ]
        found = [row for page in pages for row in page.rows]
        newest = sorted(found, key=lambda row: row.created_at, reverse=True)
        rows = [
            {
                "operation_id": row.operation_id,
                "state": shown_state(row, now),
                "title": row.title,
            }
            for row in newest
        ]
        asked_for = [row for row in rows if state in {None, row["state"]}]
        more = any(page.cursor for page in pages) or len(asked_for) > MOST_LISTED
        return asked_for[:MOST_LISTED], more


async def make_sure_it_serves(store: ServingStore) -> None:
    """See that no durable engine works on the same storage.

    Raises:
        ServedByAnother: one does.
        StoreError: nobody can say.
    """
    if (hub := await store.claim(HUB)) != HUB:
        raise ServedByAnother(hub)


@asynccontextmanager
async def open_desk(*, saving: bool = True, declared: bool = False) -> AsyncIterator[Desk]:
    """Yield a desk by this process's settings, once its store has passed the self-test.

    Args:
        saving: whether operations are worked on at it; if not, no checkpoint is saved and nothing
            is asked of the store.
        declared: whether operations are run by the flow in YAML, which has no checkpoints.

    Raises:
        SettingsError: the environment lacks something.
        GraphError: the store is not configured, or not fit; or a durable engine works there.
        StoreError: nobody says who works there.
    """
    app = services()
    stores = CheckpointStores(choose_store(os.environ), app.settings.data / "graph", app.artifacts)
    try:
        if saving:
            await make_sure_it_serves(app.serving.store)
        if saving and not declared:
            await self_test(stores)
        engine = DeclaredEngine if declared else Engine
        yield Desk(engine(app, stores, ProgressLines(sys.stderr)))
    finally:
        await stores.close()
