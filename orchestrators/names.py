"""The names by which functions, events and instances find each other.

Orchestrators and activities are indexed under the names of their Python functions.
"""

from __future__ import annotations

from typing import Final

from azure.durable_functions import EntityId

RESEARCH: Final = "research"
PURCHASE: Final = "purchase"
APPROVAL_GATE: Final = "approval_gate"

PLAN_RESEARCH: Final = "plan_research"
RESEARCH_SUBTOPIC: Final = "research_subtopic"
CHECK_FACTS: Final = "check_facts"
WRITE_DRAFT: Final = "write_draft"
OPEN_PROPOSAL: Final = "open_proposal"
SETTLE_PROPOSAL: Final = "settle_proposal"
PUBLISH_REPORT: Final = "publish_report"
PREPARE_ORDER: Final = "prepare_order"
SUBMIT_ORDER: Final = "submit_order"
CLOSE_OPERATION: Final = "close_operation"

NOTICES: Final = "notices"

ANSWER_QUESTION: Final = "answer_question"
SETTLE_QUESTION: Final = "settle_question"
FACT_CHECKER: Final = "FactChecker"
"""The durable agent; its entity is indexed as `dafx-FactChecker`."""

APPROVAL_DECISION: Final = "ApprovalDecision"
"""The doorbell: it carries no authority, the ledger does."""


def gate_instance(operation_id: str, version: int) -> str:
    """Return the instance that waits for the decision about one version; each has its own."""
    return f"{operation_id}-v{version}"


def question_instance(operation_id: str, question_id: str) -> str:
    """Return the instance that has one question answered."""
    return f"{operation_id}-{question_id}"


def conversation(session: str) -> EntityId:
    """Return the entity that keeps what the fact-checker is asked in one session."""
    return EntityId(f"dafx-{FACT_CHECKER}", session)


def notices_of(operation_id: str) -> tuple[EntityId, str]:
    """Return the entity that tells people about an operation, and what it is to be signalled."""
    return EntityId(NOTICES, operation_id), "tell"
