"""The forms in which agents answer, and what the team makes of their answers.

A model may write whatever it likes, so whatever can be put right is put right here: what is too
long or too much is cut, what isn't asked for is dropped, and of a list what fits is taken.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, cast

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    StringConstraints,
    ValidationError,
    WrapValidator,
)

_UNTOLD = ("minLength", "maxLength", "minItems", "maxItems", "default")
_NUMBER = re.compile(r"\D*(\d{1,9})\D*")
_WORDS_END = re.compile(r"\s+\S*\Z")


def _without_bounds(schema: dict[str, Any]) -> None:
    # Azure OpenAI refuses a schema with bounds on lengths or with defaults, so the model isn't
    # told them.
    for part in schema.get("properties", {}).values():
        for each in _UNTOLD:
            part.pop(each, None)
            part.get("items", {}).pop(each, None)


class _Form(BaseModel):
    called: ClassVar[str] = "answer"
    """What people are told is missing where a model's answer isn't in this form."""

    if_cut: ClassVar[Mapping[str, Any] | None] = None
    """What stands for fields that an answer which was cut off never came to; None where what came
    before is worth nothing by itself."""

    model_config = ConfigDict(
        extra="ignore",
        frozen=True,
        coerce_numbers_to_str=True,
        json_schema_extra=_without_bounds,
        defer_build=True,
    )


def _cut(longest: int) -> BeforeValidator:
    """Cut a text that is too long where a word ends."""

    def shortened(value: object) -> object:
        if not isinstance(value, str) or len(value.strip()) <= longest:
            return value
        return _WORDS_END.sub("", value.strip()[:longest])

    return BeforeValidator(shortened)


def _said(text: str) -> str:
    """Return a text that holds nothing but dots or dashes, as models copy them, is none."""
    return text if any(map(str.isalnum, text)) else ""


def _fitting(most: int) -> WrapValidator:
    """Take of a list what fits, and no more than is wanted; one thing alone is a list of one."""

    def taken(value: object, check: Callable[[object], list[Any]]) -> list[Any]:
        items = cast("list[object]", value) if isinstance(value, list) else [value]
        items = [] if value is None else items
        fit, fault = list[Any](), None
        for item in items:
            try:
                fit += check([item])
            except ValidationError as error:
                fault = error
        if fault and not fit:
            raise fault
        return fit[:most]

    return WrapValidator(taken)


def _some(value: list[Any]) -> list[Any]:
    if not value:
        raise ValueError("has to hold at least one")
    return value


def _number(value: object) -> object:
    """Return the number in a text such as "Claim 3"."""
    found = _NUMBER.fullmatch(value) if isinstance(value, str) else None
    return int(found[1]) if found else value


_NOT_EMPTY = StringConstraints(strip_whitespace=True, min_length=1)
_STRIPPED = StringConstraints(strip_whitespace=True)

LONGEST_TOPIC = 300
LONGEST_CLAIM = 1_000
MOST_SUBTOPICS = 6

Subtopic = Annotated[str, _NOT_EMPTY, _cut(LONGEST_TOPIC)]
ClaimText = Annotated[str, _NOT_EMPTY, _cut(LONGEST_CLAIM)]
Quote = Annotated[str, _NOT_EMPTY, _cut(2_000)]
SourceId = Annotated[str, _NOT_EMPTY, _cut(200)]
Query = Annotated[str, _NOT_EMPTY, _cut(LONGEST_TOPIC)]
Notes = Annotated[str, _STRIPPED, _cut(2_000), AfterValidator(_said)]
Number = Annotated[int, BeforeValidator(_number)]


class Plan(_Form):
    """The parts of a topic that are researched one by one."""

    called = "plan"

    subtopics: Annotated[list[Subtopic], _fitting(MOST_SUBTOPICS), AfterValidator(_some)]


class Finding(_Form):
    """A claim, and the words of a source that are to prove it."""

    claim: ClaimText
    quote: Quote
    source: SourceId


class Research(_Form):
    """What the researcher finds in the passages shown, and what else to look up, if anything."""

    called = "list of findings"
    if_cut = MappingProxyType({"findings": []})

    findings: Annotated[list[Finding], _fitting(40)]
    look_up: Annotated[list[Query], _fitting(3)] = []


class Findings(_Form):
    """What came of researching a subtopic.

    Attributes:
        findings: each with a source that was shown.
        looked_up: what the library was asked; None where that was not kept yet.
        passages: how many it showed.
        strays: findings that were left out, as they name no source that was shown.
    """

    findings: list[Finding]
    looked_up: list[str] | None = None
    passages: int = 0
    strays: int = 0


class Verdict(_Form):
    """Whether the quote supports the claim with this number (from 1).

    `answers`: whether the claim says what its subtopic asks for.
    """

    claim: Number
    supported: bool
    answers: bool = True
    note: Annotated[str, _STRIPPED, _cut(1_000), AfterValidator(_said)] = ""


class FactCheckResult(_Form):
    """What became of each claim, whether a report may be written, and what is missing.

    `again`: the numbers (from 1) of the planned subtopics that need another round of research.
    """

    called = "list of verdicts"
    if_cut = MappingProxyType({"approved": False})

    verdicts: Annotated[list[Verdict], _fitting(2_000)]
    again: Annotated[list[Number], _fitting(60)] = []
    notes: Notes = ""
    approved: bool


class Section(_Form):
    """A part of a report. Its body cites claims by number: `[3]`, or `[3][4]`."""

    heading: Annotated[str, _NOT_EMPTY, _cut(LONGEST_TOPIC)]
    body: Annotated[str, _NOT_EMPTY, _cut(20_000)]


class RemarkAnswer(_Form):
    """Whether the draft does what the remark with this number (from 1) asks, and how or why not."""

    remark: Number
    done: bool
    reason: Annotated[str, _STRIPPED, _cut(600), AfterValidator(_said)] = ""


class Report(_Form):
    """A report as written, before its citations become numbers of sources.

    `note` says how a reviewer's comment was taken, and `answers` what became of their remarks on
    passages; both are empty when there were none.
    """

    called = "report"

    title: Annotated[str, _NOT_EMPTY, _cut(LONGEST_TOPIC)]
    summary: Annotated[str, _NOT_EMPTY, _cut(4_000)]
    sections: Annotated[list[Section], _fitting(60), AfterValidator(_some)]
    note: Annotated[str, _STRIPPED, _cut(600), AfterValidator(_said)] = ""
    answers: Annotated[list[RemarkAnswer], _fitting(200)] = []


class Citation(_Form):
    """Words of a source that are to prove an answer."""

    quote: Quote
    source: SourceId


class Consultation(_Form):
    """What the fact-checker answers to a reviewer's question; an answer can do without a quote.

    `look_up` asks for more passages, in place of an answer.
    """

    answer: Annotated[str, _NOT_EMPTY, _cut(4_000)]
    quotes: Annotated[list[Citation], _fitting(20)]
    look_up: Annotated[list[Query], _fitting(3)] = []


class Wanted(_Form):
    """What has to be looked up for a reviewer's wish; nothing, if what is known is enough.

    `subtopic`: the heading under which it belongs.
    """

    called = "list of searches"

    subtopic: Annotated[str, _STRIPPED, _cut(LONGEST_TOPIC), AfterValidator(_said)] = ""
    look_up: Annotated[list[Query], _fitting(3)]


class SentenceVerdict(_Form):
    """Whether the claims that it cites support the line of a draft with this number (from 1)."""

    line: Number
    supported: bool
    note: Annotated[str, _STRIPPED, _cut(1_000), AfterValidator(_said)] = ""


class Contradiction(_Form):
    """Two claims, by number (from 1), that can't both be so."""

    one: Number
    other: Number


