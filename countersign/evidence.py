"""The evidence for a text: claims with quotes, what was found of them, and what of it is used."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict

from countersign.approvals.digest import canonical
from countersign.sources.library import Source, UnknownSource
from countersign.sources.origin import Origin
from countersign.team.folded import FoldedText
from countersign.team.models import CheckedFinding

EDITED = (
    "The text is a reviewer's own, and nobody checked it against the sources. Of the claims that"
    " were checked for the version before, those marked as used still stand in it word for word."
)

MOST_UNREAD = 50
"""Lines that say what could not be read."""


class Claim(CheckedFinding):
    """A claim with what code and fact-checker say of it.

    `found`: its quote stands in its source. `supported`: the quote supports the claim. `used`: the
    quote stands in the text that this is the evidence for.
    """

    supported: bool
    note: str
    used: bool = False

    def finding(self) -> CheckedFinding:
        """The finding as the writer is given it."""
        return CheckedFinding(**self.model_dump(include=set(CheckedFinding.model_fields)))


class SourceNote(BaseModel):
    """A source, as it was when the facts were checked."""

    model_config = ConfigDict(strict=True, frozen=True, defer_build=True)

    id: str
    title: str
    url: str | None
    origin: Origin | None = None

    @classmethod
    def of(cls, source: Source) -> SourceNote:
        """What there is to know about a source."""
        return cls(id=source.id, title=source.title, url=source.url, origin=source.origin)


class Evidence(BaseModel):
    """What a reviewer can check a text against.

    `notes` are the fact-checker's; `revision` says how the writer took a reviewer's comment.
    `own_text`: the text is a reviewer's own, so that none of this was ever said about it.
    `unread`: what research found or was pointed to and could not read, with the reason.
    """

    model_config = ConfigDict(strict=True, frozen=True, defer_build=True)

    notes: str
    claims: list[Claim]
    sources: list[SourceNote]
    revision: str = ""
    own_text: bool = False
    unread: list[str] = []

    def stored(self) -> bytes:
        """The canonical bytes of this evidence."""
        return canonical(self.model_dump(mode="json"))

    def source(self, source_id: str) -> Source:
        """The source with this id, also when the library has lost it since.

        Raises:
            UnknownSource: no claim is from such a source.
        """
        for each in self.sources:
            if each.id == source_id:
                return Source(id=each.id, title=each.title, url=each.url, origin=each.origin)
        raise UnknownSource(source_id)

    def supported(self) -> Sequence[Claim]:
        """The claims that a report may make."""
        return [claim for claim in self.claims if claim.supported]

    def also_unread(self, lines: Sequence[str]) -> Evidence:
        """This evidence, with more that could not be read."""
        all_lines = list(dict.fromkeys([*self.unread, *lines]))
        return self.model_copy(update={"unread": all_lines[:MOST_UNREAD]})

    def about(self, text: str, **changes: str | bool) -> Evidence:
        """This evidence, with each claim marked by whether it is used in a Markdown text."""
        plain = FoldedText(text.replace("\\", ""))
        claims = [
            claim.model_copy(update={"used": plain.has(claim.quote)}) for claim in self.claims
        ]
        return self.model_copy(update={"claims": claims, **changes})
