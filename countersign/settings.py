"""All settings of the app, read once from the environment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from countersign.team.chat import ModelChoice, choose
from countersign.team.errors import ModelNotConfigured

SAMPLE_LIBRARY = Path(__file__).parent / "sources" / "sample_library"

REQUIRED = {
    "COUNTERSIGN_DATA": "the folder for the ledger, artifacts and reports",
    "COUNTERSIGN_TOKEN_ISSUER": "the `iss` of reviewers' tokens",
    "COUNTERSIGN_TOKEN_AUDIENCE": "the `aud` of reviewers' tokens",
    "COUNTERSIGN_TOKEN_JWKS": "the address of the issuer's signing keys",
}


class SettingsError(Exception):
    """The environment does not say what the app needs to know."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """What an operator decides.

    Attributes:
        data: the folder that holds everything the embedded stores keep.
        library: the folder of documents that research reads.
        tenants: whose people may come in; None for every tenant of the issuer.
        window_seconds: how long a proposal waits unless the request says otherwise.
        token_limit: how many model tokens one operation may use.
        reconcile_after_seconds: how long something may be left undone before it is mended.
    """

    data: Path
    library: Path
    issuer: str
    audience: str
    jwks: str
    tenants: frozenset[str] | None
    window_seconds: float
    token_limit: int
    reconcile_after_seconds: float
    model: ModelChoice = field(repr=False)


def read_settings(environment: Mapping[str, str]) -> Settings:
    """Read all settings.

    Raises:
        SettingsError: some are missing or malformed; the message names every one.
    """
    missing = [f"{key} ({what})" for key, what in REQUIRED.items() if not environment.get(key)]
    if missing:
        raise SettingsError(f"These settings are missing: {', '.join(missing)}.")
    tenants = environment.get("COUNTERSIGN_TENANTS", "").replace(",", " ").split()
    try:
        return Settings(
            data=Path(environment["COUNTERSIGN_DATA"]),
            library=Path(environment.get("COUNTERSIGN_LIBRARY") or SAMPLE_LIBRARY),
            issuer=environment["COUNTERSIGN_TOKEN_ISSUER"],
            audience=environment["COUNTERSIGN_TOKEN_AUDIENCE"],
            jwks=environment["COUNTERSIGN_TOKEN_JWKS"],
            tenants=frozenset(tenants) or None,
            window_seconds=_positive(environment, "COUNTERSIGN_WINDOW_SECONDS", 86_400),
            token_limit=int(_positive(environment, "COUNTERSIGN_TOKEN_LIMIT", 500_000)),
            reconcile_after_seconds=_positive(
                environment, "COUNTERSIGN_RECONCILE_AFTER_SECONDS", 30
            ),
            model=choose(environment),
        )
    except (ValueError, ModelNotConfigured) as error:
        raise SettingsError(str(error)) from error


def _positive(environment: Mapping[str, str], key: str, otherwise: float) -> float:
    text = environment.get(key) or str(otherwise)
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise ValueError(f"{key} has to be a number above 0, not {text!r}")
    return value
