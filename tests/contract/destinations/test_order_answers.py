"""Answers that are broken, hostile or of another protocol: no receipt, no second order, no leak."""

import asyncio
import contextlib
import gzip
import json
import re
import traceback
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from countersign.destinations.destination import (
    DestinationUnavailable,
    NotWritten,
    WriteInDoubt,
    WriteMismatch,
    WritingError,
)
from countersign.destinations.order_call import MOST_BYTES
from countersign.destinations.order_echo import differences
from countersign.destinations.order_service import OrderService
from countersign.destinations.purchasing import Guard, Purchasing
from countersign.operations.writing import write_once

SECRET = "s3cret-t0ken"  # noqa: S105 - nobody's
HERE: dict[str, Any] = {"tenant": "home", "operation_id": "op-1"}


class Service:
    """It answers every request with the same bytes, all of them again and again if `endless`."""

    url = ""

    def __init__(self, answer: bytes, *, endless: bool) -> None:
        self.answer, self.endless = answer, endless
        self.requests: list[bytes] = []
        self.calls: list[asyncio.Task[None] | None] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.calls.append(asyncio.current_task())
        self.requests.append(await reader.readuntil(b"\r\n\r\n"))
        with contextlib.suppress(ConnectionError):
            writer.write(self.answer)
            while self.endless and not writer.is_closing():
                await asyncio.sleep(0.02)
                writer.write(b" ")
            await writer.drain()
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()


@asynccontextmanager
async def answering(answer: bytes, *, endless: bool = False) -> AsyncIterator[Service]:
    service = Service(answer, endless=endless)
    server = await asyncio.start_server(service.serve, "127.0.0.1", 0)
    service.url = "http://{}:{}".format(*server.sockets[0].getsockname())
    async with server:
        yield service
        await asyncio.gather(*(call for call in service.calls if call))


def http(body: bytes | str, status: str = "201 Created", *headers: str) -> bytes:
    text = body.encode() if isinstance(body, str) else body
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(text)}", *headers]
    return "\r\n".join([*lines, "", ""]).encode() + text


def echo(order: bytes = b"{}", /, **changes: Any) -> dict[str, Any]:
    return {
        "order_number": "PO-1",
        "reference": "op-1",
        "order": json.loads(order),
        "accepted_at": "2026-11-30T12:00:00Z",
        **changes,
    }


def orders_to(service: Service, *guards: Guard, **more: Any) -> OrderService:
    more = {"token": SECRET, "timeout_seconds": 5.0, **more}
    return OrderService(Purchasing(url=service.url, guards=frozenset(guards), **more))


TWICE = json.dumps(echo()).replace("{}", '{"total": "1.00", "total": "2.00"}')

