"""What only the folder adapter promises: whole files, no way out, damage noticed, no litter."""

import os
import time
from pathlib import Path

import pytest

from countersign.stores.artifacts import DamagedArtifact
from countersign.stores.errors import StoreUnavailable
from countersign.stores.folder import FolderArtifacts
from countersign.stores.whole_file import ABANDONED_AFTER

A, B = "a" * 64, "b" * 64


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data" / "artifacts"


@pytest.fixture
def artifacts(folder: Path) -> FolderArtifacts:
    return FolderArtifacts(folder)


def files(folder: Path) -> list[Path]:
    return [file for file in folder.rglob("*") if file.is_file()]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


async def test_constructing_touches_nothing(folder: Path) -> None:
    FolderArtifacts(folder)
    assert not folder.parent.exists()


async def test_damage_is_noticed_and_putting_again_heals_it(
    folder: Path, artifacts: FolderArtifacts
) -> None:
    reference = await artifacts.put("home", b"otters")
    (file,) = files(folder)
    file.write_bytes(b"stoats")
    with pytest.raises(DamagedArtifact):
        await artifacts.get("home", reference)
    assert await artifacts.put("home", b"otters") == reference
    assert await artifacts.get("home", reference) == b"otters"


@pytest.mark.parametrize("left", [b"", b"aaaa", b"\xff" * 64, b"A" * 64])
async def test_a_torn_result_is_none_and_gives_way_to_the_next(
    folder: Path, artifacts: FolderArtifacts, left: bytes
) -> None:
    await artifacts.remember("home", "work", A)
    (file,) = files(folder)
    file.write_bytes(left)
    assert await artifacts.recall("home", "work") is None
    assert await artifacts.remember("home", "work", B) == B
    assert await artifacts.recall("home", "work") == B


async def test_no_name_leads_out_of_the_folder(
    tmp_path: Path, folder: Path, artifacts: FolderArtifacts
) -> None:
    await artifacts.put("../../out", b"otters")
    await artifacts.remember("/out", "../../../../out", A)
    assert names(tmp_path) == ["data"]
    assert names(folder.parent) == ["artifacts"]


async def test_what_a_killed_writer_left_is_swept_away(
    folder: Path, artifacts: FolderArtifacts
) -> None:
    await artifacts.put("home", b"otters")
    incoming = folder / ".incoming"
    assert list(incoming.iterdir()) == []
    old, fresh = incoming / "old", incoming / "fresh"
    old.write_bytes(b"ott")
    fresh.write_bytes(b"sto")
    past = time.time() - ABANDONED_AFTER - 1
    os.utime(old, (past, past))
    await artifacts.put("home", b"stoats")
    assert list(incoming.iterdir()) == [fresh]


async def test_a_file_in_the_folder_s_place_is_a_clear_error(tmp_path: Path) -> None:
    (file := tmp_path / "artifacts").touch()
    with pytest.raises(StoreUnavailable, match="artifacts"):
        await FolderArtifacts(file).put("home", b"otters")
