"""Where a report is below its destination: `{tenant}/{operation_id}.md`."""

from __future__ import annotations

import re

from countersign.destinations.destination import legal_name

_UNLIKE_ON_ALL_SYSTEMS = re.compile(r"[A-Z.]")


def report_path(tenant: str, operation_id: str) -> str:
    """The path of an operation's report, with `/` between its parts; no two have the same.

    Raises:
        ValueError: the tenant or the operation has an illegal name.
    """
    return f"{_file_name(tenant)}/{_file_name(operation_id)}.md"


def _file_name(name: str) -> str:
    # Capitals fall together on Windows and macOS, and dots can lead elsewhere.
    return _UNLIKE_ON_ALL_SYSTEMS.sub(lambda match: f"%{ord(match[0]):02X}", legal_name(name))