NOT_AS_AGREED = {
    "nothing": b"",
    "no HTTP": f"hello {SECRET}\r\n\r\n".encode(),
    "no JSON": http("<html>"),
    "an empty answer": http(""),
    "a list": http("[]"),
    "the token": http(json.dumps(SECRET)),
    "half an answer": http(json.dumps(echo()))[:-5],
    "broken chunks": b"HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "no order number": http(json.dumps(echo(order_number=None))),
    "an order number that is a number": http(json.dumps(echo(order_number=7))),
    "an empty order number": http(json.dumps(echo(order_number=""))),
    "an invisible order number": http(json.dumps(echo(order_number="\u3164\u200b\u00ad"))),
    "an order number with a line end": http(json.dumps(echo(order_number="PO-1\n"))),
    "an order number that turns the line": http(json.dumps(echo(order_number="PO\u202e1"))),
    "a long order number": http(json.dumps(echo(order_number="1" * 65))),
    "a reference that is no name": http(json.dumps(echo(reference="op-1\n"))),
    "no order": http(json.dumps(echo(order=None))),
    "an order that is text": http(json.dumps(echo(order="{}"))),
    "not a number": http(json.dumps(echo(order={"total": float("nan")}))),
    "a number beyond all": http(json.dumps(echo(order={"total": 2**60}))),
    "a lone surrogate": http(json.dumps(echo(order={"vendor": "\ud800"}))),
    "a moment in words": http(json.dumps(echo(accepted_at="today"))),
    "a moment that never was": http(json.dumps(echo(accepted_at="2026-02-30T12:00:00Z"))),
    "a moment of some zone": http(json.dumps(echo(accepted_at="2026-11-30T12:00:00+02:00"))),
    "a moment as a number": http(json.dumps(echo(accepted_at=1_800_000_000))),
    "a total twice": http(TWICE),
    "a number twice, once in disguise": http(
        json.dumps(echo()).replace("{", '{"order\\u005fnumber": "PO-2", ', 1)
    ),
    "a deep answer": http(b'{"order": ' + b"[" * 100_000),
    "a deep order": http(json.dumps(echo()).replace("{}", '{"a":' * 5_000 + "1" + "}" * 5_000)),
    "a long answer": http(b" " * (MOST_BYTES + 1)),
    "a packed answer": http(gzip.compress(b" " * 10**6), "201 Created", "Content-Encoding: gzip"),
    "another place": http("", "307 Temporary Redirect", "Location: http://127.0.0.1:9/orders"),
    "a place that is none": http("", "302 Found", "Location: http://[::1/\x01"),
    "no content": b"HTTP/1.1 204 No Content\r\n\r\n",
    "a gateway's error": http("<html>", "502 Bad Gateway"),
}


@pytest.mark.parametrize("answer", NOT_AS_AGREED.values(), ids=NOT_AS_AGREED)
async def test_an_answer_not_as_agreed_is_like_none(
    order: Callable[..., bytes], answer: bytes
) -> None:
    async with answering(answer) as service:
        with pytest.raises(DestinationUnavailable) as told:
            await orders_to(service, "key").write(**HERE, data=order(3))
        with pytest.raises(DestinationUnavailable):
            await orders_to(service, "lookup").write(**HERE, data=order(3))
        with pytest.raises(WriteInDoubt, match="op-1") as doubted:
            await orders_to(service).write(**HERE, data=order(3))
        # A log has what they come from, too.
        logged = (
            *traceback.format_exception(told.value),
            *traceback.format_exception(doubted.value),
        )
        assert SECRET not in "".join(logged)
        # Nothing was followed, and no order sent again; a look without an answer is repeated once.
        methods = [request.split(b" ", 1)[0] for request in service.requests]
        assert sorted(methods) == [b"GET"] * (1 if answer else 2) + [b"POST"] * 2


@pytest.mark.parametrize("answer", NOT_AS_AGREED.values(), ids=NOT_AS_AGREED)
async def test_where_orders_can_t_be_looked_up_none_is_taken_for_granted(answer: bytes) -> None:
    looked = answer.replace(b"201 Created", b"200 OK")
    async with answering(looked) as service:
        with pytest.raises(DestinationUnavailable):
            await orders_to(service, "lookup").find(**HERE)


@pytest.mark.parametrize("status", ["401 Unauthorized", "404 Not Found", "400 Bad", "500 Oh"])
async def test_a_refused_look_is_not_taken_for_nothing_there(status: str) -> None:
    async with answering(http('{"orders": []}', status)) as service:
        with pytest.raises(DestinationUnavailable, match=status[:3]):
            await orders_to(service, "lookup").find(**HERE)


async def test_orders_that_were_not_asked_for_are_not_taken_for_ours() -> None:
    found = {"orders": [echo(), echo(reference="op-2")]}
    async with answering(http(json.dumps(found), "200 OK")) as service:
        with pytest.raises(DestinationUnavailable, match="other references"):
            await orders_to(service, "lookup").find(**HERE)


