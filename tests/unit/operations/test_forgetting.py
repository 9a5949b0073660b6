"""Nothing of a person or a topic is in what can't be erased, and the rest is, when it is due."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import datetime, timedelta, timezone
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from countersign.approvals import rules
from countersign.approvals.acts import Trust
from countersign.approvals.erasing import lift_hold, place_hold
from countersign.approvals.errors import Invalid, UntrustedLedger
from countersign.approvals.events import OperationStarted
from countersign.approvals.operation import Operation, shelf_of
from countersign.approvals.person import OPERATOR, Person
from countersign.approvals.policy import EDITION, Policy
from countersign.approvals.retention import Retention
from countersign.operations.forgetting import forget_person, forget_what_is_due
from countersign.operations.repository import Changed, Operations
from countersign.proof.keys import ProofKey
from countersign.proof.seal import KeySeal
from countersign.stores.artifacts import MissingArtifact
from countersign.stores.errors import StoreUnavailable
from countersign.stores.folder import FolderArtifacts
from countersign.stores.sqlite import SqliteLedger
from countersign.stores.sqlite_index import SqliteIndex
from endpoints import purge
from endpoints.purge import purge_instances

TENANT, ID = "contoso", "research-1"
START = datetime(2026, 3, 1, tzinfo=timezone.utc)
RITA = Person(id="id-rita", name="Rita Requester", tenant=TENANT, roles=frozenset())
OLGA = Person(id="id-olga", name="Olga", tenant=TENANT, roles=frozenset({OPERATOR}))
TEXTS = ("id-rita", "Rita Requester", "Otters in the Havel", "No longer needed")


class Office:
    """An app whose operations are withdrawn as soon as they are begun."""

    def __init__(self, folder: Path, days: int = 100) -> None:
        self.now, self.file = START, folder / "countersign.db"
        self.artifacts = FolderArtifacts(folder / "artifacts")
        self.operations = Operations(
            SqliteLedger(self.file),
            SqliteIndex(self.file),
            lambda: self.now,
            Trust(seal=KeySeal(ProofKey(seed=bytes(32)))),
        )
        self.settings = SimpleNamespace(
            purge_after_days=30, retention=Retention(days={("research", "withdrawn"): days})
        )
        self.app: Any = self

    @property
    def clock(self) -> Any:
        return lambda: self.now

    async def begin(self, operation_id: str = ID) -> None:
        event = OperationStarted(
            at=self.now,
            actor=RITA.actor,
            kind="research",
            title="Otters in the Havel",
            request=await self.artifacts.put(shelf_of(TENANT, operation_id), b"{}"),
            policy=Policy(reviewer_role="Report.Reviewer", edition=EDITION),
            erasable=True,
        )
        await self.operations.start(TENANT, operation_id, event, by=RITA)

    async def end(self) -> None:
        await self.happen(lambda state, now: rules.withdraw(state, RITA, "No longer needed", now))
        await self.happen(lambda state, now: rules.close(state, None, "", now, written="published"))

    async def happen(self, rule: Any) -> None:
        assert isinstance(await self.operations.change(TENANT, ID, rule), Changed)

    async def operation(self) -> Operation:
        operation = await self.operations.trusted(TENANT, ID)
        assert operation
        return operation

    async def forget(self) -> datetime | None:
        return await forget_what_is_due(self.app, await self.operation())

    async def types(self) -> Sequence[str]:
        return [row.type for row in await self.operations.ledger.read(TENANT, ID)]

    async def purge(self) -> None:
        await purge_instances(self.app, Empty())  # pyright: ignore[reportArgumentType]

    def columns(self, column: str) -> str:
        with closing(sqlite3.connect(self.file)) as file:
            query = {
                "data": "SELECT data FROM ledger",
                "openings": "SELECT openings FROM ledger",
                "*": "SELECT * FROM ledger",
            }
            return str(file.execute(query[column]).fetchall())


class Empty:
    """A durable runtime that has forgotten everything."""

    async def get_status(self, _instance: str) -> Any:
        return SimpleNamespace(runtime_status=None)

    async def purge_instance_history(self, _instance: str) -> None: ...


@pytest.fixture
def office(tmp_path: Path) -> Office:
    return Office(tmp_path)


async def test_what_is_hashed_has_no_name_and_no_text(office: Office) -> None:
    await office.begin()
    await office.end()
    assert not [text for text in TEXTS if text in office.columns("data")]
    assert [text for text in TEXTS if text in office.columns("openings")] == list(TEXTS)
    operation = await office.operation()
    assert (operation.requester.name, operation.title) == ("Rita Requester", "Otters in the Havel")


async def test_it_is_erased_when_its_time_has_come_and_not_before(office: Office) -> None:
    await office.begin()
    await office.end()
    due = START + timedelta(days=100)
    assert await office.forget() == due
    office.now = due
    assert await office.forget() is None
    operation = await office.operation()
    assert operation.erased
    assert operation.erased.rule == "research/withdrawn: erased 100 days after it ended"
    row = await office.operations.index.get(TENANT, ID)
    assert row
    stored = f"{row} {office.columns('*')}"
    assert not [text for text in TEXTS if text in stored]
    with pytest.raises(MissingArtifact):
        await office.artifacts.get(operation.shelf, operation.request)


async def test_a_year_of_purges_erases_it_once(office: Office, monkeypatch: Any) -> None:
    monkeypatch.setattr(purge, "cleared", lambda *_: _true())
    await office.begin()
    await office.end()
    erased: list[int] = []
    for day in range(365):
        office.now = START + timedelta(days=day)
        await office.purge()
        erased += [day] * (await office.types()).count("ContentErased")
    assert min(erased) == 100
    assert (await office.types()).count("ContentErased") == 1
    assert [key async for key in office.operations.index.unpurged(office.now)] == []


async def _true() -> bool:
    return True


@pytest.mark.parametrize("broken", ["artifacts", "rows", "index"])
async def test_what_breaks_off_is_carried_on_by_the_next_run(
    office: Office, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    monkeypatch.setattr(purge, "cleared", lambda *_: _true())
    await office.begin()
    await office.end()
    office.now += timedelta(days=150)

    async def away(*_: object) -> None:
        raise StoreUnavailable("away")

    places: dict[str, tuple[Any, str]] = {
        "artifacts": (office.artifacts, "erase"),
        "rows": (office.operations.ledger, "erase"),
        "index": (office.operations, "refresh"),
    }
    with monkeypatch.context() as patch:
        patch.setattr(*places[broken], away)
        await office.purge()
    assert (await office.operation()).erased
    office.now += timedelta(hours=1)
    await office.purge()
    row = await office.operations.index.get(TENANT, ID)
    assert not [text for text in TEXTS if text in f"{row} {office.columns('*')}"]
    assert (await office.types()).count("ContentErased") == 1


async def test_a_legal_hold_keeps_it(office: Office) -> None:
    await office.begin()
    await office.end()
    await office.happen(lambda state, now: place_hold(state, OLGA, "a lawsuit", now))
    office.now += timedelta(days=200)
    assert await office.forget() is None
    assert (await office.operation()).title == "Otters in the Havel"
    await office.happen(lambda state, now: lift_hold(state, OLGA, "settled", now))
    await office.forget()
    assert (await office.operation()).erased


async def test_a_person_is_erased_by_their_id_and_the_rest_is_kept(office: Office) -> None:
    await office.begin()
    operation = await office.operation()
    kept = await forget_person(office.app, operation, RITA.id, OLGA, "they asked")
    assert kept == Invalid(fields={"operation": "it has not ended"})
    await office.end()
    assert await forget_person(office.app, operation, "id-nobody", OLGA, "they asked") == 0
    erased = await forget_person(office.app, operation, RITA.id, OLGA, "they asked")
    assert isinstance(erased, int)
    assert erased > 3
    assert await forget_person(office.app, operation, RITA.id, OLGA, "they asked") == 0
    row = await office.operations.index.get(TENANT, ID)
    assert not [text for text in TEXTS if text in f"{row} {office.columns('*')}"]
    assert "Olga" in office.columns("openings")
    assert (await office.operation()).people_erased[0].rule == "they asked"
    assert await office.artifacts.get(operation.shelf, operation.request) == b"{}"


async def test_the_openings_of_another_row_or_none_at_all_are_not_believed(office: Office) -> None:
    await office.begin()
    with closing(sqlite3.connect(office.file)) as file:
        file.execute("UPDATE ledger SET openings = '' WHERE sequence = 1")
        file.commit()
    with pytest.raises(UntrustedLedger, match="nothing says that they were erased"):
        await office.operation()
