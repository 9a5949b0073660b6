"""Whether the settings that `dev.py start` would use are complete."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from countersign.environment import NONE
from countersign.proof.keys import SETTING as PROOF_KEY
from countersign.settings import Settings, SettingsError, read_settings
from countersign.team.chat import ModelChoice
from devhost.errors import HostError
from devhost.settings import read_settings as host_settings
from local import settings
from local.doctor.finding import Finding


def examine_settings(data: Path = settings.DATA) -> Sequence[Finding]:
    """Read all settings, and say which model they choose and what keeps the ledger."""
    # A key for proofs would be made where none is set.
    given = {PROOF_KEY: NONE, **os.environ}
    try:
        environment = settings.complete(given, port=7071, data=data)
        read = read_settings(host_settings(settings.APP, environment).environment)
    except (HostError, SettingsError, ValueError) as error:
        mend = "set it, in the environment or in local.settings.json (README.md has a table)"
        return [Finding(name="settings", told=str(error), state="broken", mend=mend)]
    return [_model(read.model), _storage(read)]


def _model(choice: ModelChoice) -> Finding:
    if choice.provider == "extractive":
        told = "none: sentences are selected from the sources, which needs no key"
        return Finding(name="model", told=told)
    where = f" at {choice.base_url}" if choice.base_url else ""
    return Finding(name="model", told=f"{choice.model} ({choice.provider}){where}, not asked yet")


def _storage(read: Settings) -> Finding:
    if read.account:
        return Finding(name="storage", told=f"the account {read.account.address}, not asked yet")
    return Finding(name="storage", told="embedded, in the data folder")
