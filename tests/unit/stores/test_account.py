"""The storage account is read from the settings whole, or refused in clear words."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from countersign.stores.account import StorageAccount, read_account

KEY = "c2VjcmV0"
STRING = f"DefaultEndpointsProtocol=https;AccountName=otters;AccountKey={KEY}"
SIGNATURE = (
    "BlobEndpoint=https://otters.blob.core.windows.net;"
    "TableEndpoint=https://otters.table.core.windows.net;SharedAccessSignature=sv=1&sig=c2VjcmV0"
)
NAME = "COUNTERSIGN_STORAGE__accountName"
BLOBS = "COUNTERSIGN_STORAGE__blobServiceUri"
TABLES = "COUNTERSIGN_STORAGE__tableServiceUri"
CLIENT = "COUNTERSIGN_STORAGE__clientId"


def account(**environment: str) -> StorageAccount:
    found = read_account(environment)
    assert found
    return found


@pytest.mark.parametrize("environment", [{}, {"COUNTERSIGN_STORAGE": " "}, {NAME: ""}])
def test_without_settings_there_is_no_account(environment: dict[str, str]) -> None:
    assert read_account(environment) is None


@pytest.mark.parametrize("text", [STRING, STRING + ";", SIGNATURE])
def test_a_connection_string_is_taken_as_it_is(text: str) -> None:
    assert account(COUNTERSIGN_STORAGE=f" {text} ") == StorageAccount(connection_string=text)


@pytest.mark.parametrize(
    ("environment", "address"),
    [
        ({"COUNTERSIGN_STORAGE": STRING}, "https://otters.blob.core.windows.net"),
        ({"COUNTERSIGN_STORAGE": f"{STRING};EndpointSuffix=a.cn"}, "https://otters.blob.a.cn"),
        ({"COUNTERSIGN_STORAGE": SIGNATURE}, "https://otters.blob.core.windows.net"),
        ({NAME: "otters"}, "https://otters.blob.core.windows.net"),
        (
            {"COUNTERSIGN_STORAGE": "UseDevelopmentStorage=true"},
            "http://127.0.0.1:10000/devstoreaccount1",
        ),
    ],
)
def test_an_account_can_be_told_by_its_address(environment: dict[str, str], address: str) -> None:
    assert account(**environment).address == address


def test_the_short_form_means_a_local_azurite() -> None:
    found = account(COUNTERSIGN_STORAGE="UseDevelopmentStorage=true")
    assert found.connection_string
    assert "http://127.0.0.1:10002/devstoreaccount1" in found.connection_string


def test_an_identity_needs_no_more_than_the_account_s_name() -> None:
    assert account(**{NAME: "otters"}) == StorageAccount(
        blob_uri="https://otters.blob.core.windows.net",
        table_uri="https://otters.table.core.windows.net",
    )


def test_addresses_of_other_clouds_and_a_user_assigned_identity_can_be_given() -> None:
    uris = {BLOBS: "https://o.blob.core.chinacloudapi.cn", TABLES: "https://o.table.example/"}
    found = account(**uris, **{CLIENT: "1234"})
    assert (found.blob_uri, found.table_uri) == tuple(uris.values())
    assert found.client_id == "1234"


def test_an_address_comes_before_the_name() -> None:
    found = account(**{NAME: "otters", BLOBS: "https://elsewhere.example"})
    assert found.blob_uri == "https://elsewhere.example"
    assert found.table_uri == "https://otters.table.core.windows.net"


def test_the_prefix_is_good_for_both_forms() -> None:
    for setting in ({"COUNTERSIGN_STORAGE": STRING}, {NAME: "otters"}):
        assert account(**setting, COUNTERSIGN_STORAGE_PREFIX="blue").prefix == "blue"


@pytest.mark.parametrize(
    ("environment", "says"),
    [
        ({"COUNTERSIGN_STORAGE": STRING, NAME: "otters"}, "contradict"),
        ({"COUNTERSIGN_STORAGE": "otters"}, "consist of Name=Value"),
        ({"COUNTERSIGN_STORAGE": f"AccountKey={KEY}"}, "AccountName and AccountKey"),
        ({"COUNTERSIGN_STORAGE": "AccountName=otters"}, "AccountName and AccountKey"),
        ({"COUNTERSIGN_STORAGE": SIGNATURE.partition(";")[2]}, "BlobEndpoint"),
        ({NAME: "Otters & stoats"}, "3 to 24 characters of a-z and 0-9"),
        ({NAME: "otters.example/?"}, "3 to 24 characters of a-z and 0-9"),
        ({CLIENT: "1234"}, "blobServiceUri or COUNTERSIGN_STORAGE__accountName is missing"),
        ({BLOBS: "https://o.example"}, "tableServiceUri or .* is missing"),
        ({NAME: "otters", BLOBS: "http://o.example"}, "blobServiceUri must be an https address"),
        ({NAME: "otters", TABLES: f"https://o.example?sig={KEY}"}, "tableServiceUri must be"),
        ({NAME: "otters", TABLES: f"https://o:{KEY}@o.example"}, "tableServiceUri must be"),
        ({NAME: "otters", TABLES: "https:"}, "tableServiceUri must be"),
        ({NAME: "otters", TABLES: "https://"}, "tableServiceUri must be"),
        ({NAME: "otters", BLOBS: "https://o.example/reports"}, "blobServiceUri must be"),
        ({NAME: "otters", BLOBS: f"https://o.example/#{KEY}"}, "blobServiceUri must be"),
        ({NAME: "otters", BLOBS: "https://o.example:port"}, "blobServiceUri must be"),
        ({NAME: "otters", BLOBS: "https://[12]"}, "blobServiceUri must be"),
        ({NAME: "otters", BLOBS: "https://o.example;https://p"}, "blobServiceUri must be"),
        ({NAME: "otters", "COUNTERSIGN_STORAGE_PREFIX": "My-App"}, "PREFIX must be 3 to 40"),
        ({NAME: "otters", "COUNTERSIGN_STORAGE_PREFIX": "1st"}, "beginning with a letter"),
    ],
)
def test_bad_settings_are_refused_without_a_secret(environment: dict[str, str], says: str) -> None:
    with pytest.raises(ValueError, match=says) as failure:
        read_account(environment)
    assert KEY not in str(failure.value)


@pytest.mark.parametrize("text", [STRING, SIGNATURE])
def test_an_account_can_be_shown_without_its_key(text: str) -> None:
    assert KEY not in repr(account(COUNTERSIGN_STORAGE=text))


def test_the_adapters_cost_no_cold_start() -> None:
    code = """
