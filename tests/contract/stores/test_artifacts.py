import asyncio
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from countersign.stores.artifacts import Artifacts, MissingArtifact

Start = Callable[..., Any]
Race = Callable[..., list[list[str]]]
A, B = "a" * 64, "b" * 64

HOSTILE_NAMES = ["..", "../../etc", "C:\\x", "/", "", "con", "a\x00b", "Ä/ö", "x" * 400]


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=2000))
async def test_what_is_got_is_what_was_put(artifacts: Artifacts, data: bytes) -> None:
    reference = await artifacts.put("home", data)
    assert reference == sha256(data).hexdigest()
    assert await artifacts.get("home", reference) == data


async def test_putting_twice_is_putting_once(artifacts: Artifacts) -> None:
    references = await asyncio.gather(*(artifacts.put("home", b"otters") for _ in range(6)))
    references.append(await artifacts.put("home", b"otters"))
    assert len(set(references)) == 1
    assert await artifacts.get("home", references[0]) == b"otters"


async def test_another_tenant_s_artifact_is_missing(artifacts: Artifacts) -> None:
    reference = await artifacts.put("home", b"otters")
    with pytest.raises(MissingArtifact):
        await artifacts.get("other", reference)
    with pytest.raises(MissingArtifact):
        await artifacts.get("HOME", reference)


@pytest.mark.parametrize(
    "reference", ["0" * 64, "", "..", "../" * 21 + "a", "A" * 64, "a" * 63, "a" * 64 + "\n"]
)
async def test_what_was_never_put_is_missing(artifacts: Artifacts, reference: str) -> None:
    await artifacts.put("home", b"otters")
    with pytest.raises(MissingArtifact):
        await artifacts.get("home", reference)


@pytest.mark.parametrize("name", HOSTILE_NAMES)
async def test_any_name_is_good_for_a_tenant_or_a_key(artifacts: Artifacts, name: str) -> None:
    reference = await artifacts.put(name, b"otters")
    assert await artifacts.get(name, reference) == b"otters"
    assert await artifacts.remember(name, name, reference) == reference
    assert await artifacts.recall(name, name) == reference


async def test_the_first_result_stands(artifacts: Artifacts) -> None:
    assert await artifacts.recall("home", "work") is None
    assert await artifacts.remember("home", "work", A) == A
    assert await artifacts.remember("home", "work", B) == A
    assert await artifacts.recall("home", "work") == A


async def test_results_are_seen_in_their_own_tenant_and_key_only(artifacts: Artifacts) -> None:
    await artifacts.remember("home", "work", A)
    assert await artifacts.recall("other", "work") is None
    assert await artifacts.recall("home", "Work") is None
    assert await artifacts.remember("other", "work", B) == B


async def test_only_a_reference_can_be_a_result(artifacts: Artifacts) -> None:
    with pytest.raises(ValueError, match="not the reference"):
        await artifacts.remember("home", "work", "../secrets")
    assert await artifacts.recall("home", "work") is None


async def test_two_processes_agree_on_every_result(
    artifacts: Artifacts, other: Start, race: Race
) -> None:
    one, two = race(other("remember", A, "30"), other("remember", B, "30"))
    assert one == two
    assert len(one) == 30
    assert [await artifacts.recall("home", str(key)) for key in range(30)] == one
