"""The roles that an organisation gives its people; tokens carry them in the `roles` claim."""

from __future__ import annotations

from typing import Final

REQUESTER: Final = "Research.Requester"
REVIEWER: Final = "Report.Reviewer"
ESCALATION: Final = "Report.Escalation"
AUDITOR: Final = "Auditor"
