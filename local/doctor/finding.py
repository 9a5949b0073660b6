"""What was found out about one thing on this machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

State = Literal["ok", "without", "broken"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """One thing, in a line or two.

    Attributes:
        name: What it is.
        told: What was found.
        state: `without` if only some options of `dev.py` need it, `broken` if `dev.py start` does.
        mend: The command that mends it, if there is one.
    """

    name: str
    told: str
    state: State = "ok"
    mend: str = ""

    def __str__(self) -> str:
        mended = f"\n{'':21}to fix it: {self.mend}" if self.mend else ""
        return f"{self.state:9}{self.name:12}{self.told}{mended}"
