"""The researcher asked about a reviewer's wish: does it need facts that nobody has looked up?"""

from __future__ import annotations

from collections.abc import Sequence

from countersign.team.asking import REVISER, answer
from countersign.team.calls import Calls
from countersign.team.models import Wanted
from countersign.team.questions import question


async def wanted(calls: Calls, *, topic: str, claims: Sequence[str], comment: str) -> Wanted:
    """Say what to look up before a report can be changed as a reviewer wants.

    Args:
        calls: Makes the calls.
        topic: What the report is on.
        claims: What is proved so far.
        comment: What the reviewer wants.

    Raises:
        TeamError: The model cannot be asked, or its answer cannot be used (`errors` has each).
    """
    asked = question({"topic": topic, "claims": list(claims), "comment": comment})
    return await answer(calls, REVISER, asked, Wanted)
