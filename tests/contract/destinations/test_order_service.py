"""One order and a truthful end, whatever the purchasing service does and whatever it lacks."""

import asyncio
import itertools
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeAlias, cast

import pytest

from countersign.destinations.destination import (
    DestinationUnavailable,
    NotWritten,
    OrderReceipt,
    WriteInDoubt,
    WriteMismatch,
    WritingError,
)
from countersign.destinations.order_service import OrderService
from countersign.destinations.purchasing import Purchasing, read_purchasing
from countersign.operations.writing import write_once
from devhost.process import free_port
from testbed.purchasing import PurchasingService

GUARDS = ("key lookup", "key", "lookup", "none")
SECRET = "s3cret-t0ken"  # noqa: S105 - nobody's

Order: TypeAlias = Callable[..., bytes]
Ending: TypeAlias = OrderReceipt | WritingError


def orders_to(url: str, guards: str, **more: Any) -> OrderService:
    """The destination; it does not wait before it tries again."""
    settings = {"COUNTERSIGN_PURCHASING_URL": url, "COUNTERSIGN_PURCHASING_GUARDS": guards}
    purchasing = read_purchasing(settings)
    assert purchasing
    return OrderService(replace(purchasing, **more), pause=at_once)


async def at_once(_: int) -> None:
    await asyncio.sleep(0)


