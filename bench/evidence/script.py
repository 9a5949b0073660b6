"""What every scripted model reads of a request, whatever the wording of its prompt."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from bench.evidence.chat_server import form_of, text_of
from bench.evidence.labels import Place, Question
from bench.evidence.plain import normal

_SOURCE = re.compile(r"\bdoc-\d+\b")
_BETWEEN_WORDS = r"[^\w\u2212%\u20ac]{1,12}"
_CITED = re.compile(r"\s*\[\d+\]")
_CELLS = re.compile(r"[\s|]+")


@dataclass(frozen=True, kw_only=True)
class Request:
    """A request for the form with this name.

    Attributes:
        form: the name of the form that the answer has to be in.
        text: all that was sent.
        question: which of the bench's questions it is about.
    """

    form: str
    text: str
    question: Question

    @cached_property
    def claims(self) -> dict[int, Mapping[str, Any]]:
        """The numbered claims that are shown."""
        return {each["number"]: each for each in objects(self.text) if _is_claim(each)}

    @cached_property
    def lines(self) -> dict[int, str]:
        """The numbered lines of a draft that are shown, without their citations."""
        shown = [each for each in objects(self.text) if _is_line(each)]
        return {each["line"]: _CITED.sub("", each["text"]) for each in shown}

    def shown(self, place: Place) -> tuple[str, str] | None:
        """Return a labelled sentence in the words that were shown, and the id of its source."""
        words = map(re.escape, _CELLS.split(normal(place.sentence)))
        pattern = re.compile(_BETWEEN_WORDS.join(words).replace("'", "['\u2019]"))
        found = pattern.search(self.text)
        if found is None:
            return None
        sources = _SOURCE.findall(self.text, 0, found.start())
        return (found.group(), sources[-1]) if sources else None


def read(request: dict[str, Any], questions: Sequence[Question]) -> Request | None:
    """Read a request; None if it is about none of the questions."""
    text = text_of(request)
    about = [question for question in questions if _quoted(question.text) in text]
    if not about:
        return None
    return Request(form=form_of(request), text=text, question=about[0])


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _is_claim(found: Mapping[str, Any]) -> bool:
    return isinstance(found.get("number"), int) and isinstance(found.get("claim"), str)


def _is_line(found: Mapping[str, Any]) -> bool:
    return isinstance(found.get("line"), int) and isinstance(found.get("text"), str)


def objects(text: str) -> Iterator[Mapping[str, Any]]:
    """All JSON objects in a text, those inside others too."""
    decoder, place = json.JSONDecoder(), text.find("{")
    while place >= 0:
        try:
            found, end = decoder.raw_decode(text, place)
        except ValueError:
            end = place + 1
        else:
            yield from _inside(found)
        place = text.find("{", end)


def _inside(found: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(found, dict):
        yield found
    if isinstance(found, (dict, list)):
        for each in found.values() if isinstance(found, dict) else found:
            yield from _inside(each)
