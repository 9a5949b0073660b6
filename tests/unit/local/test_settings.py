"""Which account a command of `dev.py` writes to."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

import pytest

import devhost.config.settings
from countersign.settings import Settings, read_settings
from countersign.stores.account import PARTS_OF_IDENTITY
from local import graph
from local.backend import AZURE_STORAGE, SCHEDULER, Backend
from local.func import func_environment
from local.settings import complete, keep_in

AZURITE = (
    "AccountName=devstoreaccount1;AccountKey=c2VjcmV0;"
    "BlobEndpoint=http://127.0.0.1:1/devstoreaccount1;"
    "TableEndpoint=http://127.0.0.1:2/devstoreaccount1"
)
DEVELOPERS_OWN: tuple[Mapping[str, str], ...] = (
    {"COUNTERSIGN_STORAGE": "AccountName=payroll;AccountKey=c2VjcmV0"},
    {"COUNTERSIGN_STORAGE__accountName": "payroll"},
    {f"COUNTERSIGN_STORAGE__{part}": "https://payroll.example" for part in PARTS_OF_IDENTITY},
)


@pytest.fixture(params=DEVELOPERS_OWN, ids=lambda each: next(iter(each)))
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The folder of an app whose local.settings.json names an account."""
    (tmp_path / "function_app.py").touch()
    (tmp_path / "host.json").write_text('{"version": "2.0"}', "utf-8")
    (tmp_path / "local.settings.json").write_text(json.dumps({"Values": request.param}), "utf-8")
    return tmp_path


def in_a_host(folder: Path, environment: Mapping[str, str]) -> Settings:
    """The app's settings, as a host makes them of its environment and the app's own file."""
    return read_settings(devhost.config.settings.read_settings(folder, environment).environment)


def test_the_embedded_stores_can_be_asked_for_whatever_account_a_file_names(folder: Path) -> None:
    given = complete({}, port=1, data=folder / "data")
    assert in_a_host(folder, given).account is not None
    assert in_a_host(folder, keep_in(given, "")).account is None


def test_azurite_takes_the_place_of_whatever_account_a_file_names(folder: Path) -> None:
    given = keep_in(complete({}, port=1, data=folder / "data"), AZURITE)
    account = in_a_host(folder, given).account
    assert account is not None
    assert account.address == "http://127.0.0.1:1/devstoreaccount1"


@pytest.mark.parametrize("backend", [AZURE_STORAGE, SCHEDULER], ids=lambda each: each.name)
@pytest.mark.parametrize("storage", ["", AZURITE])
def test_core_tools_are_told_nothing_by_an_empty_value(
    tmp_path: Path, backend: Backend, storage: str
) -> None:
    given = keep_in(complete({}, port=1, data=tmp_path, signin=2), storage)
    told = func_environment(given, storage=AZURITE, hub="default", backend=backend)
    assert [name for name, value in told.items() if not value] == []


def test_the_graph_tells_which_account_it_writes_to() -> None:
    assert "https://payroll.blob.core.windows.net" in graph.told(DEVELOPERS_OWN[0])
    assert "https://payroll.blob.core.windows.net" in graph.told(DEVELOPERS_OWN[1])
    assert graph.told({"COUNTERSIGN_STORAGE": "none"}) == graph.told({}) == ""


def test_people_and_the_sign_in_have_addresses_of_their_own(tmp_path: Path) -> None:
    given = complete({}, port=1, data=tmp_path, signin=2)
    assert urlsplit(given["COUNTERSIGN_PUBLIC_URL"]).port == 1
    assert urlsplit(given["COUNTERSIGN_TOKEN_JWKS"]).port == 2


def test_each_local_host_has_a_hub_of_its_own_on_an_account_that_others_reach(
    folder: Path, tmp_path: Path
) -> None:
    hubs = [in_a_host(folder, complete({}, port=1, data=tmp_path / each)).hub for each in "ab"]
    assert len(set(hubs)) == 2
    assert all(each.startswith("default in ") for each in hubs)
    given = keep_in(complete({}, port=1, data=folder / "data"), AZURITE)
    assert in_a_host(folder, given).hub == "default"
