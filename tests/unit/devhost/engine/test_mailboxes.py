from __future__ import annotations

from datetime import datetime, timezone

from devhost.durable.history import Kind, event
from devhost.durable.instance import Message
from devhost.engine.mailboxes import Mailboxes

NOW = datetime(2026, 1, 1, tzinfo=timezone.utc)
TOLD = event(Kind.EventRaised, NOW, Name="go")


def messages(boxes: Mailboxes, *ids: str) -> list[Message]:
    sent = [boxes.address(id, TOLD) for id in ids]
    boxes.deliver(sent)
    return sent


async def test_an_instance_gets_all_its_messages_in_one_turn() -> None:
    boxes = Mailboxes()
    first, other, second = messages(boxes, "a", "b", "a")
    assert await boxes.next() == ("a", [first, second])
    assert await boxes.next() == ("b", [other])


async def test_a_message_that_comes_during_a_turn_gets_the_next_one() -> None:
    boxes = Mailboxes()
    messages(boxes, "a", "b")
    await boxes.next()
    late = messages(boxes, "a")
    assert (await boxes.next())[0] == "b"
    boxes.end("a")
    assert await boxes.next() == ("a", late)


async def test_held_messages_come_back_with_the_next_one_and_before_it() -> None:
    boxes = Mailboxes()
    held = messages(boxes, "a")
    await boxes.next()
    boxes.end("a", held)
    after = messages(boxes, "a")
    assert await boxes.next() == ("a", [*held, *after])


async def test_entities_wait_for_turns_of_their_own() -> None:
    boxes = Mailboxes()
    [called, told] = messages(boxes, "@c@k", "a")
    assert await boxes.next() == ("a", [told])
    assert await boxes.next(entities=True) == ("@c@k", [called])


async def test_a_turn_learns_when_its_instance_is_to_be_ended() -> None:
    boxes = Mailboxes()
    messages(boxes, "a")
    await boxes.next()
    ended = boxes.ended("a")
    messages(boxes, "a")
    assert not ended.done()
    boxes.deliver([boxes.address("a", event(Kind.ExecutionTerminated, NOW, Input="enough"))])
    assert ended.done()
    assert boxes.ended("a").done()


async def test_numbers_go_on_where_an_earlier_process_ended() -> None:
    boxes = Mailboxes()
    boxes.recover([Message(number=41, instance="a", event=TOLD)])
    assert boxes.address("b", TOLD).number == 42
    assert (await boxes.next())[0] == "a"
