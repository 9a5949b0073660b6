"""What was anchored can't be deleted, cut, rewritten or dated back without being seen."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from countersign.proof.anchoring import (
    heads_of,
    heads_on,
    keep_heads,
    number_heads,
    take_heads,
)
from countersign.proof.anchors import Anchors, Heads, read_anchors
from countersign.proof.check import check
from countersign.proof.errors import ProofFault
from countersign.proof.findings import findings
from countersign.proof.keys import ProofKey

TENANT = "contoso"


class Anchored:
    """A tenant with one operation of a kind, of which a part was anchored on the first day."""

    def __init__(self, folder: Path, case: Any) -> None:
        self.file, self.case = folder / "countersign.db", case
        self.heads: Heads | None = None
        self.lines = ""

    async def anchor(self, *, ids: Sequence[str] = (), broken_off: str = "") -> list[str]:
        """Anchor what there is; a run can break off after the heads are `kept` or `written`."""
        ledger, artifacts = self.case.operations.ledger, self.case.artifacts
        ids = ids or ([self.case.id] if self.heads is None else [])
        day = self.case.now.date()
        kept = await heads_on(artifacts, TENANT, day)
        taken, lost = await take_heads(ledger, ids, TENANT, day, self.heads, kept)
        if lost:
            return list(lost)
        assert await keep_heads(artifacts, taken)
        if broken_off == "kept":
            return []
        assert await heads_of(artifacts, taken.anchor) == taken
        self.heads, self.lines = taken, self.lines + taken.anchor.line
        if broken_off != "written":
            await self.number()
        return []

    async def number(self) -> None:
        days = sorted(date.fromisoformat(day) for _, day in self.anchors)
        await number_heads(self.case.artifacts, TENANT, days)

    def proven(self, key: ProofKey) -> str | None:
        """The day of the anchor that confirms what a proof of today says."""
        bundle = asyncio.run(self.case.bundle())
        return check(bundle, keys=[key.public], anchors=self.anchors).anchored

    def change(self, statement: str) -> None:
        """Whoever writes the storage does."""
        with closing(sqlite3.connect(self.file)) as database:
            for trigger in ("no_delete", "no_update"):
                database.execute(f"DROP TRIGGER IF EXISTS {trigger}")
            database.execute(statement)
            database.commit()

    @property
    def anchors(self) -> Anchors:
        return read_anchors(self.lines)


@pytest.fixture
def anchored(tmp_path: Path, cast: Any) -> Anchored:
    """An order that one of two has approved; the second does on the next day."""

    async def story() -> Anchored:
        case = await cast.begin(tmp_path, "purchase")
        await case.open(cast.order(quantity=2))
        await case.decide(cast.ann)
        anchored = Anchored(tmp_path, case)
        assert await anchored.anchor() == []
        return anchored

    return asyncio.run(story())


def test_a_proof_says_what_was_anchored_and_the_anchor_confirms_it(
    anchored: Anchored, cast: Any, key: ProofKey
) -> None:
    asyncio.run(anchored.case.decide(cast.bob))
    bundle = asyncio.run(anchored.case.bundle())
    proof = check(bundle, keys=[key.public], anchors=anchored.anchors)
    assert proof.anchored == "2026-03-01"
    assert any("Its rows until 2026-03-01 are those" in line for line in findings(proof))
    assert json.loads(bundle)["format"]["version"] == 2
    assert json.loads(bundle)["inclusion"]["rows"] == 3


@pytest.mark.parametrize("days", [1, 7, 8, 9, 400])
def test_an_honest_proof_is_confirmed_however_long_ago_the_last_anchor_was(
    anchored: Anchored, key: ProofKey, days: int
) -> None:
    anchored.case.now += timedelta(days=days)
    assert anchored.proven(key) == "2026-03-01"


@pytest.mark.parametrize("pauses", [(1, 1, 1, 1), (30, 1, 60), (9, 9, 9, 9, 9, 9, 9)])
def test_the_newest_of_many_anchors_confirms_it(
    anchored: Anchored, key: ProofKey, pauses: Sequence[int]
) -> None:
    for days in pauses:
        anchored.case.now += timedelta(days=days)
        assert asyncio.run(anchored.anchor()) == []
    assert anchored.proven(key) == anchored.case.now.date().isoformat()


@pytest.mark.parametrize("broken_off", ["kept", "written"])
def test_a_run_that_broke_off_makes_no_proof_false_and_is_taken_up(
    anchored: Anchored, key: ProofKey, broken_off: str
) -> None:
    anchored.case.now += timedelta(days=1)
    assert asyncio.run(anchored.anchor(broken_off=broken_off)) == []
    assert anchored.proven(key) == "2026-03-01"
    asyncio.run(anchored.case.expire())
    if broken_off == "kept":
        assert asyncio.run(anchored.anchor()) == []
    else:
        asyncio.run(anchored.number())
    assert anchored.proven(key) == "2026-03-02"


def test_anchors_of_an_earlier_release_are_numbered_with_the_next_one(
    anchored: Anchored, key: ProofKey
) -> None:
    for _ in range(3):
        anchored.case.now += timedelta(days=1)
        assert asyncio.run(anchored.anchor(broken_off="written")) == []
    anchored.case.now += timedelta(days=40)
    assert asyncio.run(anchored.anchor()) == []
    assert anchored.proven(key) == "2026-04-13"


@pytest.mark.parametrize(
    ("began", "day", "refused"),
    [
        (datetime(2026, 3, 1, 23, 59, 58, tzinfo=timezone.utc), date(2026, 3, 2), False),
        (datetime(2026, 3, 1, 23, 49, tzinfo=timezone.utc), date(2026, 3, 2), True),
        (datetime(2026, 3, 1, 23, 59, 58, tzinfo=timezone.utc), date(2026, 3, 3), True),
    ],
)
def test_what_was_being_recorded_at_midnight_may_be_in_the_next_anchor_only(
    tmp_path: Path, cast: Any, began: datetime, day: date, refused: bool
) -> None:
    async def bundle() -> bytes:
        case = cast.case(tmp_path, "research")
        case.now = began
        return await (await case.start()).bundle()

    anchors = read_anchors(Heads(tenant=TENANT, day=day, heads=[]).anchor.line)
    proof = asyncio.run(bundle())
    if not refused:
        assert check(proof, anchors=anchors).anchored is None
        return
    with pytest.raises(ProofFault, match="names no anchor"):
        check(proof, anchors=anchors)


def test_kept_heads_that_lack_an_older_operation_are_not_anchored(anchored: Anchored) -> None:
    """Somebody who can write the storage kept them, before the anchor of the day was made."""
    case = anchored.case
    case.now += timedelta(days=1)
    made_up = Heads(tenant=TENANT, day=case.now.date(), heads=[])
    assert asyncio.run(keep_heads(case.artifacts, made_up))
    [lost] = asyncio.run(anchored.anchor())
    assert "the heads that are kept of that day lack it" in lost


def test_anchors_that_are_older_than_a_proof_are_told_of(anchored: Anchored) -> None:
    before = anchored.anchors
    anchored.case.now += timedelta(days=1)
    assert asyncio.run(anchored.anchor()) == []
    bundle = asyncio.run(anchored.case.bundle())
    with pytest.raises(ProofFault, match="not among the given ones of its tenant: they are older"):
        check(bundle, anchors=before)


def test_no_anchor_confirms_a_ledger_that_was_rewritten_since(
    anchored: Anchored, tampered: Callable[..., bytes]
) -> None:
    """By somebody who has the key, so that every signature is right."""
    bundle = asyncio.run(anchored.case.bundle())

    def rewrite(document: dict[str, Any]) -> None:
        requester = {"id": "id-Ruth", "name": "Ruth"}
        document["rows"][0]["data"]["actor"].update(requester)
        document["summary"]["requester"] = requester

    rewritten = tampered(bundle, rewrite)
    assert check(rewritten)
    with pytest.raises(ProofFault, match="not those that the anchor of 2026-03-01 holds"):
        check(rewritten, anchors=anchored.anchors)


def test_no_anchor_confirms_a_ledger_that_was_cut(
    anchored: Anchored, tampered: Callable[..., bytes], bundles: Mapping[str, bytes]
) -> None:
    bundle = asyncio.run(anchored.case.bundle())

    def cut(document: dict[str, Any]) -> None:
        document["rows"].pop()
        [version] = document["summary"]["versions"]
        version["decisions"] = []

    with pytest.raises(ProofFault, match="has more of its rows"):
        check(tampered(bundle, cut), anchors=anchored.anchors)


def test_an_operation_that_was_dated_back_is_in_no_anchor(
    anchored: Anchored, bundles: Mapping[str, bytes]
) -> None:
    """It says that it began before a day whose anchor does not have it."""
    late = anchored.heads
    assert late
    day = late.day + timedelta(days=1)
    anchors = read_anchors(Heads(tenant=TENANT, day=day, heads=[]).anchor.line)
    with pytest.raises(ProofFault, match="names no anchor, though there is one of 2026-03-02"):
        check(bundles["running"], anchors=anchors)
    assert check(bundles["running"], anchors=anchored.anchors).anchored is None


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("DELETE FROM ledger", "is gone: its last row was row 3"),
        ("DELETE FROM ledger WHERE sequence = 3", "had 3 rows, and has 2"),
        ("UPDATE ledger SET hash = '00' WHERE sequence = 3", "was rewritten: row 3"),
    ],
)
def test_the_next_anchor_names_what_is_lost_and_is_not_written(
    anchored: Anchored, statement: str, told: str
) -> None:
    before = anchored.lines
    anchored.change(statement)
    anchored.case.now += timedelta(days=1)
    [lost] = asyncio.run(anchored.anchor())
    assert told in lost
    assert anchored.lines == before


def test_what_only_grew_is_anchored_again(anchored: Anchored, cast: Any) -> None:
    anchored.case.now += timedelta(seconds=5)
    asyncio.run(anchored.case.decide(cast.bob))
    anchored.case.now += timedelta(days=1)
    assert asyncio.run(anchored.anchor()) == []
    assert {anchor.day for anchor in anchored.anchors.values()} == {"2026-03-01", "2026-03-02"}


def test_kept_heads_that_lack_an_older_row_are_not_anchored(anchored: Anchored, cast: Any) -> None:
    """Somebody who can write the storage left the last decisions out of the day's heads."""

    async def story() -> list[str]:
        await anchored.case.decide(cast.bob)
        anchored.case.now += timedelta(days=1)
        assert anchored.heads is not None
        short = replace(anchored.heads, day=anchored.case.now.date())
        assert await keep_heads(anchored.case.artifacts, short)
        return await anchored.anchor()

    [lost] = asyncio.run(story())
    assert "the heads that are kept of that day lack it" in lost


