"""What only the Azure adapters promise: the limits of the service are kept, damage is named."""

import asyncio
import json
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from countersign.approvals.errors import Conflict, DamagedRow
from countersign.approvals.events import (
    DecisionRecorded,
    Event,
    OperationStarted,
    OperationWithdrawn,
    WorkPlanned,
)
from countersign.approvals.ledger import verify
from countersign.approvals.person import Actor
from countersign.approvals.policy import Policy
from countersign.bodies.body import WithdrawBody
from countersign.reports.report_bodies import ReportDecisionBody, ReportRequestBody
from countersign.stores.account import StorageAccount
from countersign.stores.artifacts import DamagedArtifact
from countersign.stores.blob_artifacts import BlobArtifacts
from countersign.stores.errors import StoreError
from countersign.stores.summary import Summary
from countersign.stores.table_index import TableIndex
from countersign.stores.table_ledger import TableLedger
from countersign.stores.tables import pieces, whole

Work = Callable[[str], Event]
OTTER = "\U0001f9a6"  # two units of UTF-16


@pytest.fixture
def adapter() -> str:
    return "azure"


@pytest.fixture
def ledger(account: StorageAccount) -> TableLedger:
    return TableLedger(account)


def most(body: type[BaseModel], name: str, limit: str) -> int:
    """How much the API takes of something."""
    (found,) = re.findall(
        rf'"{limit}": (\d+)', json.dumps(body.model_json_schema()["properties"][name])
    )[:1]
    return int(found)


def entities(account: StorageAccount, table: str) -> list[dict[str, Any]]:
    return [dict(entity) for entity in account.table(table).list_entities()]


@given(text=st.text() | st.builds(lambda text, n: text * n, st.text(max_size=9), st.just(9_999)))
def test_no_piece_of_a_text_is_too_long_for_a_property(text: str) -> None:
    cut = pieces("data", text)
    assert whole("data", cut) == text
    assert all(len(piece.encode("utf-16-le", "surrogatepass")) <= 65_536 for piece in cut.values())


@pytest.mark.parametrize("before", range(15_900, 16_001, 25))
async def test_an_event_longer_than_a_property_is_read_back_as_it_was(
    ledger: TableLedger, work: Work, before: int
) -> None:
    long = work("x" * before + OTTER * 20_000)
    rows = await ledger.append("home", "op-1", 0, [long])
    assert await ledger.read("home", "op-1") == rows
    assert rows[0].event == long


async def test_a_row_larger_than_an_entity_is_refused_and_nothing_is_stored(
    ledger: TableLedger, work: Work
) -> None:
    with pytest.raises(StoreError, match="row 2 is larger than 1000000 bytes"):
        await ledger.append("home", "op-1", 0, [work("plan"), work(OTTER * 250_000)])
    assert await ledger.read("home", "op-1") == []
    await ledger.append("home", "op-1", 0, [work(OTTER * 245_000)])


async def test_more_than_a_transaction_holds_is_refused_and_nothing_is_stored(
    ledger: TableLedger, work: Work
) -> None:
    with pytest.raises(StoreError, match="101 rows can't be appended at once"):
        await ledger.append("home", "op-1", 0, [work("plan")] * 101)
    with pytest.raises(StoreError, match="together are larger than 4000000 bytes"):
        await ledger.append("home", "op-1", 0, [work("x" * 490_000)] * 9)
    assert await ledger.read("home", "op-1") == []
    assert len(await ledger.append("home", "op-1", 0, [work("plan")] * 100)) == 100
    assert len(await ledger.append("home", "op-1", 100, [work("x" * 490_000)] * 8)) == 8


async def test_the_largest_events_of_the_app_have_room_to_spare(
    ledger: TableLedger, now: datetime
) -> None:
    line = OTTER * most(ReportRequestBody, "topic", "maxLength")
    remark = OTTER * most(ReportDecisionBody, "comment", "maxLength")
    subtopics = [line] * most(ReportRequestBody, "subtopics", "maxItems")
    who: dict[str, Any] = {"at": now, "actor": Actor(id="i" * 1_000, name=OTTER * 1_000)}
    a: dict[str, Any] = {"version": 1, "digest": "0" * 64, "decision": "revise"}
    policy = Policy(reviewer_role="Report.Reviewer")
    events = [
        OperationStarted(**who, kind="research", title=line, request="0" * 64, policy=policy),
        WorkPlanned(**who, subtopics=tuple(subtopics)),
        DecisionRecorded(**who, **a, comment=remark, correction="0" * 64),
        OperationWithdrawn(**who, reason=OTTER * most(WithdrawBody, "reason", "maxLength")),
    ]
    rows = await ledger.append("home", "op-1", 0, events)
    assert await ledger.read("home", "op-1") == rows
    assert max(len(str(row.data).encode("utf-16-le")) for row in rows) < 100_000


async def test_a_ledger_longer_than_an_answer_is_read_whole(
    ledger: TableLedger, work: Work
) -> None:
    for first in range(0, 1_100, 100):
        await ledger.append("home", "op-1", first, [work("plan")] * 100)
    rows = await ledger.read("home", "op-1")
    assert [row.sequence for row in rows] == list(range(1, 1_101))


