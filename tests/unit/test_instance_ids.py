"""Ids of instances and entities stay short enough for every backend."""

from __future__ import annotations

from azure.durable_functions import EntityId

from countersign.approvals.policy import MAX_VERSIONS
from countersign.approvals.questions import MOST_QUESTIONS
from countersign.commands.starting import new_operation_id
from countersign.kinds.registry import known_kinds
from orchestrators.names import conversation, gate_instance, notices_of, question_instance

LONGEST_ID = 100
"""Characters that an id has less than: what Microsoft's documentation asks for."""


def test_every_id_is_shorter_than_a_hundred_characters() -> None:
    operation = new_operation_id(max((each.name for each in known_kinds()), key=len))
    ids = [
        operation,
        gate_instance(operation, MAX_VERSIONS),
        question_instance(operation, f"q{MOST_QUESTIONS}"),
        EntityId.get_scheduler_id(notices_of(operation)[0]),
        # The name of a session is that of its operation and 24 digits.
        EntityId.get_scheduler_id(conversation(f"{operation}-{'0' * 24}")),
    ]
    assert all(len(each) < LONGEST_ID for each in ids), ids
