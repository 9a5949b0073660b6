import asyncio
import json
import re
from collections.abc import Callable
from hashlib import sha256

import pytest

from countersign.writing.destination import AlreadyThere, Destination, WriteMismatch
from countersign.writing.publish import write_once

REPORT = "# Otters\n\nThey hold hands: „Ötter“.\n".encode()
Writers = Callable[[int, list[str]], list[list[str]]]


async def test_nothing_is_there_before_a_write(destination: Destination) -> None:
    assert await destination.find(tenant="home", operation_id="op-1") is None
    assert await destination.read(tenant="home", operation_id="op-1") is None


async def test_what_is_read_is_what_was_written(destination: Destination) -> None:
    await destination.write(tenant="home", operation_id="op-1", data=REPORT)
    assert await destination.read(tenant="home", operation_id="op-1") == REPORT


async def test_the_receipt_is_of_what_is_there(destination: Destination) -> None:
    receipt = await destination.write(tenant="home", operation_id="op-1", data=REPORT)
    assert receipt == await destination.find(tenant="home", operation_id="op-1")
    assert set(receipt) == {"destination", "location", "sha256", "size", "written_at"}
    assert receipt["sha256"] == sha256(REPORT).hexdigest()
    assert receipt["size"] == len(REPORT)
    moment = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z"
    assert re.fullmatch(moment, str(receipt["written_at"]))


@pytest.mark.parametrize("second", [REPORT, b"", b"something else"])
async def test_what_is_there_is_never_changed(destination: Destination, second: bytes) -> None:
    receipt = await destination.write(tenant="home", operation_id="op-1", data=REPORT)
    with pytest.raises(AlreadyThere):
        await destination.write(tenant="home", operation_id="op-1", data=second)
    assert await destination.find(tenant="home", operation_id="op-1") == receipt
    assert await destination.read(tenant="home", operation_id="op-1") == REPORT


async def test_an_empty_report_is_there_too(destination: Destination) -> None:
    await destination.write(tenant="home", operation_id="op-1", data=b"")
    assert await destination.read(tenant="home", operation_id="op-1") == b""
    assert await destination.find(tenant="home", operation_id="op-1")


@pytest.mark.parametrize(
    ("tenant", "operation_id"),
    [("other", "op-1"), ("home", "op-2"), ("HOME", "op-1"), ("home", "OP-1"), ("home.", "op-1")],
)
async def test_each_operation_of_each_tenant_has_its_own_place(
    destination: Destination, tenant: str, operation_id: str
) -> None:
    await destination.write(tenant="home", operation_id="op-1", data=REPORT)
    assert await destination.read(tenant=tenant, operation_id=operation_id) is None
    receipt = await destination.write(tenant=tenant, operation_id=operation_id, data=b"theirs")
    there = await destination.find(tenant="home", operation_id="op-1")
    assert there
    assert str(there["location"]).casefold() != str(receipt["location"]).casefold()


@pytest.mark.parametrize("illegal", ["", "a/b", "a\\b", "a\x00", "ä", "a b", "op-1\n", "x" * 65])
@pytest.mark.parametrize("method", ["write", "find", "read"])
async def test_a_name_that_could_mean_something_else_is_refused(
    destination: Destination, illegal: str, method: str
) -> None:
    content = {"data": REPORT} if method == "write" else {}
    for tenant, operation_id in ((illegal, "op-1"), ("home", illegal)):
        with pytest.raises(ValueError, match="not a legal name"):
            await getattr(destination, method)(tenant=tenant, operation_id=operation_id, **content)


async def test_writing_again_gives_the_first_receipt(destination: Destination) -> None:
    receipts = [
        await write_once(destination, tenant="home", operation_id="op-1", data=REPORT)
        for _ in range(3)
    ]
    assert receipts == [receipts[0]] * 3


async def test_a_write_whose_receipt_was_lost_is_found(destination: Destination) -> None:
    lost = await destination.write(tenant="home", operation_id="op-1", data=REPORT)
    found = await write_once(destination, tenant="home", operation_id="op-1", data=REPORT)
    assert found == lost


async def test_other_bytes_there_are_for_a_person_to_look_at(destination: Destination) -> None:
    await destination.write(tenant="home", operation_id="op-1", data=b"something else")
    with pytest.raises(WriteMismatch, match="op-1"):
        await write_once(destination, tenant="home", operation_id="op-1", data=REPORT)
    assert await destination.read(tenant="home", operation_id="op-1") == b"something else"


async def test_one_write_comes_of_many_at_once(destination: Destination) -> None:
    writes = [
        write_once(destination, tenant="home", operation_id="op-1", data=REPORT) for _ in range(8)
    ]
    receipts = await asyncio.gather(*writes)
    assert receipts == [receipts[0]] * 8


async def test_of_different_texts_at_once_one_stands(destination: Destination) -> None:
    texts = [b"one", b"two", b"three", b"four"]
    writes = [
        write_once(destination, tenant="home", operation_id="op-1", data=text) for text in texts
    ]
    answers = await asyncio.gather(*writes, return_exceptions=True)
    there = await destination.read(tenant="home", operation_id="op-1")
    for text, answer in zip(texts, answers, strict=True):
        assert isinstance(answer, dict if text == there else WriteMismatch)


async def test_two_processes_at_once_make_one_write_with_one_receipt(
    destination: Destination, writers: Writers
) -> None:
    texts = [f"report {number}" for number in range(20)]
    one, two = writers(2, texts)
    assert one == two
    assert [json.loads(receipt) for receipt in one] == [
        await destination.find(tenant="home", operation_id=f"op-{number}") for number in range(20)
    ]
