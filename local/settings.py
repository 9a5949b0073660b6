"""Settings of the app on a developer's machine."""

from __future__ import annotations

import platform
import re
from collections.abc import Mapping
from pathlib import Path

from countersign import roles
from countersign.approvals.digest import sha256
from countersign.approvals.person import OPERATOR
from countersign.identity.terms import ANY
from countersign.platform.environment import NONE
from countersign.platform.task_hub import PLACE
from countersign.proof.keys import SETTING as PROOF_KEY
from countersign.settings import Settings, read_settings
from countersign.signing.vault_key import ADDRESS
from countersign.stores.account import PARTS_OF_IDENTITY, SETTING
from devhost.config.settings import read_settings as host_settings
from local.proof_key import development_key

APP = Path(__file__).resolve().parent.parent
DATA = APP / ".data"

SUGGESTED = {
    "DEVHOST_ABOUT": (
        "Agents research and draft reports, and people request orders; nothing is published or"
        " ordered before a person approves it. One person asks, and somebody else decides. Sign in"
        " as Ada to ask for something, then as Grace to decide on it."
    ),
    "DEVHOST_PEOPLE": (
        f"Ada={roles.RESEARCH_REQUESTER} {roles.PURCHASE_REQUESTER};"
        f" Grace={roles.REPORT_REVIEWER} {roles.PURCHASE_APPROVER};"
        f" Katherine={roles.REPORT_REVIEWER} {roles.PURCHASE_APPROVER};"
        f" Dorothy={roles.REPORT_ESCALATION} {roles.PURCHASE_ESCALATION};"
        f" Mary={roles.AUDITOR};"
        f" Olga={OPERATOR}"
    ),
}
"""What the sign-in page says about the app, and whom it suggests to sign in as."""


def complete(
    environment: Mapping[str, str], *, port: int, data: Path, signin: int | None = None
) -> dict[str, str]:
    """Return an environment, completed for an app that trusts the local sign-in's tokens.

    Args:
        environment: What is set already, and stays.
        port: The port that the app's host listens on.
        data: The folder that keeps everything the app has to remember; the key of proofs is made
            in it, if none is set.
        signin: The port of the sign-in, where that is not the host's.
    """
    return {
        "AZURE_FUNCTIONS_DURABLE_STRICT_TYPING": "1",
        "COUNTERSIGN_DATA": str(data),
        # Made only where it is used.
        PROOF_KEY: _proof_key(environment, data),
        "COUNTERSIGN_PUBLIC_URL": f"http://127.0.0.1:{port}",
        "COUNTERSIGN_SIGN_IN": "page",
        "COUNTERSIGN_SIGN_IN_AUTHORITY": f"http://127.0.0.1:{signin or port}/.auth/dev",
        "COUNTERSIGN_SIGN_IN_CLIENT_ID": "countersign-page",
        "COUNTERSIGN_SIGN_IN_SCOPE": "user_impersonation",
        "COUNTERSIGN_TOKEN_AUDIENCE": "urn:devhost:app",
        # The local sign-in's tokens name no application.
        "COUNTERSIGN_TOKEN_CLIENTS": ANY,
        "COUNTERSIGN_TOKEN_ISSUER": "urn:devhost",
        "COUNTERSIGN_TOKEN_JWKS": f"http://127.0.0.1:{signin or port}/.auth/dev/jwks",
        # As in Azure: see infra/modules/function-app.bicep.
        "PYTHON_THREADPOOL_THREAD_COUNT": "10",
        "TASKHUB_NAME": "default",
        PLACE: _place(data),
        **SUGGESTED,
        **environment,
    }


def _proof_key(environment: Mapping[str, str], data: Path) -> str:
    if PROOF_KEY in environment:
        return environment[PROOF_KEY]
    return NONE if ADDRESS in environment else development_key(data)


def _place(data: Path) -> str:
    machine = re.sub("[^A-Za-z0-9-]", "-", platform.node()).strip("-") or "machine"
    return f"{machine}.{sha256(str(data.resolve()).encode())[:8]}"


def read(environment: Mapping[str, str]) -> Settings:
    """Return what the app makes of an environment, with the settings of its own file.

    Raises:
        HostError: The file can't be read.
        SettingsError: The first request would fail with a setting.
        ValueError: The library is not a folder.
    """
    settings = read_settings(host_settings(APP, environment).environment)
    if not (APP / settings.library).is_dir():
        raise ValueError(f"the library {settings.library} is not a folder")
    return settings


def keep_in(environment: Mapping[str, str], storage: str) -> dict[str, str]:
    """Return an environment that names this storage account and no other.

    Args:
        environment: What is set already.
        storage: The account's connection string, or nothing for the embedded stores.
    """
    others = {f"{SETTING}__{part}": NONE for part in PARTS_OF_IDENTITY}
    return {**environment, **others, SETTING: storage or NONE}
