"""What lies in a store's folder never runs and is never gone on from unless it was saved there."""

from __future__ import annotations

import asyncio
import base64
import dataclasses
import json
import os
import pickle
import stat
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from countersign.graph.checkpoint_files import CheckpointFiles
from countersign.graph.checkpoint_stores import (
    StoreKind,
)
from countersign.graph.errors import (
    AnotherStore,
    CheckpointError,
    DamagedCheckpoint,
    MissingCheckpoint,
    StoreUnfit,
    StrangeCheckpoint,
)
from countersign.graph.journal import Journal
from countersign.graph.private_folder import TooLarge, read_private
from countersign.graph.workflow import workflow_name

FOLDERS: list[StoreKind] = ["json", "file"]


class Trap:
    """Leaves a mark wherever it is unpickled."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> Any:
        return Path.touch, (self.mark,)


def pickled(trap: Trap) -> str:
    """The trap in the disguise that the framework's own decoder opens."""
    packed = base64.b64encode(pickle.dumps(trap)).decode()
    return json.dumps({"__pickled__": packed, "__type__": "pathlib:Path"})


def test_the_trap_works(tmp_path: Path) -> None:
    packed = json.loads(pickled(Trap(tmp_path / "mark")))["__pickled__"]
    pickle.loads(base64.b64decode(packed))  # noqa: S301 - that it is unsafe is the point
    assert (tmp_path / "mark").exists()


@pytest.mark.parametrize("kind", FOLDERS)
async def test_a_planted_file_is_named_and_never_opened(
    home: Any, tmp_path: Path, kind: StoreKind
) -> None:
    rest = await home.begun(kind)
    mark = tmp_path / "mark"
    planted = home.files(rest.operation.id)[0].with_name("00000000.json")
    planted.write_text(pickled(Trap(mark)))
    await home.decide(rest)
    with pytest.raises(StrangeCheckpoint, match=r"00000000\.json"):
        await home.engine(kind).resume(home.tenant, rest.operation.id)
    assert not mark.exists()
    assert home.reports() == []
    planted.unlink()
    published = await home.engine(kind).resume(home.tenant, rest.operation.id)
    assert published.operation.closed.outcome == "published"


@pytest.mark.parametrize("kind", FOLDERS)
@pytest.mark.parametrize(
    "damage",
    [
        lambda file, mark: file.write_text(pickled(Trap(mark))),  # replaced by one that runs code
        lambda file, mark: file.write_bytes(file.read_bytes()[:-20]),  # truncated
        lambda file, mark: file.write_bytes(b""),
        lambda file, mark: file.write_bytes(file.read_bytes().replace(b'"version"', b'"Version"')),
    ],
    ids=["pickle", "truncated", "empty", "edited"],
)
async def test_a_file_that_is_not_as_it_was_saved_is_named_and_never_opened(
    home: Any, tmp_path: Path, kind: StoreKind, damage: Callable[[Path, Path], Any]
) -> None:
    rest = await home.begun(kind)
    for file in home.files(rest.operation.id):
        damage(file, tmp_path / "mark")
    with pytest.raises(DamagedCheckpoint, match=r"\.json has changed since it was saved"):
        await home.engine(kind).resume(home.tenant, rest.operation.id)
    assert not (tmp_path / "mark").exists()


@pytest.mark.parametrize("kind", FOLDERS)
async def test_another_operations_checkpoint_is_never_gone_on_from(
    home: Any, kind: StoreKind
) -> None:
    one, other = await home.begun(kind), await home.begun(kind, topic="Replay")
    theirs = home.files(other.operation.id)[-1]
    copy = home.files(one.operation.id)[0].with_name(theirs.name)
    copy.write_bytes(theirs.read_bytes())
    with pytest.raises(StrangeCheckpoint, match=theirs.stem):
        await home.engine(kind).resume(home.tenant, one.operation.id)
    with pytest.raises(StrangeCheckpoint, match=theirs.stem):
        await home.engine(kind).resume(home.tenant, one.operation.id, theirs.stem)


