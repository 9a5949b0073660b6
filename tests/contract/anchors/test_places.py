"""Anchors are read as they were written, and a day has one, wherever they are."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from uuid import uuid4

import pytest

from countersign.anchors.blobs import AnchorBlobs
from countersign.anchors.file import AnchorFile
from countersign.proof.anchor_place import AnchorPlace
from countersign.proof.anchors import Anchor
from countersign.proof.errors import ProofFault
from countersign.stores.account import StorageAccount
from countersign.stores.blobs import Container

MONDAY, TUESDAY = date(2026, 11, 30), date(2026, 12, 1)
TENANTS = ("home", "../home", "https://login.example/ä", "home/2026")


def anchor(tenant: str, day: date, root: str = "0") -> Anchor:
    return Anchor(
        format="countersign-anchor 1",
        tenant=tenant,
        day=day.isoformat(),
        size=1,
        root=root * 64,
    )


@pytest.fixture
def account(request: pytest.FixtureRequest) -> StorageAccount:
    prefix = f"t{uuid4().hex[:12]}"
    return StorageAccount(connection_string=request.getfixturevalue("azurite"), prefix=prefix)


@pytest.fixture(params=["file", "blobs"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> AnchorPlace:
    if request.param == "file":
        return AnchorFile(tmp_path / "anchors.jsonl")
    return AnchorBlobs(request.getfixturevalue("account"))


async def test_each_tenant_has_its_own_anchors_the_oldest_first(place: AnchorPlace) -> None:
    assert await place.days("home") == []
    for tenant in TENANTS:
        for day in (TUESDAY, MONDAY):
            await place.write(anchor(tenant, day))
    assert await place.tenants() == sorted(TENANTS)
    for tenant in TENANTS:
        assert await place.days(tenant) == [MONDAY, TUESDAY]
        assert await place.read(tenant, MONDAY) == anchor(tenant, MONDAY)


async def test_an_anchor_that_is_gone_is_named(place: AnchorPlace) -> None:
    await place.write(anchor("home", MONDAY))
    with pytest.raises(ProofFault, match="2026-12-01 for home is gone"):
        await place.read("home", TUESDAY)


@pytest.mark.parametrize("length", [1, 40, -1])
async def test_an_anchor_after_one_of_which_only_a_part_was_written_has_its_own_line(
    tmp_path: Path, length: int
) -> None:
    file = tmp_path / "anchors.jsonl"
    place = AnchorFile(file)
    await place.write(anchor("home", MONDAY))
    with file.open("a", encoding="utf-8") as stream:
        stream.write(anchor("away", MONDAY).line[:length])
    await place.write(anchor("home", TUESDAY))
    assert await place.days("home") == [MONDAY, TUESDAY]
    assert await place.read("home", TUESDAY) == anchor("home", TUESDAY)
    assert file.read_text("utf-8").endswith(f"\n{anchor('home', TUESDAY).line}")


async def test_no_blob_is_written_twice(account: StorageAccount) -> None:
    place = AnchorBlobs(account)
    await place.write(anchor("home", MONDAY))
    # Its answer may have been lost, so that it is written again.
    await place.write(anchor("home", MONDAY))
    with pytest.raises(ProofFault, match="another anchor of 2026-11-30"):
        await place.write(anchor("home", MONDAY, root="1"))
    assert await place.read("home", MONDAY) == anchor("home", MONDAY)


@pytest.mark.parametrize("name", ["home/notes.txt", "home/2026-11-30"])
async def test_blobs_of_something_else_are_left_alone(account: StorageAccount, name: str) -> None:
    await Container(account, "anchors").create(name, b"Buy milk", "text/plain")
    place = AnchorBlobs(account)
    with pytest.raises(ProofFault):
        [await place.read("home", day) for day in await place.days("home")]


async def test_blobs_without_a_folder_are_of_no_tenant(account: StorageAccount) -> None:
    await Container(account, "anchors").create("notes.txt", b"Buy milk", "text/plain")
    place = AnchorBlobs(account)
    assert await place.tenants() == []
    await place.write(anchor("home", MONDAY))
    assert await place.tenants() == ["home"]
