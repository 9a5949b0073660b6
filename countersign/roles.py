"""The roles that an organisation gives its people; tokens carry them in the `roles` claim."""

from __future__ import annotations

from typing import Final

REQUESTER: Final = "Research.Requester"
REVIEWER: Final = "Report.Reviewer"
ESCALATION: Final = "Report.Escalation"
AUDITOR: Final = "Auditor"

DECIDING: Final = (REVIEWER, ESCALATION)
"""Who may be asked to decide about a proposal: holders of either role."""

READERS: Final = (REQUESTER, REVIEWER, ESCALATION, AUDITOR)
"""Who may read what their organisation asked for, and what was published: holders of any role.

Somebody whom the sign-in lets in without an assignment has none, and reads but their own."""
