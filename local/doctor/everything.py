"""Look at all that needs the packages to be looked at."""

from __future__ import annotations

from collections.abc import Sequence

from local.doctor.app import examine_app
from local.doctor.finding import Finding
from local.doctor.machine import examine_data, examine_ports
from local.doctor.programs import examine_azurite, examine_func, examine_scheduler
from local.doctor.settings import examine_settings


def examine_everything() -> Sequence[Finding]:
    """Return what was found, in the order in which a person needs it."""
    return [
        examine_app(),
        *examine_settings(),
        examine_data(),
        examine_ports(),
        examine_azurite(),
        examine_func(),
        examine_scheduler(),
    ]
