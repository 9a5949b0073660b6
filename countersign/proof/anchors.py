"""Anchors: once a day one hash over the ends of all ledgers of a tenant, kept outside of its reach.

An anchor is a line of JSON in a file that whoever writes the storage can't change. What was in a
ledger on that day can't be taken away, rewritten or dated back afterwards without being seen.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AfterValidator, Field, ValidationError

from countersign.approvals.digest import canonical, sha256
from countersign.approvals.ledger import Row
from countersign.proof.bundle import Inclusion, Part, Sha256
from countersign.proof.errors import ProofFault
from countersign.proof.merkle import leaf_hash, path_of, root_from, root_of

RECORDED_WITHIN = timedelta(minutes=10)
"""After the moment that it names, an operation's first row is in the ledger, and found there."""


class Head(Part):
    """The last row of an operation's ledger: how many there are, and its hash."""

    operation: str
    rows: Annotated[int, Field(ge=1)]
    hash: Sha256

    @property
    def leaf(self) -> bytes:
        """Its entry in the tree."""
        return leaf_hash(canonical(self.model_dump()))


def _a_day(text: str) -> str:
    date.fromisoformat(text)
    return text


class Anchor(Part):
    """One line of an anchors file.

    Attributes:
        day: of the heads (UTC).
        size: how many operations there are.
        root: of the Merkle tree over their heads, which are sorted by the operations' ids.
    """

    format: Literal["countersign-anchor 1"]
    tenant: str
    day: Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"), AfterValidator(_a_day)]
    size: int
    root: Sha256

    @property
    def line(self) -> str:
        """The line, with its end."""
        return f"{canonical(self.model_dump()).decode()}\n"


Anchors: TypeAlias = Mapping[tuple[str, str], Anchor]
"""Anchors by tenant and day."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Heads:
    """The heads of all ledgers of a tenant, of one day."""

    tenant: str
    day: date
    heads: Sequence[Head]

    @property
    def anchor(self) -> Anchor:
        """Their anchor."""
        return Anchor(
            format="countersign-anchor 1",
            tenant=self.tenant,
            day=self.day.isoformat(),
            size=len(self.heads),
            root=root_of([head.leaf for head in self.heads]).hex(),
        )

    def inclusion(self, operation_id: str) -> Inclusion | None:
        """Return the proof that an operation is among them; None if it isn't."""
        places = {head.operation: index for index, head in enumerate(self.heads)}
        index = places.get(operation_id)
        if index is None:
            return None
        leaves = [head.leaf for head in self.heads]
        return Inclusion(
            day=self.day.isoformat(),
            rows=self.heads[index].rows,
            index=index,
            size=len(leaves),
            path=[node.hex() for node in path_of(leaves, index)],
        )

    def stored(self) -> bytes:
        """As they are kept beside the other artifacts, so that proofs can have inclusions."""
        heads = [head.model_dump() for head in self.heads]
        return canonical({"tenant": self.tenant, "day": self.day.isoformat(), "heads": heads})


def read_heads(stored: bytes) -> Heads:
    """Heads as they were kept.

    Raises:
        ValueError: they are something else.
    """
    said: Any = json.loads(stored)
    try:
        heads = [Head.model_validate(each) for each in said["heads"]]
        return Heads(tenant=said["tenant"], day=date.fromisoformat(said["day"]), heads=heads)
    except (LookupError, TypeError) as error:
        raise ValueError("these are no heads") from error


def key_of(day: date) -> str:
    """Return the key under which the heads of a day are stored."""
    return sha256(canonical(["anchor", day.isoformat()]))


def number_key(number: int) -> str:
    """Return the key under which the heads of a tenant's anchor are stored, by number from 1."""
    return sha256(canonical(["anchor number", number]))


def head_of(operation_id: str, rows: Sequence[Row]) -> Head:
    """Return the head of a ledger that has begun."""
    return Head(operation=operation_id, rows=len(rows), hash=rows[-1].hash)


def lost_since(before: Head, rows: Sequence[Row]) -> str | None:
    """Return what is wrong with a ledger since its anchor, as a sentence; None if it only grew."""
    if not rows:
        return f"{before.operation} is gone: its last row was row {before.rows}."
    if len(rows) < before.rows:
        return f"{before.operation} had {before.rows} rows, and has {len(rows)}."
    if rows[before.rows - 1].hash != before.hash:
        return f"{before.operation} was rewritten: row {before.rows} or one before it is another."
    return None


def read_anchors(text: str) -> Anchors:
    """Return the anchors in a file, by tenant and day.

    A line of which only a part was written, because the disk was full, is passed over.

    Raises:
        ProofFault: a line is something else, or two are of one tenant and day.
    """
    found: dict[tuple[str, str], Anchor] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            anchor = Anchor.model_validate_json(line)
        except ValidationError:
            if _is_cut_off(line):
                continue
            raise ProofFault(f"line {number} of the anchors is no anchor") from None
        key = anchor.tenant, anchor.day
        if found.setdefault(key, anchor) != anchor:
            raise ProofFault(f"line {number} of the anchors contradicts one before it")
    return found


def _is_cut_off(line: str) -> bool:
    """Whether a line begins as an anchor's does and lacks its end; it may be empty."""
    beginning = '{"day":"'
    return beginning.startswith(line[: len(beginning)]) and not line.rstrip().endswith("}")


def check_inclusion(
    anchors: Anchors,
    tenant: str,
    operation_id: str,
    rows: Sequence[Row],
    inclusion: Inclusion | None,
) -> str | None:
    """Return the day of the anchor that holds a ledger's first rows; None if it is newer.

    Raises:
        ProofFault: it would have to be in an anchor, and isn't, or not as it is now.
    """
    if inclusion is None:
        began = rows[0].event.at
        there = (began + RECORDED_WITHIN).date().isoformat()
        missed = [anchor.day for key, anchor in anchors.items() if key[0] == tenant]
        if since := [day for day in missed if day > there]:
            raise ProofFault(
                f"it says that it began on {began.date()}, and names no anchor, though there is one"
                f" of {min(since)}"
            )
        return None
    anchor = anchors.get((tenant, inclusion.day))
    if anchor is None:
        raise ProofFault(
            f"it names the anchor of {inclusion.day}, which is not among the given ones of its"
            " tenant: they are older, or it was never made"
        )
    if not 1 <= inclusion.rows <= len(rows):
        raise ProofFault(f"the anchor of {inclusion.day} has more of its rows than it has itself")
    head = head_of(operation_id, rows[: inclusion.rows])
    path = [bytes.fromhex(node) for node in inclusion.path]
    root = root_from(head.leaf, inclusion.index, inclusion.size, path)
    if root is None or (root.hex(), inclusion.size) != (anchor.root, anchor.size):
        raise ProofFault(f"its rows are not those that the anchor of {inclusion.day} holds")
    return inclusion.day