async def test_what_else_an_answer_holds_is_left_out(order: Callable[..., bytes]) -> None:
    answer = http(
        json.dumps(echo(order(3), status="accepted", accepted_at="2026-11-30T12:00:00.5Z"))
    )
    async with answering(answer) as service:
        receipt = await orders_to(service, "key").write(**HERE, data=order(3))
    assert "status" not in receipt
    assert receipt["written_at"] == "2026-11-30T12:00:00.500Z"


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"vendor": "Weasel & Co."}, "vendor Weasel & Co. confirmed instead of Otter GmbH"),
        ({"currency": "USD"}, "total 37.50 USD confirmed instead of 37.50 EUR"),
        ({"currency": None}, "total 37.50 confirmed instead of 37.50 EUR"),
        ({"lines": []}, "lines 1 quantity nothing confirmed instead of 3"),
        ({"gift": True}, "gift True confirmed instead of nothing"),
        ({"vendor": "a\u202eb\nc" + "d" * 500}, "vendor ab cddd"),
    ],
)
async def test_what_differs_is_told_in_words(
    order: Callable[..., bytes], changes: dict[str, Any], told: str
) -> None:
    async with answering(http(json.dumps(echo(order(3, **changes))))) as service:
        with pytest.raises(WriteMismatch) as raised:
            await orders_to(service, "key").write(**HERE, data=order(3))
    text = str(raised.value)
    assert told in text
    assert "PO-1" in text
    assert len(text) < 900
    assert "\u202e" not in text


def test_what_is_left_out_differs_from_what_is_null() -> None:
    told = "destination nothing confirmed instead of None"
    assert differences({"total": "1.00", "destination": None}, {"total": "1.00"}) == told


def found(*orders: dict[str, Any]) -> bytes:
    return http(json.dumps({"orders": orders}), "200 OK")


LONG = "Otter\u202e " * 50
ANOTHER = echo(b'{"total": "1.00", "currency": "EUR"}')
TOO_MUCH = echo(json.dumps({f"{LONG} {n}": LONG for n in range(9)}).encode())
PROBLEM = json.dumps({"detail": f"{SECRET} {LONG}"})
LONG_AGO = timedelta(days=1)

UNKNOWN: dict[str, tuple[bytes, set[Guard], timedelta | None, str]] = {
    "no answer": (b"", set(), None, "the answer was incomplete or malformed"),
    "no form": (http("<html>"), set(), None, "the answer is malformed"),
    "a name twice": (http(TWICE), set(), None, "the answer has an object that repeats a name"),
    "an error": (http(PROBLEM, "500 Oh"), set(), None, "the answer was 500 (… Otter"),
    "busy": (http(PROBLEM, "503 No"), set(), None, "the answer was 503 (… Otter"),
    "no answer kept": (b"", set(), LONG_AGO, "86400 seconds ago, and no answer was stored"),
    "nothing found": (found(), {"lookup"}, LONG_AGO, "ago, and it has not been found since"),
    "refused later": (
        http(PROBLEM, "400 Bad"),
        {"key"},
        LONG_AGO,
        "a later attempt was answered 400",
    ),
    "another key": (
        http(PROBLEM, "422 No"),
        {"key"},
        None,
        "another order used this key: the answer",
    ),
    "another total": (
        http(json.dumps(ANOTHER)),
        {"key"},
        None,
        "order PO-1 has total 1.00 EUR confirmed instead of 37.50 EUR",
    ),
    "another total, found": (
        found(ANOTHER),
        {"lookup"},
        None,
        "order PO-1 has total 1.00 EUR confirmed instead of 37.50 EUR",
    ),
    "no total, found": (
        found(echo()),
        {"key", "lookup"},
        None,
        "order PO-1 has total nothing confirmed instead of 37.50 EUR",
    ),
    "too much": (http(json.dumps(TOO_MUCH)), set(), None, "order PO-1 has total nothing confirmed"),
    "another reference": (
        http(json.dumps(echo(reference="op-2"))),
        set(),
        None,
        "order PO-1 is confirmed for the reference op-2",
    ),
    "several": (
        found(*[echo(order_number=str(n) * 32) for n in range(10, 32)]),
        {"lookup"},
        None,
        "22 orders have this reference: 1010",
    ),
}