@pytest.mark.parametrize(
    ("sequence", "change"),
    [
        (1, {"data": '{"at": "2026-11-02T12:00:00Z"}'}),  # another event
        (3, {"hash": "0" * 64}),  # a hash
        (2, {"type": "Mystery"}),  # another type
    ],
)
async def test_tampering_is_found_at_its_row(
    ledger: TableLedger, account: StorageAccount, work: Work, sequence: int, change: dict[str, str]
) -> None:
    await ledger.append("home", "op-1", 0, [*map(work, "abcd")])
    row = entities(account, "ledger")[sequence - 1]
    account.table("ledger").upsert_entity({**row, **change})
    assert verify("home", "op-1", await ledger.read("home", "op-1")) == sequence


async def test_a_row_that_is_no_event_is_named(
    ledger: TableLedger, account: StorageAccount, work: Work
) -> None:
    await ledger.append("home", "op-1", 0, [work("plan")])
    account.table("ledger").upsert_entity({**entities(account, "ledger")[0], "data": "{"})
    with pytest.raises(DamagedRow, match="row 1"):
        await ledger.read("home", "op-1")


@pytest.mark.parametrize(
    ("key", "sequence"),
    [
        ("note", 3),
        ("0000000001x", 2),
        ("1", 3),
        ("-000000001", 1),
    ],
)
async def test_a_row_that_no_ledger_wrote_is_named_by_its_place(
    ledger: TableLedger, account: StorageAccount, work: Work, key: str, sequence: int
) -> None:
    await ledger.append("home", "op-1", 0, [work("plan"), work("draft")])
    entity = entities(account, "ledger")[0]
    account.table("ledger").upsert_entity({**entity, "RowKey": key})
    with pytest.raises(DamagedRow, match=f"row {sequence}"):
        await ledger.read("home", "op-1")


async def test_an_index_row_that_is_no_summary_is_a_clear_error(
    account: StorageAccount, summary: Callable[..., Summary]
) -> None:
    index = TableIndex(account)
    await index.put(summary(), "none")
    for row in entities(account, "index"):
        account.table("index").upsert_entity({**row, "summary": "{}"})
    with pytest.raises(StoreError, match="a row of the index can't be read"):
        await index.get("home", "op-1")


async def test_a_row_leaves_nothing_behind_in_the_lists_that_it_left(
    account: StorageAccount, summary: Callable[..., Summary]
) -> None:
    index = TableIndex(account)

    def lists() -> list[str]:
        return sorted(entity["RowKey"].partition(":")[0] for entity in entities(account, "index"))

    await index.put(summary(), "none")
    waiting = lists()
    assert (waiting.count("inbox"), waiting.count("overdue"), waiting.count("state")) == (1, 1, 1)
    await index.put(summary(state="published", stage="closed", sequence=9), "none")
    left = [name for name in waiting if name not in {"inbox", "overdue"}]
    assert lists() == sorted([*left, "unpurged"])


async def test_a_walk_reads_on_where_it_was_whatever_changed_behind_it(
    account: StorageAccount, summary: Callable[..., Summary], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("countersign.stores.table_index._BATCH", 2)
    index = TableIndex(account)
    rows = [summary(f"op-{number}", state="running", stage="writing") for number in range(7)]
    for row in rows:
        await index.put(row, "none")
    seen: list[str] = []
    async for key in index.stalled(rows[0].updated_at):
        seen.append(key.operation_id)
        later = rows[0].updated_at + timedelta(days=1)
        await index.put(summary(key.operation_id, updated_at=later, sequence=9), "none")
    assert seen == [row.operation_id for row in rows]


async def test_a_first_use_by_several_processes_makes_one_table(
    ledger: TableLedger, started: Event, other: Callable[..., Any], race: Callable[..., Any]
) -> None:
    assert race(*(other("read_first") for _ in range(3))) == [[]] * 3
    assert len(await ledger.append("home", "op-1", 0, [started])) == 1


async def test_a_first_use_by_many_at_once_lets_one_win(
    account: StorageAccount, started: Event
) -> None:
    appends = [TableLedger(account).append("home", "op-1", 0, [started]) for _ in range(6)]
    answers = await asyncio.gather(*appends, return_exceptions=True)
    assert sum(isinstance(answer, Conflict) for answer in answers) == 5


async def test_damage_is_noticed_and_putting_again_heals_it(account: StorageAccount) -> None:
    artifacts = BlobArtifacts(account)
    reference = await artifacts.put("home", b"otters")
    container = account.container("artifacts")
    (name,) = container.list_blob_names()
    container.upload_blob(name, b"stoats", overwrite=True)
    with pytest.raises(DamagedArtifact):
        await artifacts.get("home", reference)
    assert await artifacts.put("home", b"otters") == reference
    assert await artifacts.get("home", reference) == b"otters"


async def test_a_result_that_is_no_reference_is_a_clear_error(account: StorageAccount) -> None:
    artifacts = BlobArtifacts(account)
    await artifacts.remember("home", "work", "a" * 64)
    container = account.container("artifacts")
    (name,) = container.list_blob_names()
    container.upload_blob(name, b"stoats", overwrite=True)
    for call in (artifacts.recall("home", "work"), artifacts.remember("home", "work", "b" * 64)):
        with pytest.raises(DamagedArtifact, match="no reference"):
            await call
