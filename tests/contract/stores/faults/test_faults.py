"""What faults on the way to Azure storage come to: nothing, or a clear error in good time."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from countersign.approvals.errors import Conflict
from countersign.approvals.events import Event
from countersign.destinations.destination import AlreadyThere, DestinationUnavailable
from countersign.destinations.report_blobs import ReportBlobs
from countersign.stores.account import StorageAccount
from countersign.stores.blob_artifacts import BlobArtifacts
from countersign.stores.errors import StoreError, StoreUnavailable
from countersign.stores.search import Search
from countersign.stores.summary import Summary
from countersign.stores.table_index import TableIndex
from countersign.stores.table_ledger import TableLedger

Work = Callable[[str], Event]
Build = Callable[..., Summary]
PASSING = ["unreached", "lost", "torn", "failed"]
A, B = "a" * 64, "b" * 64


async def test_constructing_reaches_for_nothing(
    account: StorageAccount, tables: Any, blobs: Any
) -> None:
    for adapter in (TableLedger, TableIndex, BlobArtifacts, ReportBlobs):
        adapter(account)
    assert tables.requests == blobs.requests == []


@pytest.mark.parametrize("fault", [*PASSING, "failed inside", "busy"])
async def test_an_append_whose_answer_was_lost_is_told_from_another_s(
    account: StorageAccount, tables: Any, started: Event, work: Work, fault: str
) -> None:
    ledger = TableLedger(account)
    first = await ledger.append("home", "op-1", 0, [started])
    # The transaction: the last row is known since it was appended.
    tables.break_next(fault)
    second = await ledger.append("home", "op-1", 1, [work("plan"), work("draft")])
    assert sum(request.method == "POST" for request in tables.requests) == 2
    with pytest.raises(Conflict):
        await ledger.append("home", "op-1", 1, [work("plan"), work("draft")])
    assert await ledger.read("home", "op-1") == first + second


@pytest.mark.parametrize("sent", [0, 1])
async def test_an_append_that_took_too_long_to_be_sent_is_given_up_to_be_judged_anew(
    account: StorageAccount, tables: Any, started: Event, work: Work, now: datetime, sent: int
) -> None:
    await TableLedger(account).append("home", "op-1", 0, [started])
    # The clock is looked at when the append begins, and before each try.
    moments = iter([now] * (1 + sent))
    ledger = TableLedger(account, lambda: next(moments, now + timedelta(seconds=6)))
    await ledger.read("home", "op-1")
    tables.break_next(*["unreached"] * sent)
    with pytest.raises(StoreUnavailable, match="too long"):
        await ledger.append("home", "op-1", 1, [work("plan")])
    assert len(tables.requests) == sent
    assert len(await ledger.append("home", "op-1", 1, [work("plan")])) == 1


@pytest.mark.parametrize("fault", PASSING)
async def test_a_row_of_the_index_is_put_whatever_gets_lost(
    account: StorageAccount, tables: Any, summary: Build, now: datetime, fault: str
) -> None:
    index = TableIndex(account)
    token = await index.announce("home", "op-1", now)
    await index.put(summary(), token)
    tables.break_next(fault)
    token = await index.announce("home", "op-1", now)
    later = summary(sequence=6, state="running")
    # The read of what is there, the transaction, the end of the announcement.
    for undisturbed in range(3):
        tables.break_next(*[None] * undisturbed, fault)
        await index.put(later, token)
    tables.break_next(fault)
    assert await index.get("home", "op-1") == later
    page = await index.search("home", Search(state="awaiting_approval"), limit=9)
    assert list(page.rows) == []
    assert [each async for each in index.announced_before(now + timedelta(hours=1))] == []


@pytest.mark.parametrize("fault", PASSING)
async def test_artifacts_and_results_are_kept_whatever_gets_lost(
    account: StorageAccount, blobs: Any, fault: str
) -> None:
    artifacts = BlobArtifacts(account)
    await artifacts.put("home", b"stoats")
    blobs.break_next(fault)
    reference = await artifacts.put("home", b"otters")
    blobs.break_next(fault)
    assert await artifacts.get("home", reference) == b"otters"
    blobs.break_next(fault)
    assert await artifacts.remember("home", "work", A) == A
    assert await artifacts.remember("home", "work", B) == A


@pytest.mark.parametrize("fault", PASSING)
async def test_a_report_whose_answer_was_lost_is_this_write_s_own(
    account: StorageAccount, blobs: Any, fault: str
) -> None:
    reports = ReportBlobs(account)
    await reports.read(tenant="home", operation_id="op-1")
    blobs.break_next(fault)
    receipt = await reports.write(tenant="home", operation_id="op-1", data=b"otters")
    assert receipt == await reports.find(tenant="home", operation_id="op-1")
    with pytest.raises(AlreadyThere):
        await reports.write(tenant="home", operation_id="op-1", data=b"otters")


@pytest.mark.parametrize("fault", [*PASSING, "being deleted"])
async def test_a_disturbed_first_use_comes_to_its_table_and_container(
    account: StorageAccount, tables: Any, blobs: Any, started: Event, fault: str
) -> None:
    for network in (tables, blobs):
        network.break_next(fault)
    ledger, artifacts = TableLedger(account), BlobArtifacts(account)
    rows = await ledger.append("home", "op-1", 0, [started])
    assert await ledger.read("home", "op-1") == rows
    assert await artifacts.get("home", await artifacts.put("home", b"otters")) == b"otters"


@pytest.mark.parametrize("fault", ["busy", "throttled"])
async def test_what_the_service_asks_to_wait_for_is_waited_for(
    account: StorageAccount, tables: Any, blobs: Any, fault: str
) -> None:
    await TableLedger(account).read("home", "op-1")
    await BlobArtifacts(account).recall("home", "work")
    for network in (tables, blobs):
        network.break_next(fault)
    await TableLedger(account).read("home", "op-1")
    await BlobArtifacts(account).recall("home", "work")
    for network in (tables, blobs):
        first, second = network.requests
        assert second.at - first.at >= 1


async def test_who_would_have_to_wait_for_too_long_is_told_at_once(
    account: StorageAccount, tables: Any, blobs: Any
) -> None:
    await TableLedger(account).read("home", "op-1")
    for network in (tables, blobs):
        network.break_next("long")
    with pytest.raises(StoreUnavailable, match="answered 503"):
        await TableLedger(account).read("home", "op-1")
    with pytest.raises(DestinationUnavailable, match="answered 503"):
        await ReportBlobs(account).read(tenant="home", operation_id="op-1")
    assert [len(network.requests) for network in (tables, blobs)] == [1, 1]


async def test_an_outage_is_told_in_good_time_after_tries_further_and_further_apart(
    account: StorageAccount, tables: Any
) -> None:
    impatient = replace(account, retry_seconds=2.5)
    ledger = TableLedger(impatient)
    await ledger.read("home", "op-1")
    tables.break_next(*["lost"] * 99)
    with pytest.raises(StoreUnavailable, match="can't be reached") as failure:
        await ledger.read("home", "op-1")
    assert failure.value.__suppress_context__
    moments = [request.at for request in tables.requests]
    assert len(moments) >= 3
    assert moments[-1] - moments[-2] > moments[1] - moments[0]


async def test_nobody_listening_is_told_without_the_key(account: StorageAccount) -> None:
    text = str(account.connection_string)
    closed = ":9/".join(text.split(f":{text.split(':')[-1].split('/')[0]}/"))
    gone = replace(account, connection_string=closed, retry_seconds=0.1)
    with pytest.raises(StoreUnavailable, match="can't be reached") as failure:
        await TableLedger(gone).read("home", "op-1")
    _, _, rest = text.partition("AccountKey=")
    for part in (rest.partition(";")[0], "127.0.0.1"):
        assert part in text
        assert part not in str(failure.value)


async def test_a_wrong_key_is_told_without_it(account: StorageAccount) -> None:
    text = str(account.connection_string)
    wrong = replace(account, connection_string=text.replace("AccountKey=Eby8", "AccountKey=Abcd"))
    for role, work in (
        ("Storage Table Data Contributor", TableLedger(wrong).read("home", "op-1")),
        ("Storage Blob Data Contributor", BlobArtifacts(wrong).recall("home", "work")),
    ):
        with pytest.raises(StoreError, match=f"403.*lacks the role {role}.*key") as failure:
            await work
        assert "Abcd" not in str(failure.value)
        assert "sig" not in str(failure.value)


async def test_a_missing_role_is_named(account: StorageAccount, tables: Any, blobs: Any) -> None:
    for network in (tables, blobs):
        network.break_next("forbidden")
    with pytest.raises(StoreError, match="lacks the role Storage Table Data Contributor"):
        await TableLedger(account).read("home", "op-1")
    with pytest.raises(StoreError, match="lacks the role Storage Blob Data Contributor"):
        await BlobArtifacts(account).recall("home", "work")
