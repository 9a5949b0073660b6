"""The roles that an organisation gives its people; tokens carry them in the `roles` claim."""

from __future__ import annotations

from typing import Final

from countersign.approvals.person import OPERATOR

RESEARCH_REQUESTER: Final = "Research.Requester"
REPORT_REVIEWER: Final = "Report.Reviewer"
REPORT_ESCALATION: Final = "Report.Escalation"
PURCHASE_REQUESTER: Final = "Purchase.Requester"
PURCHASE_APPROVER: Final = "Purchase.Approver"
PURCHASE_ESCALATION: Final = "Purchase.Escalation"
AUDITOR: Final = "Auditor"

REQUESTING: Final = (RESEARCH_REQUESTER, PURCHASE_REQUESTER)
"""Who may ask for something, each for one kind of it."""

DECIDING: Final = (REPORT_REVIEWER, REPORT_ESCALATION, PURCHASE_APPROVER, PURCHASE_ESCALATION)
"""Who may be asked to decide about a proposal, each about one kind of it."""

READERS: Final = (*REQUESTING, *DECIDING, AUDITOR, OPERATOR)
"""Who may read what their organisation asked for, and what became of it: holders of any role.

Somebody whom the sign-in lets in without an assignment has none, and reads but their own."""
