"""What a check says of a reviewer's own text."""

from __future__ import annotations

from typing import Literal

from countersign.research.own_text import CheckedText
from countersign.team.models import QuotedPassage
from countersign.team.own_text import CheckedLine, LineState
from endpoints.answers.questions import QuotedSource
from endpoints.answers.response_body import ResponseBody


class CheckedLineView(ResponseBody):
    """A sentence of the text, or words that it gives as a quote.

    `holds`: a source has the quote word for word, or supports the sentence. `altered`: a source
    says something near to it. `unproven`: no source says it. `reasons`: why, a sentence each.
    `source` and `passage`: the words of a source that come nearest, null if none do.
    """

    kind: Literal["sentence", "quote"]
    text: str
    state: LineState
    reasons: list[str]
    source: QuotedSource | None
    passage: QuotedPassage | None


class CheckedTextView(ResponseBody):
    """What the sources and the fact-checker say of a text, as advice: nothing is decided by it.

    `lines`: the sentences and quotes that the team's text doesn't have, in order. `gone`: quotes of
    the version that the text no longer has. `unchanged`: how many sentences and quotes it shares
    with the team's text, which were checked when that was written. `left`: how many more lines
    there are than one check looks at. `note`: why the fact-checker has not judged the sentences,
    empty if it has.
    """

    lines: list[CheckedLineView]
    gone: list[str]
    unchanged: int
    left: int
    note: str

    @classmethod
    def of(cls, checked: CheckedText) -> CheckedTextView:
        """Return a check as the API shows it."""
        sources = {each.id: QuotedSource.of(each) for each in checked.sources}

        def shown(line: CheckedLine) -> CheckedLineView:
            finding = line.finding
            return CheckedLineView(
                kind=line.kind,
                text=line.text,
                state=line.state,
                reasons=line.reasons,
                source=sources[finding.source] if finding else None,
                passage=finding.passage if finding else None,
            )

        return cls(
            lines=[shown(each) for each in checked.lines],
            gone=list(checked.gone),
            unchanged=checked.unchanged,
            left=checked.left,
            note=checked.note,
        )
