"""All settings of the app, read once from the environment."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from countersign.notices.addresses import Addresses, read_addresses
from countersign.stores.account import StorageAccount, read_account
from countersign.team.chat import ModelChoice, choose
from countersign.team.errors import ModelNotConfigured

SAMPLE_LIBRARY = Path(__file__).parent / "sources" / "sample_library"

REQUIRED = {
    "COUNTERSIGN_DATA": "the folder for all that is kept on this machine",
    "COUNTERSIGN_TOKEN_ISSUER": "the `iss` of reviewers' tokens",
    "COUNTERSIGN_TOKEN_AUDIENCE": "the `aud` of reviewers' tokens, or several",
    "COUNTERSIGN_TOKEN_JWKS": "the address of the issuer's signing keys",
}


MARKS_OF_AZURE = ("WEBSITE_SITE_NAME", "WEBSITE_INSTANCE_ID", "WEBSITE_POD_NAME")
"""Azure names the app and, by the kind of plan, its instance: `EnvironmentExtensions.cs` in
https://github.com/Azure/azure-functions-host. Core Tools sets none of them."""

LONGEST_WINDOW = 30 * 86_400
"""Seconds that a proposal can wait at most."""


class SettingsError(Exception):
    """The environment does not say what the app needs to know."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """What an operator decides.

    Attributes:
        data: the folder that holds everything the embedded stores keep, and indexes that can be
            made again.
        account: the storage account that keeps everything instead, if there is one.
        library: the folder of documents that research reads.
        audiences: what tokens may name as the one they are for.
        tenants: whose people may come in; None for every tenant of the issuer.
        window_seconds: how long a proposal waits unless the request says otherwise.
        token_limit: how many model tokens one operation may use.
        reconcile_after_seconds: how long something may be left undone before it is mended.
        addresses: where notices go.
        home: the app's address without a slash at its end, for links in notices; None if unknown.
    """

    data: Path
    account: StorageAccount | None
    library: Path
    issuer: str
    audiences: tuple[str, ...]
    jwks: str
    tenants: frozenset[str] | None
    window_seconds: float
    token_limit: int
    reconcile_after_seconds: float
    addresses: Addresses
    home: str | None
    model: ModelChoice = field(repr=False)


def read_settings(environment: Mapping[str, str]) -> Settings:
    """Read all settings.

    Raises:
        SettingsError: some are missing or malformed; the message names every one.
    """
    missing = [f"{key} ({what})" for key, what in REQUIRED.items() if not environment.get(key)]
    if missing:
        raise SettingsError(f"These settings are missing: {', '.join(missing)}.")
    try:
        return Settings(
            data=Path(environment["COUNTERSIGN_DATA"]),
            account=_account(environment),
            library=Path(environment.get("COUNTERSIGN_LIBRARY") or SAMPLE_LIBRARY),
            issuer=environment["COUNTERSIGN_TOKEN_ISSUER"],
            audiences=tuple(_names(environment, "COUNTERSIGN_TOKEN_AUDIENCE")),
            jwks=environment["COUNTERSIGN_TOKEN_JWKS"],
            tenants=frozenset(_names(environment, "COUNTERSIGN_TENANTS")) or None,
            window_seconds=_number(
                environment, "COUNTERSIGN_WINDOW_SECONDS", 86_400, 1, LONGEST_WINDOW
            ),
            token_limit=int(_number(environment, "COUNTERSIGN_TOKEN_LIMIT", 500_000, 1, 10**12)),
            reconcile_after_seconds=_number(
                environment, "COUNTERSIGN_RECONCILE_AFTER_SECONDS", 90, 0, 86_400
            ),
            addresses=read_addresses(environment),
            home=_home(environment),
            model=choose(environment),
        )
    except (ValueError, ModelNotConfigured) as error:
        raise SettingsError(str(error)) from error


def _account(environment: Mapping[str, str]) -> StorageAccount | None:
    account = read_account(environment)
    if account is None and any(map(environment.get, MARKS_OF_AZURE)):
        raise ValueError(
            "The embedded stores keep everything on one machine, and Azure runs the app on several:"
            " two of them would have two ledgers. Name a storage account in"
            " COUNTERSIGN_STORAGE__accountName."
        )
    return account


def _home(environment: Mapping[str, str]) -> str | None:
    address = environment.get("COUNTERSIGN_PUBLIC_URL", "").rstrip("/")
    if address and not re.fullmatch(r"https?://[^\s/?#<>]+(/[^\s?#<>]*)?", address):
        raise ValueError("COUNTERSIGN_PUBLIC_URL has to be an address such as https://host")
    # Azure sets the host's name, and so do Core Tools on a developer's machine.
    host = environment.get("WEBSITE_HOSTNAME", "")
    scheme = "http" if host.startswith("localhost") else "https"
    return address or (f"{scheme}://{host}" if host else None)


def _names(environment: Mapping[str, str], key: str) -> list[str]:
    return environment.get(key, "").replace(",", " ").split()


def _number(
    environment: Mapping[str, str], key: str, otherwise: float, least: float, most: float
) -> float:
    text = environment.get(key) or str(otherwise)
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not least <= value <= most:
        raise ValueError(f"{key} has to be a number from {least} to {most}, not {text!r}")
    return value
