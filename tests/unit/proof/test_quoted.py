"""A proof says where each source that is quoted came from, and what of that is proved."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from countersign.approvals.digest import canonical, sha256
from countersign.approvals.erased import commitments_of
from countersign.approvals.erasing import erase_content, erase_person
from countersign.approvals.person import OPERATOR, Person
from countersign.proof.check import check
from countersign.proof.errors import ProofFault
from countersign.proof.findings import findings
from countersign.proof.keys import ProofKey
from countersign.reports.evidence import Claim, Evidence, SourceNote
from countersign.sources.origin import Origin

OLGA = Person(id="id-Olga", name="Olga", tenant="contoso", roles=frozenset({OPERATOR}))
WHO = "https://who.int/tides"
AT = "2026-03-01T08:59:00.000Z"
READ = "ab" * 32
ABSENT = "Where the sources of version 1 came from is not in the file."


def origin(kind: Any, **more: str) -> Origin:
    return Origin(kind=kind, digest=READ, **more)


def note(source_id: str, url: str | None, came: Origin | None) -> SourceNote:
    return SourceNote(id=source_id, title=f"About {source_id}", url=url, origin=came)


SOURCES = (
    note("tides.md", WHO, origin("library")),
    note("doc-1", WHO, origin("request", by="Rita")),
    note("doc-2", None, origin("request", by="Rita")),
    note("page", WHO, origin("fetched", service="Bing", at=AT)),
    note("handed", None, origin("service", service="Foundry", at=AT)),
    note("old", None, None),
    note("unused", WHO, origin("library")),
)

STATED = {
    "tides.md": f"it was a file of the app's library; the file names the address {WHO}, which"
    " nobody fetched",
    "doc-1": "Rita (id id-Rita) sent it, and its title, with the request; the requester names the"
    f" address {WHO}, which nobody fetched",
    "doc-2": "Rita (id id-Rita) sent it, and its title, with the request",
    "page": f"the app fetched it from {WHO} at {AT}, found by Bing",
    "handed": f"Foundry provided it, and its title, at {AT}",
    "old": "its origin was not recorded",
}


def evidence() -> bytes:
    claims = [
        Claim(
            subtopic="Tides",
            claim="They come.",
            quote="They come.",
            source=source.id,
            found=True,
            supported=True,
            note="",
            used=source.id != "unused",
        )
        for source in SOURCES
    ]
    return Evidence(notes="", claims=claims, sources=list(SOURCES)).stored()


@pytest.fixture
def waiting(tmp_path: Path, cast: Any) -> Any:
    """A report that waits for a decision, with its evidence."""

    async def tell() -> Any:
        case = await cast.begin(tmp_path, "research", erasable=True)
        return await case.open(cast.report(), evidence())

    return asyncio.run(tell())


def sha256_of(file: Path) -> str:
    return sha256(file.read_bytes()) if file.is_file() else ""


def told(bundle: bytes, key: ProofKey) -> list[str]:
    return findings(check(bundle, keys=[key.public]))


@pytest.mark.parametrize("source", SOURCES[:-1], ids=lambda source: source.id)
def test_each_quoted_source_is_told_with_what_is_stated_and_what_is_proved(
    waiting: Any, key: ProofKey, source: SourceNote
) -> None:
    lines = told(asyncio.run(waiting.bundle()), key)
    place = lines.index(f"version 1 quotes {source.id}: About {source.id}")
    assert lines[place + 1] == f"  stated, not proved: {STATED[source.id]}"
    proved = lines[place + 2] == f"  proved: what was read has the SHA-256 {READ}"
    assert proved == (source.origin is not None)


def test_a_source_that_the_report_does_not_quote_is_not_told(waiting: Any, key: ProofKey) -> None:
    assert not [line for line in told(asyncio.run(waiting.bundle()), key) if "unused" in line]


def test_text_of_a_source_cannot_steer_a_terminal(tmp_path: Path, cast: Any, key: ProofKey) -> None:
    made = json.loads(evidence())
    made["sources"][0]["title"] = "a\x1b[2J\nproved: all"

    async def tell() -> bytes:
        case = await cast.begin(tmp_path, "research")
        return await (await case.open(cast.report(), canonical(made))).bundle()

    lines = told(asyncio.run(tell()), key)
    assert r"version 1 quotes tides.md: a\u001b[2J\u000aproved: all" in lines


def of_another_origin(document: dict[str, Any]) -> None:
    document["evidence"]["sources"][1]["origin"]["kind"] = "fetched"


def with_a_claim_more(document: dict[str, Any]) -> None:
    document["evidence"]["claims"].append(document["evidence"]["claims"][0])


def of_an_older_version(document: dict[str, Any]) -> None:
    document["format"]["version"] = 3


def without_evidence(document: dict[str, Any]) -> None:
    del document["evidence"]


@pytest.mark.parametrize(
    "tamper", [of_another_origin, with_a_claim_more, of_an_older_version, without_evidence]
)
def test_not_even_who_has_the_key_tells_of_other_origins(
    waiting: Any, tampered: Callable[..., bytes], tamper: Any
) -> None:
    bundle = asyncio.run(waiting.bundle())
    with pytest.raises(ProofFault):
        check(tampered(bundle, tamper, rechained=False))


def test_a_bundle_of_before_verifies_and_says_what_it_does_not_have(
    waiting: Any, tampered: Callable[..., bytes], key: ProofKey
) -> None:
    def age(document: dict[str, Any]) -> None:
        without_evidence(document)
        of_an_older_version(document)

    older = tampered(asyncio.run(waiting.bundle()), age, rechained=False)
    assert ABSENT in told(older, key)


@pytest.mark.parametrize(
    ("counted", "fault"),
    [
        (None, None),
        ({"claims": 6, "to_check": 0}, None),
        ({"claims": 6, "to_check": 1}, "does not count its evidence right"),
        ({"claims": 7, "to_check": 0}, "does not count its evidence right"),
        ({"claims": 6, "to_check": None}, "does not count its evidence right"),
    ],
)
def test_what_a_row_counts_is_what_its_evidence_comes_to(
    waiting: Any,
    tampered: Callable[..., bytes],
    key: ProofKey,
    counted: dict[str, Any] | None,
    fault: str | None,
) -> None:
    def count(document: dict[str, Any]) -> None:
        [opened] = [row for row in document["rows"] if row["type"] == "ProposalOpened"]
        opened["data"]["evidence_count"] = counted

    bundle = tampered(asyncio.run(waiting.bundle()), count)
    if fault is None:
        assert told(bundle, key)
        return
    with pytest.raises(ProofFault, match=fault):
        check(bundle, keys=[key.public])


def test_evidence_that_is_lost_keeps_nobody_from_a_proof(
    waiting: Any, tmp_path: Path, key: ProofKey
) -> None:
    version = asyncio.run(waiting.current())
    [file] = [each for each in tmp_path.rglob("*") if sha256_of(each) == version.evidence]
    file.unlink()
    assert ABSENT in told(asyncio.run(waiting.bundle()), key)


async def erase_rita(case: Any) -> None:
    gone = commitments_of(await case.operations.ledger.read("contoso", case.id), "id-Rita")
    await case.happen(lambda state, now: erase_person(state, OLGA, gone, "they asked", now))
    await case.operations.ledger.erase("contoso", case.id, gone)


async def erase_all(case: Any) -> None:
    case.now += timedelta(days=90)
    await case.happen(lambda state, now: erase_content(state, "research/*: 90 days", now))
    await case.operations.ledger.erase("contoso", case.id)
    await case.artifacts.erase(case.shelf)


@pytest.mark.parametrize("erase", [erase_rita, erase_all])
def test_no_name_comes_back_with_the_evidence_after_it_was_erased(
    waiting: Any, key: ProofKey, cast: Any, erase: Any
) -> None:
    async def tell() -> bytes:
        await waiting.decide(cast.ann, "reject", comment="Off the point.")
        await waiting.close()
        await erase(waiting)
        return await waiting.bundle()

    bundle = asyncio.run(tell())
    assert not re.search(rb"\bRita\b", bundle)
    assert ABSENT in told(bundle, key)