class Proof(_Form):
    """What becomes of each line of a finished draft, and which of its claims don't agree."""

    called = "list of verdicts"
    if_cut = MappingProxyType({})

    verdicts: Annotated[list[SentenceVerdict], _fitting(2_000)]
    contradictions: Annotated[list[Contradiction], _fitting(200)] = []


class SubtopicFinding(Finding):
    """A finding, with the subtopic it was found for."""

    subtopic: Subtopic


class QuotedPassage(BaseModel):
    """A quote in the source's own words, with the text before and after it.

    `begins_inside` and `ends_inside`: it is a part of a sentence, of which `before` and `after`
    have the rest. Both are False where that was not looked at. `where`: the page, sheet, slide or
    section that it is on, if that is known. `introduced`: the heading or line that introduces it,
    where that denies it or says that others claim it. `denied`: a sentence before or after it that
    says of it that it isn't so. `start` and `end`: where the quote stands in
    the source's text, in characters from 0; None where it was not kept.
    """

    model_config = ConfigDict(strict=True, frozen=True, defer_build=True)

    before: str
    quote: str
    after: str
    begins_inside: bool = False
    ends_inside: bool = False
    where: str = ""
    introduced: str = ""
    denied: str = ""
    start: int | None = None
    end: int | None = None

    @property
    def before_it(self) -> str:
        """What is before the quote, and what introduces it."""
        return f"{self.introduced} [\u2026] {self.before}" if self.introduced else self.before

    @property
    def after_it(self) -> str:
        """What is after the quote, and what denies it, wherever that stands."""
        told = not self.denied or self.denied in f"{self.before}\n{self.after}"
        return self.after if told else f"{self.after} [\u2026] {self.denied}"

    @property
    def cut(self) -> str:
        """The quote, with dots where it is cut out of a sentence."""
        before, after = "\u2026 " * self.begins_inside, " \u2026" * self.ends_inside
        return f"{before}{self.quote}{after}"

    @property
    def is_cut(self) -> bool:
        """Whether it is a part of a sentence only."""
        return self.begins_inside or self.ends_inside


class LeftOut(BaseModel):
    """A line of a draft that is not in the report, and why."""

    model_config = ConfigDict(strict=True, frozen=True, defer_build=True)

    text: str
    reason: str


class Doubt(BaseModel):
    """A sentence, title or heading of a report that no program vouches for, and why.

    `grave`: something speaks against it. Else nothing speaks for it but a model.
    """

    model_config = ConfigDict(strict=True, frozen=True, defer_build=True)

    sentence: str
    reasons: list[str]
    grave: bool = True


class CheckedFinding(SubtopicFinding):
    """A finding of which code knows whether its quote stands in its source, and in what context.

    `passage` is also missing where the facts were checked before passages were kept.
    """

    found: bool
    passage: QuotedPassage | None = None

    @property
    def words(self) -> str:
        """The quote in its source's own words, where they are known."""
        return self.passage.quote if self.passage else self.quote
