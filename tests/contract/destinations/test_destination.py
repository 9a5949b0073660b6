import asyncio
import contextlib
import json
import re
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest

from countersign.destinations.destination import (
    AlreadyThere,
    Destination,
    NotAskable,
    Receipt,
    WriteMismatch,
)
from countersign.operations.writing import write_once

Writers = Callable[[int, list[bytes]], list[list[str]]]


@pytest.fixture
def here(operation_id: str) -> dict[str, Any]:
    return {"tenant": "home", "operation_id": operation_id}


async def test_nothing_is_there_before_a_write(
    destination: Destination, here: dict[str, Any]
) -> None:
    assert await destination.find(**here) is None


async def test_the_receipt_is_of_what_is_there(
    destination: Destination, contents: list[bytes], here: dict[str, Any]
) -> None:
    receipt = await destination.write(**here, data=contents[0])
    assert receipt == await destination.find(**here)
    assert set(receipt) >= {"destination", "location", "sha256", "size", "written_at"}
    assert receipt["sha256"] == sha256(contents[0]).hexdigest()
    assert receipt["size"] == len(contents[0])
    moment = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z"
    assert re.fullmatch(moment, str(receipt["written_at"]))


@pytest.mark.parametrize("second", [0, 1], ids=["the-same", "another"])
async def test_what_is_there_is_never_changed(
    destination: Destination, contents: list[bytes], here: dict[str, Any], second: int
) -> None:
    receipt = await destination.write(**here, data=contents[0])
    with contextlib.suppress(AlreadyThere, WriteMismatch):
        assert await destination.write(**here, data=contents[second]) == receipt
        assert second == 0
    assert await destination.find(**here) == receipt


async def test_what_is_written_is_listed_unless_the_destination_says_that_it_has_no_list(
    destination: Destination, contents: list[bytes], here: dict[str, Any]
) -> None:
    await destination.write(**here, data=contents[0])
    with contextlib.suppress(NotAskable):
        assert tuple(here.values()) in await destination.operations()


@pytest.mark.parametrize("illegal", ["", "a/b", "a\\b", "a\x00", "ä", "a b", "op-1\n", "x" * 65])
@pytest.mark.parametrize("method", ["write", "find"])
async def test_a_name_that_could_mean_something_else_is_refused(
    destination: Destination, contents: list[bytes], illegal: str, method: str
) -> None:
    content: dict[str, Any] = {"data": contents[0]} if method == "write" else {}
    for tenant, operation_id in ((illegal, "op-1"), ("home", illegal)):
        with pytest.raises(ValueError, match="not a valid"):
            await getattr(destination, method)(tenant=tenant, operation_id=operation_id, **content)


async def test_writing_again_gives_the_first_receipt(
    destination: Destination, contents: list[bytes], here: dict[str, Any]
) -> None:
    receipts = [await write_once(destination, **here, data=contents[0]) for _ in range(3)]
    assert receipts == [receipts[0]] * 3


async def test_a_write_whose_receipt_was_lost_is_found(
    destination: Destination, contents: list[bytes], here: dict[str, Any]
) -> None:
    lost = await destination.write(**here, data=contents[0])
    assert await write_once(destination, **here, data=contents[0]) == lost


async def test_other_bytes_there_are_for_a_person_to_look_at(
    destination: Destination, contents: list[bytes], here: dict[str, Any]
) -> None:
    receipt = await destination.write(**here, data=contents[1])
    with pytest.raises(WriteMismatch) as raised:
        await write_once(destination, **here, data=contents[0])
    assert here["operation_id"] in str(raised.value)
    assert str(receipt["location"]) in str(raised.value)
    assert await destination.find(**here) == receipt


async def test_one_write_comes_of_many_at_once(
    destination: Destination, contents: list[bytes], here: dict[str, Any]
) -> None:
    async def write() -> Receipt:
        return await write_once(destination, **here, data=contents[0])

    receipts = await asyncio.gather(*(write() for _ in range(8)))
    assert receipts == [receipts[0]] * 8


async def test_of_different_texts_at_once_one_stands(
    destination: Destination, contents: list[bytes], here: dict[str, Any]
) -> None:
    writes = [write_once(destination, **here, data=text) for text in contents]
    answers = await asyncio.gather(*writes, return_exceptions=True)
    there = await destination.find(**here)
    assert there
    for text, answer in zip(contents, answers, strict=True):
        stands = sha256(text).hexdigest() == there["sha256"]
        assert answer == there if stands else isinstance(answer, WriteMismatch)


async def test_two_processes_at_once_make_one_write_with_one_receipt(
    destination: Destination, contents: list[bytes], operation_id: str, writers: Writers
) -> None:
    one, two = writers(2, contents * 3)
    assert one == two
    assert [json.loads(receipt) for receipt in one] == [
        await destination.find(tenant="home", operation_id=f"{operation_id}-{number}")
        for number in range(12)
    ]
