"""For how long names, texts and artifacts are kept after an operation has ended."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from countersign.approvals.operation import Operation

SETTING: Final = "COUNTERSIGN_RETENTION_DAYS"

ANY: Final = "*"
"""Stands for every kind, or every outcome."""

_RULE = re.compile(r"([a-z_]+|\*)/([a-z_]+|\*)=([0-9]{1,5})")


class Due(NamedTuple):
    """From when on (UTC) an operation is to be erased, and under which rule."""

    at: datetime
    rule: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Retention:
    """The days for which operations are kept, by kind and outcome, each of which can be `*`.

    Of several that fit, the one that names more counts; of two that name as much, the kind's.
    """

    days: Mapping[tuple[str, str], int]

    def due(self, operation: Operation) -> Due | None:
        """When an operation is to be erased; None if it is kept, or has not ended."""
        if operation.closed is None or not operation.erasable:
            return None
        kind, outcome = operation.kind, operation.closed.outcome
        for named in ((kind, outcome), (kind, ANY), (ANY, outcome), (ANY, ANY)):
            if (days := self.days.get(named)) is not None:
                rule = f"{'/'.join(named)}: erased {days} days after it ended"
                return Due(operation.closed.at + timedelta(days=days), rule)
        return None


def read_retention(environment: Mapping[str, str]) -> Retention:
    """Read the setting: `kind/outcome=days`, several with blanks between; without it all is kept.

    Raises:
        ValueError: a part is something else, or names what another one names.
    """
    days: dict[tuple[str, str], int] = {}
    for part in environment.get(SETTING, "").replace(",", " ").split():
        rule = _RULE.fullmatch(part)
        if rule is None:
            raise ValueError(f"{SETTING} must be like research/rejected=90 */*=3650, not {part!r}")
        kind, outcome, number = rule.groups()
        if (kind, outcome) in days:
            raise ValueError(f"{SETTING} names {kind}/{outcome} twice")
        days[kind, outcome] = int(number)
    return Retention(days=days)
