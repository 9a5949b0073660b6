"""Whether the settings that `dev.py start` would use are complete."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from countersign.platform.environment import NONE, SettingsError
from countersign.proof.keys import SETTING as PROOF_KEY
from countersign.settings import Settings
from devhost.errors import HostError
from local import settings
from local.doctor.finding import Finding
from local.doctor.model import examine_model


def examine_settings(data: Path) -> Sequence[Finding]:
    """Read all settings, and say which model they choose and what keeps the ledger.

    Args:
        data: The folder of all state; nothing is made in it.
    """
    # A key for proofs would be made where none is set.
    given = {PROOF_KEY: NONE, **os.environ}
    try:
        environment = settings.complete(given, port=7071, data=data)
        read = settings.read(environment)
    except (HostError, SettingsError, ValueError) as error:
        mend = "set it in the environment or in local.settings.json (docs/settings.md)"
        return [Finding(name="settings", told=str(error), state="broken", mend=mend)]
    return [examine_model(read.model), _storage(read)]


def _storage(read: Settings) -> Finding:
    if read.account:
        return Finding(name="storage", told=f"the account {read.account.address}, not contacted")
    return Finding(name="storage", told="embedded, in the data folder")
