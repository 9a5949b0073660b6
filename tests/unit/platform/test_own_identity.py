"""Storage and models on Azure without a key are asked with a token of the app's own identity."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import unquote

import pytest
from azure.core.pipeline.transport import RequestsTransport

from countersign.platform.own_identity import credential
from countersign.stores.account import StorageAccount
from countersign.stores.blob_artifacts import BlobArtifacts
from countersign.stores.errors import StoreUnavailable
from countersign.stores.table_ledger import TableLedger
from countersign.team.budget import TokenBudget
from countersign.team.calls import Calls
from countersign.team.chat import ModelChoice
from countersign.team.errors import NoIdentity
from countersign.team.own_token import MODELS, model_token
from countersign.team.researcher import plan
from testbed.managed_identity import Endpoint, Fault, managed_identity

STORAGE = "https://storage.azure.com/.default"
FAULTS: list[Fault] = ["refused", "broken", "torn", "garbled"]


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    # The SDK's own pauses are not what is tested.
    monkeypatch.setattr(RequestsTransport, "sleep", lambda *_: None)
    with managed_identity(monkeypatch) as endpoint:
        yield endpoint


async def test_the_token_is_for_models_and_of_the_identity_that_is_named(
    endpoint: Endpoint,
) -> None:
    assert await model_token() == "ours"
    assert "resource=https://cognitiveservices.azure.com" in unquote(endpoint.asked[0])
    assert "client_id=the-app" in endpoint.asked[0]


async def test_a_token_is_asked_for_once_until_it_is_about_to_expire(endpoint: Endpoint) -> None:
    assert await model_token() == await model_token() == "ours"
    assert len(endpoint.asked) == 1


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("had_one", [False, True])
async def test_without_a_token_the_model_is_unavailable_and_may_be_asked_later(
    endpoint: Endpoint, fault: Fault, *, had_one: bool
) -> None:
    choice = ModelChoice(provider="azure", model="m", base_url="https://ours.invalid")
    calls = Calls(choice, TokenBudget(10_000), token=model_token)
    if had_one:
        endpoint.seconds = 0
        assert await model_token() == "ours"
    endpoint.fault = fault
    with pytest.raises(NoIdentity, match="own identity"):
        await plan(calls, topic="Otters", titles=[])
    endpoint.fault, endpoint.seconds = None, 86_400
    assert await model_token() == "ours"


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("had_one", [False, True])
async def test_without_a_token_the_identity_is_blamed_and_not_the_storage(
    endpoint: Endpoint, fault: Fault, *, had_one: bool
) -> None:
    storage = StorageAccount(
        blob_uri="https://ours.invalid", table_uri="https://ours.invalid", retry_seconds=0
    )
    if had_one:
        endpoint.seconds = 0
        assert credential(None).get_token(STORAGE)
    endpoint.fault = fault
    for work in (
        TableLedger(storage).read("home", "op-1"),
        BlobArtifacts(storage).recall("home", "work"),
    ):
        with pytest.raises(StoreUnavailable, match="app's own identity has no token") as failure:
            await work
        assert "storage account" not in str(failure.value)
        assert endpoint.url not in str(failure.value)


async def test_storage_and_models_of_one_identity_share_its_tokens(endpoint: Endpoint) -> None:
    assert credential("the-app") is credential("the-app")
    assert credential(None) is not credential("the-app")
    credential("the-app").get_token(MODELS)
    assert await model_token() == "ours"
    assert len(endpoint.asked) == 1


def test_without_a_name_storage_is_asked_as_the_system_s_identity(endpoint: Endpoint) -> None:
    credential(None).get_token(STORAGE)
    assert "client_id" not in endpoint.asked[0]
