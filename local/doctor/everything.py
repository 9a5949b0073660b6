"""Look at all that needs the packages to be looked at."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from local import settings
from local.doctor.app import examine_app
from local.doctor.finding import Finding
from local.doctor.machine import examine_data, examine_ports
from local.doctor.programs import examine_azurite, examine_func, examine_scheduler
from local.doctor.settings import examine_settings


def examine_everything(data: Path | None) -> Sequence[Finding]:
    """Return what was found, in the order in which a person needs it.

    Args:
        data: The folder of all state; by default the one that `dev.py start` takes.
    """
    folder = data or settings.DATA
    return [
        examine_app(),
        *examine_settings(folder),
        examine_data(folder),
        examine_ports(),
        examine_azurite(),
        examine_func(),
        examine_scheduler(),
    ]
