"""The roles that an organisation gives its people; tokens carry them in the `roles` claim."""

from __future__ import annotations

from typing import Final

RESEARCH_REQUESTER: Final = "Research.Requester"
REPORT_REVIEWER: Final = "Report.Reviewer"
REPORT_ESCALATION: Final = "Report.Escalation"
PURCHASE_REQUESTER: Final = "Purchase.Requester"
PURCHASE_APPROVER: Final = "Purchase.Approver"
PURCHASE_ESCALATION: Final = "Purchase.Escalation"
AUDITOR: Final = "Auditor"