def test_heads_that_somebody_kept_in_their_place_are_not_taken(anchored: Anchored) -> None:
    case, heads = anchored.case, anchored.heads
    assert heads
    made_up = Heads(tenant=TENANT, day=heads.day + timedelta(days=1), heads=[])
    assert asyncio.run(keep_heads(case.artifacts, made_up))
    next_day = Heads(tenant=TENANT, day=made_up.day, heads=heads.heads)
    assert not asyncio.run(keep_heads(case.artifacts, next_day))
    assert asyncio.run(heads_of(case.artifacts, next_day.anchor)) is None


@pytest.mark.parametrize(
    "line", ["x", "[]", "{}", '{"day":"2026"x}', '{"format": "countersign-anchor 2"}']
)
def test_a_file_with_anything_else_is_no_file_of_anchors(anchored: Anchored, line: str) -> None:
    with pytest.raises(ProofFault, match="line 2 of the anchors is no anchor"):
        read_anchors(f"{anchored.lines}{line}\n")


@pytest.mark.parametrize("line", ["x", "{}", '{"format": "countersign-anchor 2"'])
def test_nor_is_one_that_ends_with_anything_else(anchored: Anchored, line: str) -> None:
    with pytest.raises(ProofFault, match="line 2 of the anchors is no anchor"):
        read_anchors(f"{anchored.lines}{line}")


