"""What a reviewer wants changed in a draft, as the team is told it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class PassageRemark:
    """What is said about a passage.

    Attributes:
        passage: its words, as readers see them.
        comment: what is to become of it; empty where only other words are suggested.
        instead: those words, empty to leave it out; None where none are suggested.
    """

    passage: str
    comment: str = ""
    instead: str | None = None

    @property
    def in_words(self) -> str:
        """The remark as a part of a comment on the whole draft."""
        wishes = [self.comment]
        if self.instead is not None:
            wishes.append(f"Write \u201c{self.instead}\u201d." if self.instead else "Leave it out.")
        return f"On \u201c{self.passage}\u201d: {' '.join(filter(None, wishes))}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Wish:
    """What a reviewer wants of the next draft.

    Attributes:
        previous: the text that they sent back.
        comment: what they want changed in it.
        remarks: what they say about passages of it.
    """

    previous: str
    comment: str = ""
    remarks: Sequence[PassageRemark] = ()

    @property
    def in_words(self) -> str:
        """All of it as one comment."""
        return "\n\n".join(filter(None, [self.comment, *(each.in_words for each in self.remarks)]))

    def asked(self) -> Mapping[str, object]:
        """Return what a writer's question says of it; remarks are numbered from 1."""
        remarks = [
            {"number": number, **asdict(remark)} for number, remark in enumerate(self.remarks, 1)
        ]
        asked = {"previous": self.previous, "comment": self.comment}
        return {**asked, "remarks": remarks} if remarks else asked
