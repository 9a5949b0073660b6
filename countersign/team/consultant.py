"""The fact-checker asked by a reviewer: answers from one version's findings and sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from countersign.sources.in_threads import InThreads
from countersign.sources.library import Library
from countersign.team.calls import Calls
from countersign.team.look_ups import LookUps
from countersign.team.models import Consultation
from countersign.team.questions import question as put
from countersign.team.roles import CONSULTANT

LONGEST_REPORT = 40_000
"""Characters of a report that are shown; a reviewer's own text can be far longer."""

MOST_TURNS = 2
"""How often passages are shown for one question."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Matter:
    """What a question is about.

    Attributes:
        topic: what the report is on.
        report: its text.
        claims: `{claim, quote, source, source_title, found, supported, note}` each.
        earlier: `{question, answer}` each, of the same reviewer, in order.
    """

    topic: str
    report: str
    claims: Sequence[Mapping[str, object]]
    earlier: Sequence[Mapping[str, str]]


async def consult(
    calls: Calls,
    *,
    question: str,
    matter: Matter,
    library: Library,
) -> Consultation:
    """Answer a reviewer's question; whether its quotes stand is for `quotes.passages` to say.

    Args:
        calls: Makes the calls.
        question: As the reviewer put it.
        matter: What it is about.
        library: Where to look; reading is all that the agent can do.

    Raises:
        TeamError: The model cannot be asked, or its answer cannot be used (`errors` has each).
        SourceError: The library can't be read.
    """
    look_ups = LookUps(InThreads(library), calls.choice.shown_characters)
    passages = await look_ups.look_up([question])
    said: Consultation | None = None
    for turn in range(1, MOST_TURNS + 1):
        asked = _asked(question, matter, look_ups.queries, said) | {"last_turn": turn == MOST_TURNS}
        said = await calls.answer(CONSULTANT, put(asked, passages), Consultation)
        passages = await look_ups.look_up(said.look_up)
        if not passages:
            break
    assert said  # noqa: S101 - there is at least one turn
    return said


def _asked(
    question: str, matter: Matter, looked_up: Sequence[str], said: Consultation | None
) -> dict[str, object]:
    """Return the request of a turn; the previous answer has what was shown before."""
    so_far = said.model_dump(include={"answer", "quotes"}) if said else None
    return {
        "topic": matter.topic,
        "report": matter.report[:LONGEST_REPORT],
        "claims": list(matter.claims),
        "earlier": list(matter.earlier),
        "looked_up": list(looked_up),
        **({"so_far": so_far} if so_far else {}),
        "question": question,
    }