@pytest.mark.parametrize(("answer", "guards", "tried_for", "cause"), UNKNOWN.values(), ids=UNKNOWN)
async def test_what_is_unknown_is_told_with_all_that_a_person_needs(
    order: Callable[..., bytes],
    answer: bytes,
    guards: set[Guard],
    tried_for: timedelta | None,
    cause: str,
) -> None:
    async with answering(answer) as service:
        purchasing = Purchasing(url=service.url, token=SECRET, guards=frozenset(guards))
        noon = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)
        destination = OrderService(purchasing, clock=lambda: noon)
        data = order(3, vendor=LONG)
        with pytest.raises((WriteInDoubt, WriteMismatch)) as raised:
            await write_once(destination, **HERE, data=data, tried_for=tried_for)
        host = service.url.removeprefix("http://")
    text = str(raised.value)
    told = (
        "reference op-1,",
        "total 37.50 EUR,",
        "vendor Otter Otter",
        f"Before you order again, ask the people who run the purchasing system at {host}",
        "At 2026-11-30T12:00:00Z: ",
        cause,
    )
    assert not [each for each in told if each not in text], text
    assert not re.search(f"\u202e|{SECRET}|None", text)
    assert len(text) < 900


async def test_an_order_confirmed_under_another_reference_is_for_a_person(
    order: Callable[..., bytes],
) -> None:
    async with answering(http(json.dumps(echo(order(3), reference="op-2")))) as service:
        with pytest.raises(WriteMismatch, match=r"op-1.*PO-1 .* op-2"):
            await orders_to(service, "key").write(**HERE, data=order(3))


@pytest.mark.parametrize("status", ["408 Late", "409 Conflict", "425 Early", "429 Many", "503 No"])
async def test_an_unsettled_answer_is_no_refusal(order: Callable[..., bytes], status: str) -> None:
    async with answering(http("", status)) as service:
        with pytest.raises(DestinationUnavailable, match=status[:3]):
            await orders_to(service, "key").write(**HERE, data=order(3))
        with pytest.raises(WriteInDoubt, match=status[:3]):
            await orders_to(service).write(**HERE, data=order(3))


@pytest.mark.parametrize(
    ("status", "with_key"),
    [
        ("400 Bad Request", NotWritten),
        ("401 Unauthorized", DestinationUnavailable),
        ("403 Forbidden", DestinationUnavailable),
        ("404 Not Found", DestinationUnavailable),
        ("413 Content Too Large", NotWritten),
        ("422 Unprocessable", WriteMismatch),
    ],
)
async def test_a_refusal_is_final_unless_an_operator_can_mend_it(
    order: Callable[..., bytes], status: str, with_key: type[WritingError]
) -> None:
    problem = json.dumps({"detail": f"not\u202e with\n{SECRET}, " + "x" * 500})
    async with answering(http(problem, status)) as service:
        with_and_without = [
            (orders_to(service, "key"), with_key),
            (orders_to(service), NotWritten),
        ]
        for destination, ending in with_and_without:
            with pytest.raises(ending) as raised:
                await destination.write(**HERE, data=order(3))
            text = str(raised.value)
            assert f"{status[:3]} (not with …, xxx" in text
            assert len(text) < 900


async def test_an_answer_that_never_ends_is_given_up(order: Callable[..., bytes]) -> None:
    async with answering(b"HTTP/1.1 201 Created\r\n\r\n", endless=True) as service:
        with pytest.raises(DestinationUnavailable, match=r"within 0\.2 seconds"):
            await orders_to(service, "key", timeout_seconds=0.2).write(**HERE, data=order(3))


async def test_what_is_sent_is_what_was_agreed(order: Callable[..., bytes]) -> None:
    async with answering(http(json.dumps(echo(order(3))))) as service:
        await orders_to(service, "key").write(**HERE, data=order(3))
        await orders_to(service).write(**HERE, data=order(3))
    with_key, without = (request.decode().casefold() for request in service.requests)
    assert with_key.startswith("post /orders http/1.1\r\n")
    assert "\r\nidempotency-key: op-1\r\n" in with_key
    assert f"\r\nauthorization: bearer {SECRET}\r\n" in with_key
    assert "idempotency-key" not in without
