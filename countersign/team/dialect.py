"""What the model's API takes beside a question, as its own refusals show.

Servers of the chat completions API differ in three of its parameters. DeepSeek takes no schema, LM
Studio no JSON mode, and vLLM and llama.cpp refuse single schemas; Mistral refuses whatever it
doesn't know, as OpenAI's newer name for an answer's limit; and some don't stream. What is refused
costs nothing, so it is left out and asked again, and remembered for as long as the process lives.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, cast

from pydantic import BaseModel

AnswerFormat = Literal["json_schema", "json_object", "none"]
Limit = Literal["max_completion_tokens", "max_tokens", "none"]

_REFUSALS = frozenset([400, 422, 500, 501])
_NEXT_FORMAT: Mapping[AnswerFormat, AnswerFormat] = {
    "json_schema": "json_object",
    "json_object": "none",
    "none": "none",
}
_NEXT_LIMIT: Mapping[Limit, Limit] = {
    "max_completion_tokens": "max_tokens",
    "max_tokens": "none",
    "none": "none",
}
_NAMES_FORMAT = re.compile(
    r"response[_ .]?format|json[_ ]?schema|json[_ ]?(?:object|mode)\b|structured[_ ]output"
    r"|guided[_ ]|grammar",
    re.IGNORECASE,
)
_NAMES_STREAM = re.compile(r"\bstream(?:ing|_options)?\b", re.IGNORECASE)
_UNKNOWN = re.compile(
    r"\bextra\b|unsupported|unrecogni[sz]ed|unknown|unexpected|(?:not|n't) support"
    r"|not (?:be )?(?:supported|permitted|allowed)",
    re.IGNORECASE,
)
# What a server repeats of the request is no word of its own.
_TOLD_IN = ("message", "error", "detail", "param", "msg", "loc", "code")
_DEEPEST = 4
_STATUS = re.compile(r"[45][0-9]{2}")


@dataclass(frozen=True, slots=True)
class Dialect:
    """What is sent.

    Attributes:
        format: how the form of the answer is asked for; a question names its fields where no
            schema does.
        limit: under which name the longest length of the answer goes.
        streams: whether answers are asked for piece by piece.
    """

    format: AnswerFormat = "json_schema"
    limit: Limit = "max_completion_tokens"
    streams: bool = True

    def options(self, form: type[BaseModel], most: int) -> dict[str, Any]:
        """Return the parameters beside the question.

        Args:
            form: what the answer has to be.
            most: tokens that it may have.
        """
        options: dict[str, Any] = {}
        if self.format != "none":
            as_schema = self.format == "json_schema"
            options["response_format"] = form if as_schema else {"type": "json_object"}
        if self.limit == "max_completion_tokens":
            # The framework's name for it.
            options["max_tokens"] = most
        elif self.limit == "max_tokens":
            options["extra_body"] = {"max_tokens": most}
        return options

    def question(self, text: str, form: type[BaseModel]) -> str:
        """Return the question, with the fields of the answer unless a schema says them.

        What stands in each field, the role's own example shows. A schema in words is no help: small
        models give it back as their answer.
        """
        if self.format == "json_schema":
            return text
        fields = ", ".join(f'"{name}"' for name in form.model_fields)
        return f"{text}\n\nAnswer with one JSON object. Its fields are {fields}."

    def after(self, refusal: object) -> Dialect:
        """Return the dialect to use after an error of the API; the same one if it doesn't help."""
        if getattr(refusal, "status_code", None) not in _REFUSALS:
            return self
        told = said_in(refusal)
        unknown = bool(_UNKNOWN.search(told))
        return Dialect(
            format=_NEXT_FORMAT[self.format] if _NAMES_FORMAT.search(told) else self.format,
            limit=_NEXT_LIMIT[self.limit] if unknown and _names(self.limit, told) else self.limit,
            streams=self.streams and not (unknown and _NAMES_STREAM.search(told)),
        )


class Spoken:
    """The dialect of one model, for all that ask it in this process.

    Attributes:
        dialect: what its API is known to take by now.
    """

    def __init__(self) -> None:
        self.dialect = Dialect()

    def learned(self, sent: Dialect, refusal: object) -> bool:
        """Take note of a refusal; says whether the request can be put in another way.

        Args:
            sent: how the request was put that was refused; others may have learned since.
            refusal: the API's error.
        """
        if sent == self.dialect:
            self.dialect = sent.after(refusal)
        return sent != self.dialect

    def streams_nothing(self) -> None:
        """Take note that an answer that was to come in pieces came in none."""
        self.dialect = replace(self.dialect, streams=False)


def status_named(code: object) -> int | None:
    """Return the HTTP status that an error has as its code, as a number or a text; else None."""
    text = str(code)
    return int(text) if _STATUS.fullmatch(text) else None


def said_in(refusal: object) -> str:
    """Return the server's own words in an API's error, without what it repeats."""
    return "\n".join(_told(getattr(refusal, "body", None), _DEEPEST))


def _names(parameter: str, told: str) -> bool:
    return bool(re.search(rf"\b{parameter}\b", told))


def _told(body: object, deepest: int) -> Iterator[str]:
    """All that a body says in the server's own words."""
    if isinstance(body, str):
        yield body
    elif deepest == 0:
        return
    elif isinstance(body, Mapping):
        fields = cast("Mapping[str, object]", body)
        for name in _TOLD_IN:
            yield from _told(fields.get(name), deepest - 1)
    elif isinstance(body, Sequence):
        for each in cast("Sequence[object]", body):
            yield from _told(each, deepest - 1)