async def test_a_lost_checkpoint_is_missed_and_the_ledger_is_enough_to_go_on(home: Any) -> None:
    rest = await home.begun()
    for file in home.files(rest.operation.id):
        file.unlink()
    await home.decide(rest)
    with pytest.raises(MissingCheckpoint, match="was saved and is missing"):
        await home.engine().resume(home.tenant, rest.operation.id)
    calls = [data for name, data in await home.history(rest.operation.id) if name == "ModelCalled"]
    afresh = await home.engine().run(home.tenant, rest.operation.id)
    assert afresh.operation.closed.outcome == "published"
    after = [data for name, data in await home.history(rest.operation.id) if name == "ModelCalled"]
    assert after == calls


async def test_what_is_kept_in_memory_is_gone_with_the_process(home: Any) -> None:
    rest = await home.begun("memory")
    with pytest.raises(CheckpointError, match=r"is missing .* resume --afresh"):
        await home.engine("memory").resume(home.tenant, rest.operation.id)


@pytest.mark.parametrize(("saved", "set_now"), [("json", "file"), ("file", "json")])
async def test_checkpoints_of_another_kind_of_store_are_said_to_be_so(
    home: Any, saved: StoreKind, set_now: StoreKind
) -> None:
    rest = await home.begun(saved)
    says = f"checkpoints in the {saved} store, but the {set_now} store is selected.*--afresh"
    with pytest.raises(AnotherStore, match=says):
        await home.engine(set_now).resume(home.tenant, rest.operation.id)
    await home.decide(rest)
    published = await home.engine(set_now).run(home.tenant, rest.operation.id)
    assert published.operation.closed.outcome == "published"


async def test_a_lost_record_of_a_checkpoint_blames_nobody_and_afresh_goes_on(home: Any) -> None:
    rest = await home.begun()
    await home.decide(rest)
    kept = home.app.settings.data / "artifacts"
    seals = [file for file in kept.glob("*/artifacts/*/*") if b'"checkpoint":' in file.read_bytes()]
    for file in seals:
        file.unlink()
    with pytest.raises(StrangeCheckpoint, match=r"or the record is missing.*--afresh"):
        await home.engine().resume(home.tenant, rest.operation.id)
    for file in home.files(rest.operation.id):
        file.unlink()
    with pytest.raises(DamagedCheckpoint, match=r"is missing; resume --afresh"):
        await home.engine().resume(home.tenant, rest.operation.id)
    published = await home.engine().run(home.tenant, rest.operation.id)
    assert published.operation.closed.outcome == "published"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such pipes")
async def test_a_pipe_in_a_checkpoints_place_is_not_waited_at(home: Any) -> None:
    rest = await home.begun()
    for file in home.files(rest.operation.id):
        file.unlink()
        os.mkfifo(file)
    with pytest.raises(DamagedCheckpoint, match=r"has changed since it was saved.*--afresh"):
        await asyncio.wait_for(home.engine().question(home.tenant, rest.operation.id), 20)


@pytest.mark.skipif(os.name == "nt", reason="Windows lets few users make links")
@pytest.mark.parametrize("kind", FOLDERS)
async def test_a_link_in_a_stores_place_is_not_followed(
    home: Any, tmp_path: Path, kind: StoreKind
) -> None:
    rest = await home.begun(kind)
    folder = home.files(rest.operation.id)[0].parent
    elsewhere = folder.rename(tmp_path / "elsewhere")
    elsewhere.chmod(0o755)
    folder.symlink_to(elsewhere)
    with pytest.raises(StoreUnfit, match="has to be a folder, not a link"):
        await home.engine(kind).question(home.tenant, rest.operation.id)
    assert stat.S_IMODE(elsewhere.stat().st_mode) == 0o755


async def test_what_has_ended_is_shown_without_its_checkpoints(home: Any) -> None:
    rest = await home.begun("memory")
    await home.decide(rest, "reject")
    await home.engine("memory").run(home.tenant, rest.operation.id)
    shown = await home.engine("memory").question(home.tenant, rest.operation.id)
    assert shown.operation.closed.outcome == "rejected"
    assert shown.question is None


