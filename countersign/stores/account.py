"""The Azure storage account that holds everything when the app runs in Azure, or on Azurite."""

from __future__ import annotations

import base64
import logging
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from azure.data.tables import TableClient, TableServiceClient
    from azure.storage.blob import BlobServiceClient, ContainerClient

SETTING = "COUNTERSIGN_STORAGE"

PARTS_OF_IDENTITY = ("accountName", "blobServiceUri", "tableServiceUri", "clientId")
"""What is set, after `COUNTERSIGN_STORAGE__`, instead of a connection string."""

# Everybody's: https://learn.microsoft.com/azure/storage/common/storage-connect-azurite
DEVELOPMENT_ACCOUNT = "devstoreaccount1"
DEVELOPMENT_KEY = (
    "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
)

_ACCOUNT_NAME = re.compile(r"[a-z0-9]{3,24}")
SERVICE = re.compile(r"https://[A-Za-z0-9.-]+(:[0-9]{1,5})?/?")
"""The address of a service of an account."""
_ENDPOINT = re.compile(r"https?://[^\s/?#@]+(/[^\s?#@]*)?")
_PREFIX = re.compile(r"[a-z][a-z0-9]{2,39}")

# https://learn.microsoft.com/azure/developer/python/sdk/azure-sdk-logging
_REQUESTS = logging.getLogger("azure.core.pipeline.policies.http_logging_policy")

# One request is given up after about the sum of these.
_CONNECT_SECONDS = 3
_ANSWER_SECONDS = 7

_THIS_MACHINE = {"127.0.0.1", "::1", "localhost"}

