from __future__ import annotations

import asyncio
import sqlite3
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path

import pytest

from devhost.durable.entity import Entity, EntitySelection
from devhost.durable.history import Kind, event
from devhost.durable.instance import Activity, Instance, Message, Parent, Timer
from devhost.engine.admission import new_instance
from devhost.errors import StateUnusable
from devhost.state import writer
from devhost.state.folder import DataFolder
from devhost.state.statements import (
    append_history,
    drop_entity,
    drop_instance,
    drop_messages,
    drop_timers,
    keep_activity,
    put_activity,
    put_entity,
    put_instance,
    put_message,
    put_timer,
)
from devhost.state.store import Selection, Store

NOW = datetime(2026, 1, 1, tzinfo=timezone.utc)


def instance(id: str = "one") -> Instance:
    parent = Parent(id="p", execution="e", task=3, name="o")
    made, _ = new_instance(id=id, name="o", version="1", input='"x"', now=NOW, parent=parent)
    return replace(made, custom_status="1", output="2")


async def test_everything_comes_back_as_it_was_stored(tmp_path: Path) -> None:
    path, own = tmp_path / "state.db", instance()
    message = Message(number=5, instance="one", event=event(Kind.EventRaised, NOW, Name="ü"))
    activity = Activity(instance="one", execution="e", task=1, name="f", input=None)
    timer = Timer(instance="one", execution="e", task=2, due="2026-01-01T00:00:00.0000000Z")
    store = Store(path, pytest.fail)
    await store.commit(
        [
            put_instance(own),
            append_history("one", 1, '{"b":2}'),
            append_history("one", 0, '{"a":1}'),
            put_message(message),
            put_activity(activity),
            put_timer(timer),
        ]
    )
    await store.close()
    store = Store(path, pytest.fail)
    snapshot = await store.snapshot("one")
    assert snapshot is not None
    assert (snapshot.instance, snapshot.episodes) == (own, ('{"a":1}', '{"b":2}'))
    assert await store.messages() == [message]
    assert await store.activities() == [activity]
    assert await store.next_due() == timer.due
    assert await store.due(timer.due, 10) == [timer]
    assert await store.due("2025", 10) == []
    await store.commit([*drop_messages([message]), drop_timers("one", "e", [2, 3])])
    assert (await store.messages(), await store.next_due()) == ([], None)
    await store.commit(drop_instance("one"))
    assert (await store.snapshot("one"), await store.activities()) == (None, [])
    await store.close()


async def test_an_instance_is_stored_anew_with_all_that_has_changed(tmp_path: Path) -> None:
    store = Store(tmp_path / "state.db", pytest.fail)
    own = instance()
    changed = Instance(
        id=own.id,
        execution="f",
        name="p",
        version="2",
        status="Failed",
        input='"y"',
        output="3",
        custom_status="4",
        created="2027",
        updated="2028",
        episodes=7,
        parent=Parent(id="q", execution="g", task=4, name="r"),
    )
    await store.commit([put_instance(own)])
    await store.commit([put_instance(changed)])
    assert await store.instance(own.id) == changed
    assert len(await store.select(Selection())) == 1
    await store.close()


async def test_a_history_takes_little_more_of_the_disk_than_its_text(tmp_path: Path) -> None:
    path, texts, count = tmp_path / "state.db", ("h" * 1600, "g" * 900), 200
    store = Store(path, pytest.fail)
    for number in range(count):
        await store.commit(append_history(f"i{number}", *each) for each in enumerate(texts))
    await store.close()
    assert path.stat().st_size < 1.9 * count * sum(map(len, texts))


async def test_commits_that_wait_together_keep_their_order(tmp_path: Path) -> None:
    store = Store(tmp_path / "state.db", pytest.fail)
    own = instance()
    commits = [store.commit([put_instance(replace(own, episodes=n))]) for n in range(2000)]
    await asyncio.gather(*commits)
    found = await store.instance("one")
    assert found is not None
    assert found.episodes == 1999
    await store.close()


async def test_what_was_queued_is_written_before_the_end(tmp_path: Path) -> None:
    store = Store(tmp_path / "state.db", pytest.fail)
    pending = [store.commit([put_instance(instance(f"i{n}"))]) for n in range(50)]
    await store.close()
    assert all(commit.done() for commit in pending)
    with sqlite3.connect(tmp_path / "state.db") as db:
        assert db.execute("SELECT count(*) FROM instances").fetchone() == (50,)
    db.close()


async def test_text_that_cannot_be_stored_is_stored_as_well_as_it_can(tmp_path: Path) -> None:
    store = Store(tmp_path / "state.db", pytest.fail)
    beside = store.commit([put_instance(instance("beside"))])
    await store.commit([put_instance(replace(instance(), output="half \ud83d"))])
    await beside
    found = await store.instance("one")
    assert found is not None
    assert found.output == "half ?"
    await store.close()