@pytest.mark.parametrize("length", [0, 1, 5, 12, 40, -2])
def test_a_line_of_which_only_a_part_was_written_is_passed_over(
    anchored: Anchored, length: int
) -> None:
    """The disk was full, once or twice."""
    heads = anchored.heads
    assert heads
    after = Heads(tenant=TENANT, day=heads.day + timedelta(days=1), heads=heads.heads).anchor.line
    part = after[:length]
    assert read_anchors(f"{anchored.lines}{part}") == anchored.anchors
    both = {**anchored.anchors, **read_anchors(after)}
    assert read_anchors(f"{anchored.lines}{part}\n{after}") == both
    assert read_anchors(f"{anchored.lines}{part}\n{part}\n{after}") == both


def test_a_last_line_that_lacks_only_its_end_is_an_anchor(anchored: Anchored) -> None:
    assert read_anchors(anchored.lines.removesuffix("\n")) == anchored.anchors


def test_two_anchors_of_one_day_contradict_each_other(anchored: Anchored) -> None:
    heads = anchored.heads
    assert heads
    other = Heads(tenant=TENANT, day=heads.day, heads=[]).anchor.line
    with pytest.raises(ProofFault, match="line 2 of the anchors contradicts one before it"):
        read_anchors(anchored.lines + other)