_DEVELOPMENT = (
    "DefaultEndpointsProtocol=http;"
    f"AccountName={DEVELOPMENT_ACCOUNT};AccountKey={DEVELOPMENT_KEY};"
    f"BlobEndpoint=http://127.0.0.1:10000/{DEVELOPMENT_ACCOUNT};"
    f"TableEndpoint=http://127.0.0.1:10002/{DEVELOPMENT_ACCOUNT};"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class StorageAccount:
    """Where the account is, how the app signs in, and what its tables and containers are called.

    Attributes:
        connection_string: with a key or a shared access signature; None to sign in as an identity.
        blob_uri: the blob service, for an identity.
        table_uri: the table service, for an identity.
        client_id: of a user-assigned identity; None for the system-assigned or the developer's.
        prefix: what the names of all tables and containers begin with.
        retry_seconds: how long after its first try a request may still be tried again.
    """

    connection_string: str | None = field(default=None, repr=False)
    blob_uri: str | None = None
    table_uri: str | None = None
    client_id: str | None = None
    prefix: str = "countersign"
    retry_seconds: float = 10.0

    @property
    def address(self) -> str:
        """Where its blobs are, which tells one account from another; nothing of it is secret."""
        if self.connection_string is None:
            return str(self.blob_uri)
        values = _values_in(self.connection_string)
        suffix = values.get("endpointsuffix", "core.windows.net")
        named = f"https://{values.get('accountname')}.blob.{suffix}"
        return values.get("blobendpoint", named).rstrip("/")

    @property
    def is_shared(self) -> bool:
        """Whether other machines can reach it: an emulator of this one is its own alone."""
        return urlsplit(self.address).hostname not in _THIS_MACHINE

    def table_name(self, name: str) -> str:
        """Return the name of a table in the account."""
        return f"{self.prefix}{name}"

    def container_name(self, name: str) -> str:
        """Return the name of a container in the account."""
        return f"{self.prefix}-{name}"

    def table(self, name: str) -> TableClient:
        """Return the client of a table, created if needed; this may block for several requests.

        Raises:
            AzureError: the table can be neither found nor made.
        """
        service = _table_service(self.connection_string, self.table_uri, self.client_id)
        return _made_table(service, self.table_name(name))

    def container(self, name: str) -> ContainerClient:
        """Return the client of a container, created if needed; this may block as `table` does.

        Raises:
            AzureError: the container can be neither found nor made.
        """
        service = _blob_service(self.connection_string, self.blob_uri, self.client_id)
        return _made_container(service, self.container_name(name))


def read_account(environment: Mapping[str, str]) -> StorageAccount | None:
    """Return the account that the settings name, None if they name none.

    `COUNTERSIGN_STORAGE` is a connection string. For an identity the settings are instead
    `COUNTERSIGN_STORAGE__accountName`, or `…__blobServiceUri` and `…__tableServiceUri`, and
    `…__clientId` for a user-assigned one. `COUNTERSIGN_STORAGE_PREFIX` is good for both.

    Raises:
        ValueError: they contradict each other or are malformed; no secret is in the message.
    """
    text = environment.get(SETTING, "").strip()
    parts = {part: environment.get(f"{SETTING}__{part}", "").strip() for part in PARTS_OF_IDENTITY}
    if not text and not any(parts.values()):
        return None
    if text and any(parts.values()):
        raise ValueError(f"{SETTING} and {SETTING}__… contradict each other: set one of them")
    prefix = environment.get(f"{SETTING}_PREFIX") or "countersign"
    if not _PREFIX.fullmatch(prefix):
        raise ValueError(
            f"{SETTING}_PREFIX must be 3 to 40 characters of a-z and 0-9, beginning with a"
            f" letter, not {prefix!r}"
        )
    if text:
        return StorageAccount(connection_string=_connection_string(text), prefix=prefix)
    return StorageAccount(
        blob_uri=_uri(parts, "blob"),
        table_uri=_uri(parts, "table"),
        client_id=parts["clientId"] or None,
        prefix=prefix,
    )


def _connection_string(text: str) -> str:
    values = _values_in(text)
    if values.get("usedevelopmentstorage", "").lower() == "true":
        return _DEVELOPMENT
    endpoints = [values[name] for name in ("blobendpoint", "tableendpoint") if name in values]
    signed = "sharedaccesssignature" in values or {"accountname", "accountkey"} <= values.keys()
    located = len(endpoints) == 2 or (not endpoints and "accountname" in values)
    if not signed or not located:
        raise ValueError(
            f"{SETTING} is not the connection string of a storage account: it must contain"
            " AccountName and AccountKey, or SharedAccessSignature, BlobEndpoint and TableEndpoint"
        )
    if not all(_ENDPOINT.fullmatch(endpoint) for endpoint in endpoints):
        raise ValueError(f"an endpoint in {SETTING} is not an address such as https://host")
    if not _is_base64(values.get("accountkey", "")):
        raise ValueError(f"the AccountKey in {SETTING} is not valid Base64")
    return text


def _values_in(text: str) -> dict[str, str]:
    """Return the values of a connection string by their names in small letters.

    Raises:
        ValueError: a part has no name or no value, or a name stands twice.
    """
    pairs = [part.partition("=") for part in text.strip().rstrip(";").split(";")]
    values = {name.strip().lower(): value.strip() for name, _, value in pairs}
    if len(values) != len(pairs) or not all(values) or not all(values.values()):
        raise ValueError(
            f"{SETTING} must consist of Name=Value pairs, separated by ; and with each name once"
        )
    return values


def _is_base64(text: str) -> bool:
    try:
        base64.b64decode(text, validate=True)
    except ValueError:
        return False
    return True


def _uri(parts: Mapping[str, str], service: str) -> str:
    setting, name = f"{service}ServiceUri", parts["accountName"]
    if uri := parts[setting]:
        return _checked(uri, setting)
    if not name:
        raise ValueError(f"{SETTING}__{setting} or {SETTING}__accountName is missing")
    if not _ACCOUNT_NAME.fullmatch(name):
        raise ValueError(
            f"{SETTING}__accountName must be 3 to 24 characters of a-z and 0-9, not {name!r}"
        )
    return f"https://{name}.{service}.core.windows.net"


def _checked(uri: str, setting: str) -> str:
    if not SERVICE.fullmatch(uri):
        # What else is in it may be a signature or a password.
        raise ValueError(
            f"{SETTING}__{setting} must be an https address without anything after the host"
        )
    return uri


@cache
def _table_service(
    connection_string: str | None, uri: str | None, client_id: str | None
) -> TableServiceClient:
    # Imported at first use: reading the settings should not cost a cold start.
    from azure.data.tables import TableServiceClient

    from countersign.platform.own_identity import credential

    if connection_string is not None:
        return TableServiceClient.from_connection_string(connection_string, **_options())
    return TableServiceClient(str(uri), credential=credential(client_id), **_options())


@cache
def _blob_service(
    connection_string: str | None, uri: str | None, client_id: str | None
) -> BlobServiceClient:
    from azure.storage.blob import BlobServiceClient

    from countersign.platform.own_identity import credential

    if connection_string is not None:
        return BlobServiceClient.from_connection_string(connection_string, **_options())
    return BlobServiceClient(str(uri), credential=credential(client_id), **_options())


def _options() -> dict[str, Any]:
    _keep_requests_out_of_the_log()
    # `with_retries` tries again instead: see there why.
    return {
        "retry_total": 0,
        "connection_timeout": _CONNECT_SECONDS,
        "read_timeout": _ANSWER_SECONDS,
    }


def _keep_requests_out_of_the_log() -> None:
    """Let Azure's libraries log no request and its headers, unless `AZURE_LOG_LEVEL` asks for it.

    The Functions worker takes what is logged from INFO on, and host.json can't tell one logger of
    Python from another: it would be the larger part of every function's log.
    """
    from azure.core.settings import convert_logging

    if _REQUESTS.level == logging.NOTSET:
        _REQUESTS.setLevel(convert_logging(os.environ.get("AZURE_LOG_LEVEL") or logging.WARNING))


@cache
def _made_table(service: TableServiceClient, name: str) -> TableClient:
    return service.create_table_if_not_exists(name)


@cache
def _made_container(service: BlobServiceClient, name: str) -> ContainerClient:
    from azure.core.exceptions import ResourceExistsError

    container = service.get_container_client(name)
    try:
        container.create_container()
    except ResourceExistsError as error:
        # The same type says that it is being deleted, after which it can be made again.
        if getattr(error, "error_code", None) != "ContainerAlreadyExists":
            raise
    return container
