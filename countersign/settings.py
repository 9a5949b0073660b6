"""All settings of the app, read once from the environment."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from countersign.anchors.chosen import read_anchors_place
from countersign.approvals.policy import LONGEST_WINDOW, MOST_APPROVERS, USUAL_WINDOW, Policy
from countersign.approvals.retention import Retention, read_retention
from countersign.destinations.purchasing import Purchasing, read_purchasing
from countersign.identity import terms
from countersign.identity.sign_in import SignIn, read_sign_in
from countersign.kinds.registry import deciding_roles
from countersign.notices.addresses import Addresses, read_addresses
from countersign.passkeys.site import REQUIRED as PASSKEYS_REQUIRED
from countersign.passkeys.site import Required, Site, read_required, read_site
from countersign.platform.environment import SettingsError, read_each, required, said
from countersign.platform.task_hub import hub_of
from countersign.proof.keys import SETTING as PROOF_KEY
from countersign.proof.keys import SigningKey
from countersign.proof.public_key import PublicKey, read_public_keys
from countersign.purchases.limits import Limits, read_limits
from countersign.retrieval.allowed import Allowed, read_allowed
from countersign.signing.vault_key import ADDRESS as VAULT_KEY
from countersign.signing.vault_key import read_signing_key
from countersign.stores.account import StorageAccount, read_account
from countersign.team.chat import ModelChoice, choose
from countersign.team.errors import ModelNotConfigured

SAMPLE_LIBRARY = Path(__file__).parent / "sources" / "sample_library"

REQUIRED = {
    "COUNTERSIGN_DATA": "the folder for the app's data",
    **terms.REQUIRED,
}

MARKS_OF_AZURE = ("WEBSITE_SITE_NAME", "WEBSITE_INSTANCE_ID", "WEBSITE_POD_NAME")
"""Azure names the app and, by the kind of plan, its instance: `EnvironmentExtensions.cs` in
https://github.com/Azure/azure-functions-host. Core Tools sets none of them."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """What an operator decides.

    Attributes:
        data: the folder that holds everything the embedded stores keep, and indexes that can be
            made again.
        account: the storage account that keeps everything instead, if there is one.
        library: the folder of documents that research reads.
        allowed: where else research may look.
        tokens: which tokens count.
        sign_in: how people sign in to the page.
        window_seconds: how long a proposal waits unless the request says otherwise.
        shortest_window_seconds: how long it waits at least, whatever the request says.
        quorum: how many people have to approve it at least, whatever the request says.
        token_limit: how many model tokens one operation may use.
        most_open: how many requests one person may have open; None for any number.
        tokens_per_day: how many model tokens the requests of one person in a day may use before the
            next is refused; None for any number.
        reconcile_after_seconds: how long something may be left undone before it is mended.
        purge_after_days: for how long the durable runtime keeps what is left of a closed operation;
            None for ever.
        hub: the name of the task hub, and of the backend that it is in.
        retention: for how long names and texts are kept.
        zero_prices: whether an order may contain what costs nothing.
        limits: from which amounts on an order takes more people, by currency.
        purchasing: where orders are placed, None if nowhere.
        addresses: where notices go.
        home: the app's address without a slash at its end, for links in notices and answers; None
            if unknown.
        anchors: the file or the storage account where anchors are written once a day, None if the
            app writes none.
        proof_key: what proofs and people's acts are signed with, None if none are.
        proof_keys: further keys whose signatures of acts count.
        unsigned_until: until when (UTC) operations go on that were begun without a signature.
        passkeys_required: which approvals count only with a signature by the approver's passkey.
        passkey_site: the page that passkeys are for, None if there can be none.
        telemetry_texts: whether prompts and answers may be in spans.
    """

    data: Path
    hub: str
    account: StorageAccount | None
    library: Path
    allowed: Allowed
    tokens: terms.TokenTerms
    sign_in: SignIn
    window_seconds: float
    shortest_window_seconds: float
    quorum: int
    token_limit: int
    most_open: int | None
    tokens_per_day: int | None
    reconcile_after_seconds: float
    purge_after_days: float | None
    retention: Retention
    zero_prices: bool
    limits: Mapping[str, Limits]
    purchasing: Purchasing | None
    addresses: Addresses
    home: str | None
    model: ModelChoice = field(repr=False)
    anchors: Path | StorageAccount | None
    proof_key: SigningKey | None
    proof_keys: tuple[PublicKey, ...]
    unsigned_until: datetime | None
    passkeys_required: Required
    passkey_site: Site | None
    telemetry_texts: bool

    def fault_in(self, policy: Policy) -> str | None:
        """Return why the terms of a request are not taken; None if they are.

        An operator's own window may be shorter than what a request can ask for.
        """
        shortest = min(self.shortest_window_seconds, self.window_seconds)
        if policy.window_seconds >= shortest:
            return None
        return f"proposals wait for at least {shortest:g} seconds"


def read_settings(environment: Mapping[str, str]) -> Settings:
    """Read all settings; one that says `none` is not set.

    Raises:
        SettingsError: some are missing or malformed; the message has a sentence for each, but only
            for the first of a storage account and of the notices' channels.
    """
    values, faults = read_each(_READERS, said(environment), ModelNotConfigured)
    if faults:
        raise SettingsError(faults)
    return Settings(**values)


def _hub(environment: Mapping[str, str]) -> str:
    account = read_account(environment)
    return hub_of(environment, shared=account is not None and account.is_shared)


def _account(environment: Mapping[str, str]) -> StorageAccount | None:
    account = read_account(environment)
    if account is None and _in_azure(environment):
        raise ValueError(
            "The embedded stores keep all data on one machine, but Azure runs the app on several,"
            " which would have separate ledgers. Set COUNTERSIGN_STORAGE__accountName to a storage"
            " account."
        )
    return account


def _in_azure(environment: Mapping[str, str]) -> bool:
    return any(map(environment.get, MARKS_OF_AZURE))


def _home(environment: Mapping[str, str]) -> str | None:
    address = environment.get("COUNTERSIGN_PUBLIC_URL", "").rstrip("/")
    if address and not re.fullmatch(r"https?://[^\s/?#<>@]+(/[^\s?#<>]*)?", address):
        raise ValueError("COUNTERSIGN_PUBLIC_URL must be an address such as https://host")
    # Azure sets the host's name, and so do the hosts on a developer's machine.
    host = environment.get("WEBSITE_HOSTNAME", "")
    scheme = "http" if re.match(r"(localhost|127\.0\.0\.1|\[::1\])(:|$)", host) else "https"
    return address or (f"{scheme}://{host}" if host else None)


def _passkeys_required(environment: Mapping[str, str]) -> Required:
    required = read_required(environment)
    if not required:
        return required
    _refuse_unknown(required, deciding_roles(), read_limits(environment))
    if read_signing_key(environment) is None:
        raise ValueError(
            f"{PASSKEYS_REQUIRED} needs {PROOF_KEY} or {VAULT_KEY}: the app signs the passkeys that"
            " it keeps"
        )
    if read_site(environment, _home(environment)) is None:
        raise ValueError(
            f"{PASSKEYS_REQUIRED} needs the app's address, with https and a name, in"
            " COUNTERSIGN_PUBLIC_URL"
        )
    return required


def _refuse_unknown(
    required: Required, roles: Collection[str], currencies: Collection[str]
) -> None:
    """Refuse what no approval can have: a slip would let approvals go without a signature."""
    for named, known, what in (
        (required.roles, roles, "the roles that decide are"),
        (required.above, currencies, "the currencies of orders are"),
    ):
        if unknown := sorted(set(named).difference(known)):
            raise ValueError(
                f"{PASSKEYS_REQUIRED} names {', '.join(unknown)}, but {what}"
                f" {', '.join(dict.fromkeys(known))}"
            )


def _flag(environment: Mapping[str, str], key: str) -> bool:
    text = environment.get(key) or "false"
    if text not in ("true", "false"):
        raise ValueError(f"{key} must be true or false, not {text!r}")
    return text == "true"


def _purge_after(environment: Mapping[str, str]) -> float | None:
    key = "COUNTERSIGN_PURGE_AFTER_DAYS"
    if environment.get(key) == "never":
        return None
    try:
        return _number(environment, key, 30, 1, 3_650)
    except ValueError as error:
        raise ValueError(f"{error}, or never") from error


def _retention(environment: Mapping[str, str]) -> Retention:
    retention = read_retention(environment)
    if retention.days and environment.get("COUNTERSIGN_PURGE_AFTER_DAYS") == "never":
        raise ValueError(
            "COUNTERSIGN_RETENTION_DAYS needs COUNTERSIGN_PURGE_AFTER_DAYS: an operation is erased"
            " once the durable runtime has forgotten it"
        )
    return retention


def _bound(environment: Mapping[str, str], key: str, otherwise: int, most: int) -> int | None:
    if environment.get(key) == "unlimited":
        return None
    try:
        return int(_number(environment, key, otherwise, 1, most))
    except ValueError as error:
        raise ValueError(f"{error}, or unlimited") from error


def _moment(environment: Mapping[str, str], key: str) -> datetime | None:
    text = environment.get(key)
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        moment = None
    if moment is None or moment.utcoffset() is None:
        raise ValueError(f"{key} must be a moment such as 2027-01-31T00:00:00Z, not {text!r}")
    return moment


def _number(
    environment: Mapping[str, str], key: str, otherwise: float, least: float, most: float
) -> float:
    text = environment.get(key) or str(otherwise)
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not least <= value <= most:
        raise ValueError(f"{key} must be a number from {least} to {most}, not {text!r}")
    return value


_READERS: Mapping[str, Callable[[Mapping[str, str]], Any]] = {
    "data": lambda env: Path(required(env, "COUNTERSIGN_DATA", REQUIRED["COUNTERSIGN_DATA"])),
    "hub": _hub,
    "account": _account,
    "library": lambda env: Path(env.get("COUNTERSIGN_LIBRARY") or SAMPLE_LIBRARY),
    "allowed": lambda env: read_allowed(env, in_azure=_in_azure(env)),
    "tokens": terms.read_token_terms,
    "sign_in": read_sign_in,
    "window_seconds": lambda env: _number(
        env, "COUNTERSIGN_WINDOW_SECONDS", USUAL_WINDOW, 1, LONGEST_WINDOW
    ),
    "shortest_window_seconds": lambda env: _number(
        env, "COUNTERSIGN_SHORTEST_WINDOW_SECONDS", 900, 1, LONGEST_WINDOW
    ),
    "quorum": lambda env: int(_number(env, "COUNTERSIGN_QUORUM", 1, 1, MOST_APPROVERS)),
    "token_limit": lambda env: int(_number(env, "COUNTERSIGN_TOKEN_LIMIT", 500_000, 1, 10**12)),
    "most_open": lambda env: _bound(env, "COUNTERSIGN_OPEN_REQUESTS", 50, 500),
    "tokens_per_day": lambda env: _bound(env, "COUNTERSIGN_TOKENS_PER_DAY", 5_000_000, 10**12),
    "reconcile_after_seconds": lambda env: _number(
        env, "COUNTERSIGN_RECONCILE_AFTER_SECONDS", 90, 0, 86_400
    ),
    "purge_after_days": _purge_after,
    "retention": _retention,
    "zero_prices": lambda env: _flag(env, "COUNTERSIGN_ZERO_PRICES"),
    "limits": read_limits,
    "purchasing": read_purchasing,
    "addresses": read_addresses,
    "home": _home,
    "model": choose,
    "anchors": lambda env: read_anchors_place(env, in_azure=_in_azure(env)),
    "proof_key": read_signing_key,
    "proof_keys": read_public_keys,
    "unsigned_until": lambda env: _moment(env, "COUNTERSIGN_UNSIGNED_UNTIL"),
    "passkeys_required": _passkeys_required,
    "passkey_site": lambda env: read_site(env, _home(env)),
    "telemetry_texts": lambda env: _flag(env, "COUNTERSIGN_TELEMETRY_TEXTS"),
}
"""How each of `Settings` is read."""