async def test_a_failure_to_write_is_told_once_and_ends_the_commit(tmp_path: Path) -> None:
    reasons: list[str] = []
    store = Store(tmp_path / "state.db", reasons.append)
    with pytest.raises(asyncio.CancelledError):
        await store.commit([("INSERT INTO nowhere VALUES (1)", ())])
    assert reasons == ["the state can't be written: no such table: nowhere"]
    await store.close()


async def test_what_a_full_disk_has_no_room_for_is_written_once_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "SECONDS_BETWEEN_TRIES", 0.01)
    told = asyncio.Event()
    store = Store(tmp_path / "state.db", pytest.fail, told.set)
    await store.commit([put_instance(instance("one"))])
    await store.commit([("PRAGMA max_page_count = 1", ())])
    large = store.commit([put_instance(replace(instance("large"), output="x" * 100_000))])
    after = store.commit(drop_instance("large"))
    await told.wait()
    assert await store.instance("one") is not None
    assert not large.done()
    assert not after.done()
    store._writer.connection.execute("PRAGMA max_page_count = 1000000")
    await asyncio.gather(large, after)
    assert await store.instance("large") is None
    await store.close()


async def test_what_still_waits_for_room_at_the_end_is_given_up(tmp_path: Path) -> None:
    store = Store(tmp_path / "state.db", pytest.fail)
    await store.commit([("PRAGMA max_page_count = 1", ())])
    large = store.commit([put_instance(replace(instance(), output="x" * 100_000))])
    await store.close()
    assert large.cancelled()


async def test_instances_are_selected_by_state_age_and_prefix(tmp_path: Path) -> None:
    store = Store(tmp_path / "state.db", pytest.fail)
    rows = [instance("a_1"), replace(instance("a_2"), status="Failed"), instance("ab")]
    rows.append(replace(instance("a_3"), created="2027"))
    await store.commit(map(put_instance, rows))

    async def ids(selection: Selection) -> list[str]:
        return [one.id for one in await store.select(selection)]

    assert await ids(Selection()) == ["a_1", "a_2", "a_3", "ab"]
    assert await ids(Selection(prefix="a_")) == ["a_1", "a_2", "a_3"]
    assert await ids(Selection(statuses=["Failed", "Running"])) == ["a_2"]
    assert await ids(Selection(created_from="2026-06")) == ["a_3"]
    assert await ids(Selection(created_to="2026-06", top=2)) == ["a_1", "a_2"]
    assert await ids(Selection(after="a_2")) == ["a_3", "ab"]
    await store.close()


async def test_entities_are_kept_listed_and_forgotten(tmp_path: Path) -> None:
    store = Store(tmp_path / "state.db", pytest.fail)
    moments = [f"2026-01-0{day}" for day in (1, 2, 3)]
    made = [
        Entity(name=name, key="K", state='"ü"', created=moments[0], updated=moment)
        for name, moment in zip(("a", "b", "c"), moments, strict=True)
    ]
    await store.commit([put_instance(instance()), *map(put_entity, made)])
    assert await store.entity("@a@K") == made[0]
    assert await store.entities(EntitySelection(name="b")) == [made[1]]
    assert await store.entities(EntitySelection(used_from=moments[1], top=1)) == [made[1]]
    assert await store.entities(EntitySelection(used_to=moments[1], after="@a@K")) == [made[1]]
    listed = await store.select(Selection())
    assert [one.id for one in listed] == ["@a@K", "@b@K", "@c@K", "one"]
    assert listed[0] == await store.listed("@a@K")
    assert (listed[0].name, listed[0].status) == ("@a@K", "Running")
    # To orchestrations it is none of theirs.
    assert await store.instance("@a@K") is None
    await store.commit([put_entity(empty := replace(made[0], exists=False))])
    assert await store.entity("@a@K") == empty
    assert await store.entities(EntitySelection(name="a")) == []
    assert (left := await store.listed("@a@K"))
    assert (left.status, left.custom_status) == ("Running", "{}")
    await store.commit([drop_entity("@a@K")])
    assert await store.entity("@a@K") is None
    await store.close()


async def test_only_what_is_waited_for_keeps_its_input(tmp_path: Path) -> None:
    store = Store(tmp_path / "state.db", pytest.fail)
    own = Activity(instance="one", execution="e", task=1, name="f", input="1")
    other = replace(own, task=2)
    await store.commit([put_activity(own), keep_activity(replace(own, input="2"))])
    await store.commit([keep_activity(other)])
    assert await store.activities() == [replace(own, input="2")]
    assert (await store.waits_for(own), await store.waits_for(other)) == (True, False)
    await store.close()


async def test_the_state_of_another_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(StateUnusable, match="another version"):
        Store(path, pytest.fail)


def test_a_data_folder_has_one_host_at_a_time(tmp_path: Path) -> None:
    first, second = DataFolder(tmp_path), DataFolder(tmp_path)
    first.lock()
    with pytest.raises(StateUnusable, match="another devhost uses the data folder"):
        second.lock()
    first.unlock()
    second.lock()
    second.unlock()
