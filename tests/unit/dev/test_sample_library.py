import re
from pathlib import Path

import pytest

from countersign.settings import SAMPLE_LIBRARY
from countersign.sources.folder import FolderLibrary

NOTES = sorted(SAMPLE_LIBRARY.glob("*.md"))


@pytest.mark.parametrize("note", NOTES, ids=lambda note: note.stem)
def test_each_note_is_short_and_names_its_public_source(note: Path) -> None:
    text = note.read_text("utf-8")
    assert 250 <= len(text.split()) <= 500
    assert re.search(r"^Sources?: .*<https://", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(
    ("question", "note"),
    [
        ("Why must an orchestrator be deterministic?", "replay-and-determinism.md"),
        ("Is a timeout an approval?", "waiting-for-people.md"),
        ("How does an idempotency key work?", "at-least-once-and-idempotency.md"),
        ("What is a fencing token?", "leases-and-partitions.md"),
        ("May the requester approve their own request?", "four-eyes-principle.md"),
    ],
)
def test_a_question_finds_the_note_that_answers_it(
    tmp_path: Path, question: str, note: str
) -> None:
    found = FolderLibrary(SAMPLE_LIBRARY, tmp_path / "index.db").search(question)
    assert note in {passage.source.id for passage in found[:3]}
