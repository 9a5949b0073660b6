"""After names and texts are erased a proof still verifies, and says so; nothing else can lack."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from countersign.approvals.erased import commitments_of
from countersign.approvals.erasing import erase_content, erase_person
from countersign.approvals.person import OPERATOR, Person
from countersign.proof.check import ProvenOperation, check
from countersign.proof.errors import ProofFault
from countersign.proof.findings import findings
from countersign.proof.keys import ProofKey

OLGA = Person(id="id-Olga", name="Olga", tenant="contoso", roles=frozenset({OPERATOR}))
ENDED = ("published", "ordered", "rejected", "expired", "withdrawn", "write_unknown", "failed")
NAMES = ("Rita", "Ann", "Bob", "Eve", "Tides", "chairs")


@pytest.fixture
def told(tmp_path: Path, cast: Any) -> Callable[[str], Any]:
    """An operation of today with one of the outcomes."""

    def tell(story: str) -> Any:
        begin = partial(cast.begin, tmp_path, erasable=True)
        return asyncio.run(cast.stories[story](begin))

    return tell


def named_in(text: str) -> list[str]:
    # Whole words: three letters in a row are in a signature by chance.
    return re.findall(rf"\b({'|'.join(NAMES)})\b", text)


def proven(case: Any, key: ProofKey) -> tuple[bytes, ProvenOperation]:
    bundle = asyncio.run(case.bundle())
    return bundle, check(bundle, keys=[key.public])


async def erase(case: Any) -> None:
    case.now += timedelta(days=90)
    await case.happen(lambda state, now: erase_content(state, "research/*: 90 days", now))
    await case.operations.ledger.erase("contoso", case.id)
    await case.artifacts.erase(case.shelf)


async def erase_one(case: Any, person: str) -> None:
    gone = commitments_of(await case.operations.ledger.read("contoso", case.id), person)
    await case.happen(lambda state, now: erase_person(state, OLGA, gone, "they asked", now))
    await case.operations.ledger.erase("contoso", case.id, gone)


@pytest.mark.parametrize("story", [*ENDED, "running", "awaiting_approval"])
def test_a_proof_of_today_opens_its_commitments_and_verifies(
    told: Callable[[str], Any], key: ProofKey, story: str
) -> None:
    bundle, proof = proven(told(story), key)
    document = json.loads(bundle)
    assert document["format"]["version"] == 3
    assert proof.operation.requester.name == "Rita"
    assert proof.signed
    hashed = str([row["data"] for row in document["rows"]])
    assert not named_in(hashed)


@pytest.mark.parametrize("story", ENDED)
def test_after_all_is_erased_it_verifies_and_says_under_which_rule(
    told: Callable[[str], Any], key: ProofKey, story: str
) -> None:
    case = told(story)
    _, before = proven(case, key)
    asyncio.run(erase(case))
    bundle, proof = proven(case, key)
    assert not named_in(bundle.decode())
    assert json.loads(bundle)["contents"] == {}
    digests = [each.digest for each in proof.operation.proposals]
    assert digests == [each.digest for each in before.operation.proposals]
    assert any("All names, texts and contents were erased" in line for line in findings(proof))
    assert any("research/*: 90 days" in line for line in findings(proof))


@pytest.mark.parametrize(
    ("story", "person"),
    [
        *((story, "id-Rita") for story in ENDED),
        *((story, "id-Ann") for story in ENDED if story != "expired"),
    ],
)
def test_after_one_person_is_erased_it_verifies_and_names_all_others(
    told: Callable[[str], Any], key: ProofKey, story: str, person: str
) -> None:
    case = told(story)
    assert person.encode() in asyncio.run(case.bundle())
    asyncio.run(erase_one(case, person))
    bundle, proof = proven(case, key)
    assert person.encode() not in bundle
    assert b"Olga" in bundle
    assert any("What one person is called and wrote was erased" in each for each in findings(proof))


def test_a_report_that_somebody_kept_is_still_the_one_that_was_published(
    told: Callable[[str], Any], key: ProofKey
) -> None:
    case = told("published")
    asyncio.run(erase(case))
    bundle = asyncio.run(case.bundle())
    assert check(bundle, keys=[key.public], report=b"# My own words\n").report
    with pytest.raises(ProofFault, match="SHA-256"):
        check(bundle, keys=[key.public], report=b"# Other words\n")


def test_a_proof_that_was_fetched_before_verifies_as_before(
    told: Callable[[str], Any], key: ProofKey
) -> None:
    case = told("published")
    bundle, before = proven(case, key)
    asyncio.run(erase(case))
    assert check(bundle, keys=[key.public]) == before


def first_opening(document: dict[str, Any]) -> tuple[dict[str, Any], str]:
    openings = document["rows"][0]["openings"]
    return openings, next(iter(openings))


def without_one(document: dict[str, Any]) -> None:
    openings, named = first_opening(document)
    del openings[named]


def without_any(document: dict[str, Any]) -> None:
    for row in document["rows"]:
        row.pop("openings", None)


def with_another_name(document: dict[str, Any]) -> None:
    openings, named = first_opening(document)
    openings[named][1] = "Mallory"


def with_a_stray(document: dict[str, Any]) -> None:
    openings, _ = first_opening(document)
    openings["0" * 64] = ["0" * 32, "stray"]


def of_an_older_version(document: dict[str, Any]) -> None:
    document["format"]["version"] = 1


@pytest.mark.parametrize(
    "tamper", [without_one, without_any, with_another_name, with_a_stray, of_an_older_version]
)
def test_nothing_is_missing_or_another_unless_a_row_says_that_it_was_erased(
    told: Callable[[str], Any], tampered: Callable[..., bytes], tamper: Any
) -> None:
    """Not even by whoever has the key: the rows are what was recorded."""
    bundle = asyncio.run(told("published").bundle())
    with pytest.raises(ProofFault):
        check(tampered(bundle, tamper, rechained=False))


def test_an_operation_that_goes_on_has_nothing_erased(
    told: Callable[[str], Any], tampered: Callable[..., bytes]
) -> None:
    bundle = asyncio.run(told("awaiting_approval").bundle())

    def add(document: dict[str, Any]) -> None:
        row = json.loads(json.dumps(document["rows"][1]))
        actor, at = row["data"]["actor"], row["data"]["at"]
        data = {"actor": actor, "at": at, "rule": "mine"}
        document["rows"].append({**row, "type": "ContentErased", "data": data})
        document["rows"][-1].pop("openings", None)
        document["contents"] = {}

    with pytest.raises(ProofFault, match="not allowed: operation: it has not ended"):
        check(tampered(bundle, add))
