"""Artifacts that are kept in memory are read once, and looked for where they are if need be."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from countersign.stores.artifacts import MissingArtifact
from countersign.stores.cached_artifacts import CachedArtifacts
from countersign.stores.folder import FolderArtifacts


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "artifacts"


@pytest.fixture
def artifacts(folder: Path) -> CachedArtifacts:
    return CachedArtifacts(FolderArtifacts(folder))


@pytest.fixture
def lose_all(folder: Path) -> Callable[[], None]:
    return lambda: shutil.rmtree(folder)


async def test_what_was_put_or_got_is_not_read_again(
    folder: Path, artifacts: CachedArtifacts, lose_all: Callable[[], None]
) -> None:
    put = await artifacts.put("home", b"put here")
    got = await FolderArtifacts(folder).put("home", b"put elsewhere")
    assert await artifacts.get("home", got) == b"put elsewhere"
    lose_all()
    assert await artifacts.get("home", put) == b"put here"
    assert await artifacts.get("home", got) == b"put elsewhere"


async def test_what_is_lost_is_missed_by_whoever_asks_what_is_stored(
    artifacts: CachedArtifacts, lose_all: Callable[[], None]
) -> None:
    reference = await artifacts.put("home", b"lost")
    assert await artifacts.get_stored("home", reference) == b"lost"
    lose_all()
    with pytest.raises(MissingArtifact):
        await artifacts.get_stored("home", reference)


async def test_no_tenant_gets_what_another_one_has(artifacts: CachedArtifacts) -> None:
    reference = await artifacts.put("home", b"ours")
    await artifacts.remember("home", "key", reference)
    with pytest.raises(MissingArtifact):
        await artifacts.get("away", reference)
    assert await artifacts.recall("away", "key") is None


async def test_the_first_result_stands_wherever_it_was_made(
    folder: Path, artifacts: CachedArtifacts
) -> None:
    assert await artifacts.recall("home", "key") is None
    first = await FolderArtifacts(folder).remember("home", "key", "1" * 64)
    assert await artifacts.remember("home", "key", "2" * 64) == first
    assert await artifacts.recall("home", "key") == first