async def settle(
    destination: OrderService,
    operation_id: str,
    data: bytes,
    *,
    tried_for: timedelta | None = None,
    every: float = 10.0,
) -> Ending:
    """Try again as the durable engine does, but without the `every` seconds between two tries."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            receipt = await write_once(
                destination,
                tenant="home",
                operation_id=operation_id,
                data=data,
                tried_for=tried_for,
            )
        except DestinationUnavailable:
            tried_for = (tried_for or timedelta()) + timedelta(seconds=every)
            await asyncio.sleep(0.01)
        except WritingError as error:
            return error
        else:
            return cast("OrderReceipt", receipt)
    raise AssertionError(f"{operation_id} did not come to an end")


async def until(holds: Callable[[], Any]) -> None:
    deadline = time.monotonic() + 20
    while not await asyncio.to_thread(holds):
        assert time.monotonic() < deadline
        await asyncio.sleep(0.02)


def is_truthful(ending: Ending, orders: list[dict[str, Any]]) -> bool:
    """Whether an ending fits what stands in the books."""
    if isinstance(ending, dict):
        return [each["order_number"] for each in orders] == [ending["order_number"]]
    if isinstance(ending, NotWritten):
        return not orders
    return isinstance(ending, WriteInDoubt | WriteMismatch) and len(orders) <= 1


@pytest.mark.parametrize(
    ("fault", "guards", "ending", "in_books"),
    [
        ("drop", "key lookup", dict, 1),
        ("drop", "key", dict, 1),
        ("drop", "lookup", dict, 1),
        ("drop", "none", WriteInDoubt, 1),
        ("error_after", "key lookup", dict, 1),
        ("error_after", "key", dict, 1),
        ("error_after", "lookup", dict, 1),
        ("error_after", "none", WriteInDoubt, 1),
        ("unavailable", "key lookup", dict, 1),
        ("unavailable", "key", dict, 1),
        ("unavailable", "lookup", dict, 1),
        ("unavailable", "none", WriteInDoubt, 0),
        ("slow:0.9", "key lookup", dict, 1),
        ("slow:0.9", "key", dict, 1),
        ("slow:0.9", "lookup", dict, 1),
        ("slow:0.9", "none", WriteInDoubt, 1),
        ("wrong_amount", "key lookup", WriteMismatch, 1),
        ("wrong_amount", "key", WriteMismatch, 1),
        ("wrong_amount", "lookup", WriteMismatch, 1),
        ("wrong_amount", "none", WriteMismatch, 1),
    ],
)
async def test_each_fault_has_its_one_ending(
    service_with: Callable[[str], PurchasingService],
    order: Order,
    operation_id: str,
    fault: str,
    guards: str,
    ending: type,
    in_books: int,
) -> None:
    service = service_with(guards)
    service.faults(fault)
    more = {"timeout_seconds": 0.4} if fault.startswith("slow") else {}
    ended = await settle(orders_to(service.url, guards, **more), operation_id, order(3))
    assert isinstance(ended, ending), ended
    orders = service.orders(operation_id)
    assert len(orders) == in_books
    assert is_truthful(ended, orders)


@pytest.mark.parametrize("guards", GUARDS)
async def test_no_row_of_faults_makes_two_orders_or_an_untruth(
    service_with: Callable[[str], PurchasingService], order: Order, operation_id: str, guards: str
) -> None:
    service, faults = service_with(guards), ("drop", "error_after", "unavailable", "wrong_amount")
    for number, row in enumerate(itertools.product(faults, repeat=2)):
        service.faults(*row)
        reference = f"{operation_id}-{number}"
        ended = await settle(orders_to(service.url, guards), reference, order(3))
        assert is_truthful(ended, service.orders(reference)), (row, ended)


@pytest.mark.parametrize("guards", ["key lookup", "key", "lookup"])
async def test_an_order_that_is_taken_late_is_waited_for(
    service_with: Callable[[str], PurchasingService], order: Order, operation_id: str, guards: str
) -> None:
    service = service_with(guards)
    service.faults("late:0.9")
    destination = orders_to(service.url, guards, timeout_seconds=0.4)
    ended = await settle(destination, operation_id, order(3), every=0.1)
    assert isinstance(ended, dict), ended
    assert is_truthful(ended, service.orders(operation_id))


@pytest.mark.parametrize("guards", GUARDS)
@pytest.mark.parametrize("fault", ["slow:30", "late:30"])
async def test_a_service_that_is_killed_with_an_order_in_hand_gets_it_once(
    tmp_path: Path, order: Order, operation_id: str, guards: str, fault: str
) -> None:
    lacking = {"key", "lookup"} - set(guards.split())
    with PurchasingService(tmp_path, without=lacking) as service:
        destination = orders_to(service.url, guards)
        service.faults(fault)
        first = asyncio.create_task(
            destination.write(tenant="home", operation_id=operation_id, data=order(3))
        )
        accepted = fault == "slow:30"
        await until(lambda: service.orders() if accepted else not service.planned())
        service.kill()
        with pytest.raises((DestinationUnavailable, WriteInDoubt)):
            await first
        service.start()
        ended = await settle(destination, operation_id, order(3), tried_for=timedelta(seconds=10))
        placed = "key" in guards or (accepted and guards == "lookup")
        assert isinstance(ended, dict if placed else WriteInDoubt), ended
        assert len(service.orders()) == (placed or accepted)
        assert is_truthful(ended, service.orders())


@pytest.mark.parametrize("guards", ["key lookup", "key", "lookup"])
async def test_a_second_try_beside_the_first_makes_no_second_order(
    service_with: Callable[[str], PurchasingService], order: Order, operation_id: str, guards: str
) -> None:
    service = service_with(guards)
    service.faults("slow:0.3")
    destination, beside = orders_to(service.url, guards), timedelta(seconds=1)
    first, second = await asyncio.gather(
        settle(destination, operation_id, order(3)),
        settle(destination, operation_id, order(3), tried_for=beside),
    )
    assert first == second
    assert is_truthful(first, service.orders(operation_id))


@pytest.mark.parametrize("guards", ["lookup", "none"])
async def test_a_later_try_of_what_must_not_be_sent_again_waits_before_it_doubts(
    service_with: Callable[[str], PurchasingService], order: Order, operation_id: str, guards: str
) -> None:
    service = service_with(guards)
    destination = orders_to(service.url, guards, timeout_seconds=10, settling_seconds=70)
    settled = timedelta(seconds=70 if guards == "lookup" else 30)
    call: dict[str, Any] = {"tenant": "home", "operation_id": operation_id, "data": order(3)}
    with pytest.raises(DestinationUnavailable, match="in transit"):
        await destination.write(**call, tried_for=settled - timedelta(seconds=1))
    with pytest.raises(WriteInDoubt):
        await destination.write(**call, tried_for=settled)
    assert service.orders(operation_id) == []


@pytest.mark.parametrize(
    ("guards", "ending"),
    [
        ("key lookup", DestinationUnavailable),
        ("key", DestinationUnavailable),
        ("lookup", DestinationUnavailable),
        ("none", NotWritten),
    ],
)
async def test_where_nobody_listens_nothing_was_ordered(
    order: Order, operation_id: str, guards: str, ending: type[WritingError]
) -> None:
    nowhere = orders_to(f"http://127.0.0.1:{free_port()}", guards, timeout_seconds=0.2)
    with pytest.raises(ending, match="cannot be reached"):
        await nowhere.write(tenant="home", operation_id=operation_id, data=order(3))


async def test_a_service_that_comes_up_in_time_gets_the_order(
    tmp_path: Path, order: Order, operation_id: str
) -> None:
    with PurchasingService(tmp_path, without=["key", "lookup"]) as service:
        service.kill()

        async def start_it(_: int) -> None:
            await asyncio.to_thread(service.start)

        there = Purchasing(url=service.url, guards=frozenset())
        destination = OrderService(there, pause=start_it)
        ended = await settle(destination, operation_id, order(3))
        assert is_truthful(ended, service.orders(operation_id))
        assert isinstance(ended, dict), ended


@pytest.mark.parametrize("guards", GUARDS)
async def test_an_order_that_the_service_refuses_is_not_placed(
    service_with: Callable[[str], PurchasingService], order: Order, operation_id: str, guards: str
) -> None:
    service = service_with(guards)
    ended = await settle(orders_to(service.url, guards), operation_id, order(3, vendor=""))
    assert isinstance(ended, NotWritten)
    assert "nothing was ordered" in str(ended)
    assert "the order lacks vendor" in str(ended)
    assert service.orders(operation_id) == []


async def test_a_refusal_after_an_earlier_try_leaves_a_doubt(
    service_with: Callable[[str], PurchasingService], order: Order, operation_id: str
) -> None:
    destination = orders_to(service_with("key").url, "key")
    refused = order(3, vendor="")
    ended = await settle(destination, operation_id, refused, tried_for=timedelta(seconds=10))
    assert isinstance(ended, WriteInDoubt)


@pytest.mark.parametrize("guards", GUARDS)
async def test_a_wrong_token_is_told_but_not_shown(
    tmp_path: Path, order: Order, operation_id: str, guards: str
) -> None:
    with PurchasingService(tmp_path, token=SECRET[::-1]) as service:
        destination = orders_to(service.url, guards, token=SECRET)
        ending = NotWritten if guards == "none" else DestinationUnavailable
        with pytest.raises(ending) as raised:
            await destination.write(tenant="home", operation_id=operation_id, data=order(3))
        assert "401 (the token is missing or wrong)" in str(raised.value)
        assert SECRET not in f"{raised.value} {destination.__dict__}"


async def test_the_right_token_is_sent(tmp_path: Path, order: Order, operation_id: str) -> None:
    with PurchasingService(tmp_path, token=SECRET) as service:
        destination = orders_to(service.url, "key lookup", token=SECRET)
        ended = await settle(destination, operation_id, order(3))
        assert is_truthful(ended, service.orders(operation_id))
        assert isinstance(ended, dict)


async def test_a_wrong_total_is_told_with_both_amounts(
    service_with: Callable[[str], PurchasingService], order: Order, operation_id: str
) -> None:
    service = service_with("key")
    service.faults("wrong_amount")
    ended = await settle(orders_to(service.url, "key"), operation_id, order(3))
    assert "total 375.00 EUR confirmed instead of 37.50 EUR" in str(ended)
    (accepted,) = service.orders(operation_id)
    assert accepted["order_number"] in str(ended)


async def test_several_orders_with_one_reference_are_named(
    service_with: Callable[[str], PurchasingService], order: Order, operation_id: str
) -> None:
    service = service_with("lookup")
    for _ in range(2):
        blind = orders_to(service.url, "none")
        await blind.write(tenant="home", operation_id=operation_id, data=order(3))
    destination = orders_to(service.url, "lookup")
    with pytest.raises(WriteMismatch) as found:
        await destination.find(tenant="home", operation_id=operation_id)
    with pytest.raises(WriteMismatch) as refused:
        await destination.write(tenant="home", operation_id=operation_id, data=order(3))
    numbers = [each["order_number"] for each in service.orders(operation_id)]
    assert len(numbers) == 2
    for raised in (found, refused):
        assert not [number for number in numbers if number not in str(raised.value)]


async def test_the_receipt_holds_number_total_and_currency(
    service_with: Callable[[str], PurchasingService], order: Order, operation_id: str
) -> None:
    service = service_with("key lookup")
    receipt = await settle(orders_to(service.url, "key lookup"), operation_id, order(3))
    (accepted,) = service.orders(operation_id)
    assert isinstance(receipt, dict)
    assert receipt["location"] == receipt["order_number"] == accepted["order_number"]
    assert (receipt["total"], receipt["currency"]) == ("37.50", "EUR")
    assert receipt["written_at"] == accepted["accepted_at"]


@pytest.mark.parametrize("data", [b"# otters", b"[]", b'{"b": 1}', b'{"b":1,"a":2}'])
async def test_what_is_no_canonical_order_is_not_sent(data: bytes) -> None:
    nowhere = orders_to("http://127.0.0.1:1", "key")
    with pytest.raises(ValueError, match=r"canonical JSON|Expecting value"):
        await nowhere.write(tenant="home", operation_id="op-1", data=data)