import sys
import countersign.stores.blob_artifacts, countersign.stores.table_index
import countersign.stores.table_ledger, countersign.destinations.report_blobs
from countersign.stores.account import read_account
read_account({"COUNTERSIGN_STORAGE__accountName": "otters"})
loaded = [name for name in sys.modules if name.startswith(("azure", "requests", "sqlite3"))]
sys.exit(f"loaded: {loaded}" if loaded else 0)
"""
    root = Path(__file__).parents[3]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "text",
    [
        f"AccountName=otters;AccountKey={KEY};junk",
        f"AccountName=otters;AccountName=others;AccountKey={KEY}",
        "AccountName=otters;AccountKey=",
        f"AccountName=;AccountKey={KEY}",
        f"AccountName=otters;AccountKey={KEY};EndpointSuffix=",
        "AccountName=otters;AccountKey=not Base64!",
        f"AccountName=otters;AccountKey={KEY};BlobEndpoint=https://o.example",
        f"AccountName=o;AccountKey={KEY};BlobEndpoint=nonsense;TableEndpoint=https://o.example",
        f"AccountName=o;AccountKey={KEY};BlobEndpoint=ftp://o;TableEndpoint=https://o.example",
    ],
)
def test_a_malformed_connection_string_is_refused_at_once_and_not_repeated(text: str) -> None:
    with pytest.raises(ValueError, match="COUNTERSIGN_STORAGE") as refused:
        read_account({"COUNTERSIGN_STORAGE": text})
    assert KEY not in str(refused.value)
    assert "otters" not in str(refused.value)