async def test_a_checkpoint_that_another_process_saves_during_the_look_is_no_stranger(
    home: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    rest = await home.begun()
    name = workflow_name(rest.operation.id)
    mine, theirs = (home.engine().stores.of(home.tenant, rest.operation.id) for _ in range(2))
    latest = await theirs.get_latest(workflow_name=name)
    reading = mine.journal.entries

    async def while_another_saves() -> Any:
        read = list(await reading())
        await theirs.save(dataclasses.replace(latest, checkpoint_id=str(uuid.uuid4())))
        return read

    monkeypatch.setattr(mine.journal, "entries", while_another_saves)
    assert await mine.get_latest(workflow_name=name)


async def test_processes_that_save_at_once_lose_no_entry_of_the_journal(home: Any) -> None:
    rest = await home.begun()
    journals = [Journal(home.app.artifacts, home.tenant, rest.operation.id) for _ in range(3)]
    names = [f"checkpoint-{number}" for number in range(len(journals))]
    await asyncio.gather(
        *(journal.begin(name) for journal, name in zip(journals, names, strict=True))
    )
    fresh = Journal(home.app.artifacts, home.tenant, rest.operation.id)
    added = [each.checkpoint_id for each in await fresh.entries()][-len(names) :]
    assert sorted(added) == names


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps a user's folders private by itself")
@pytest.mark.parametrize("kind", FOLDERS)
async def test_folders_are_for_their_owner_alone(home: Any, kind: StoreKind) -> None:
    rest = await home.begun(kind)
    below = [home.folder, *home.files(rest.operation.id)[0].relative_to(home.folder).parents]
    for folder in (home.folder / each for each in below):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700, folder


async def test_a_name_that_leads_elsewhere_is_no_operations(home: Any) -> None:
    with pytest.raises(ValueError, match="not a valid"):
        home.engine().stores.of(home.tenant, "../elsewhere")
    for name in ("../elsewhere", "a\0b", "x" * 300, "a b", ""):
        with pytest.raises(ValueError, match="not a valid"):
            await home.engine().start(home.rita, home.research(), name)
        assert await home.history(name) == []


@pytest.mark.skipif(os.name == "nt", reason="Windows has rights of another kind")
def test_all_that_a_graph_keeps_is_its_users_alone(home: Any) -> None:
    token = home.token("Rita", "Research.Requester")
    begun = home.run_python("-m", "countersign.graph", "run", "Replay", "--token", token)
    assert begun.returncode == 0, begun.stderr
    kept = [path for path in home.app.settings.data.rglob("*") if not path.is_dir()]
    assert len(kept) > 5
    assert {str(path) for path in kept if stat.S_IMODE(path.stat().st_mode) & 0o077} == set()


@pytest.mark.parametrize("kind", FOLDERS)
async def test_what_takes_a_files_place_after_it_was_compared_is_never_decoded(
    home: Any, tmp_path: Path, kind: StoreKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    rest = await home.begun(kind)
    mark = tmp_path / "mark"
    reading = CheckpointFiles.read

    async def then_swapped(self: CheckpointFiles, checkpoint_id: str) -> bytes:
        data = await reading(self, checkpoint_id)
        self.file(checkpoint_id).write_text(pickled(Trap(mark)))
        return data

    monkeypatch.setattr(CheckpointFiles, "read", then_swapped)
    again = await home.engine(kind).question(home.tenant, rest.operation.id)
    assert again.request_id == rest.request_id
    assert not mark.exists()


@pytest.mark.parametrize("kind", FOLDERS)
async def test_a_checkpoint_that_is_far_too_large_is_not_read_whole(
    home: Any, kind: StoreKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    rest = await home.begun(kind)
    monkeypatch.setattr("countersign.graph.checkpoint_files.MOST_BYTES", 1000)
    with pytest.raises(DamagedCheckpoint, match=r"has changed since it was saved.*--afresh"):
        await home.engine(kind).question(home.tenant, rest.operation.id)
    with pytest.raises(TooLarge):
        read_private(home.files(rest.operation.id)[0], 1000)


@pytest.mark.skipif(os.name == "nt", reason="Windows lets few users make links")
@pytest.mark.parametrize("kind", FOLDERS)
async def test_a_link_in_a_checkpoints_place_is_not_followed(
    home: Any, tmp_path: Path, kind: StoreKind
) -> None:
    rest = await home.begun(kind)
    for file in home.files(rest.operation.id):
        file.symlink_to(file.rename(tmp_path / file.name))
    with pytest.raises(DamagedCheckpoint, match="has changed since it was saved"):
        await home.engine(kind).question(home.tenant, rest.operation.id)
