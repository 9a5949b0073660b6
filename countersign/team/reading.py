"""Read the agreed form out of whatever a model wrote around it.

Models think aloud, greet, fence, wrap, repeat themselves and leave commas standing. What is asked
for is one JSON object, so every object in the text is tried. Nothing is guessed: if two different
objects could both be the answer, neither is.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, TypeVar, cast

from pydantic import BaseModel, ValidationError

from countersign.team.errors import NotInForm

Form = TypeVar("Form", bound=BaseModel)

# The last is how gpt-oss parts its answer from its thoughts, where a server leaves that in.
_THOUGHT = re.compile(
    r"</(?:think|thinking|thought|reasoning|analysis)>"
    r"|<\|channel\|>final(?:\s*<\|constrain\|>\s*\w+)?\s*<\|message\|>",
    re.IGNORECASE,
)
_THINKING = re.compile(r"<(?:think|thinking|thought|reasoning|analysis)>", re.I)
_INVISIBLE = re.compile("[\ufeff\u200b\u2060]")
# A string, or what is put right outside of strings.
_STRING = r'"(?:[^"\\]|\\.)*"'
_MENDABLE = re.compile(
    rf"{_STRING}|,(?=\s*[\]}}])|//[^\n]*|/\*.*?\*/|\b(?:True|False|None)\b", re.S
)
_LITERALS = {"True": "true", "False": "false", "None": "null"}
_WORD = re.compile(r"[^a-z0-9]")
# A half of a surrogate pair is no character, and no text can hold one.
_ESCAPED = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|(?P<half>u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)
_FENCE = "` \t\njson"
_MOST_MISSING = 1
_MOST_FAULTS = 5
_DEEPEST = 3

_MOST_IN_VAIN = 30
"""Brackets that open nothing, after which no more are tried: each costs a look at all the rest."""


def read(text: str, form: type[Form], *, ended: bool = True) -> Form:
    """Return what the model answered.

    Args:
        text: all that it wrote.
        form: what is looked for.
        ended: whether it came to an end; a bracket that is missing then is put where it belongs.

    Raises:
        NotInForm: There is no such object in the text, or more than one; `advice` says what is
            wrong, by the names of fields.
    """
    values = list(_values(text, mends=ended))
    objects: list[object] = [each for each in values if isinstance(each, dict)]
    lists: list[object] = [each for each in values if isinstance(each, list)]
    answers, faults = _fitting(objects, form)
    # A list in prose may be a citation, so lists count only where there is nothing better. Where
    # there was no end, one may be a part of what was to come.
    answers = answers or (_fitting(lists, form)[0] if ended else [])
    if not answers:
        raise NotInForm(_called(form), faults)
    if any(each != answers[0] for each in answers):
        raise NotInForm(_called(form), "it holds two different answers")
    return answers[0]


def read_begun(text: str, form: type[Form]) -> Form | None:
    """Return the whole items of the lists in an answer that was cut off.

    None if there are none, or if an answer in this form is worth nothing in part.
    """
    if_cut: Mapping[str, object] | None = getattr(form, "if_cut", None)
    said = _said(text)
    start = said.find("{")
    closed = _closed(said[start:]) if start >= 0 else ""
    if if_cut is None or not closed:
        return None
    value, _ = _decoded(closed, 0)
    if not isinstance(value, dict):
        return None
    try:
        return _validated({**if_cut, **cast("Mapping[str, object]", value)}, form)
    except ValidationError:
        return None


def _closed(text: str) -> str:
    """Return a text up to its last whole list item, brackets closed; empty without one."""
    opened, closed = list[str](), ""
    for found in _BRACKETS.finditer(text):
        mark = found.group()
        if mark in _CLOSING:
            opened.append(_CLOSING[mark])
        elif opened and mark == opened[-1]:
            opened.pop()
        if opened and opened[-1] == "]" and mark not in _CLOSING:
            closed = text[: found.end()] + "".join(reversed(opened))
    return closed


_CLOSING = {"{": "}", "[": "]"}


def _called(form: type[BaseModel]) -> str:
    return getattr(form, "called", "answer")


def _fitting(values: Iterable[object], form: type[Form]) -> tuple[list[Form], str]:
    """Those of some values that fit the form, and what is wrong with the last that doesn't."""
    fit, faults = list[Form](), "there is no JSON object in it"
    for value in values:
        try:
            fit.append(_validated(value, form))
        except ValidationError as error:
            faults = _told(error)
    return fit, faults


def _values(text: str, *, mends: bool = False) -> Iterator[object]:
    """Every JSON object or list that isn't inside of another one.

    `mends`: also one in which a bracket is missing, if it is at the end and an object, or all.
    """
    said = _said(text)
    if (whole := _decoded_string(said)) is not None:
        said = whole
    place, vain = 0, 0
    while vain < _MOST_IN_VAIN and (place := _next_opening(said, place)) >= 0:
        value, end = _decoded(said, place)
        if not end and mends and (said[place] == "{" or not said[:place].strip(_FENCE)):
            value, end = _decoded_mended(said, place)
        if end:
            yield value
        else:
            vain += 1
        place = end or place + 1


def _said(text: str) -> str:
    """Return what follows the model's thinking; empty if that has not ended."""
    *_, thought_until = 0, *(found.end() for found in _THOUGHT.finditer(text))
    said = _ESCAPED.sub(_whole, _INVISIBLE.sub("", text[thought_until:]))
    return "" if _THINKING.search(said) else said


def _whole(escaped: re.Match[str]) -> str:
    """Return what stands for an escape, which may be of a half of a character."""
    return "\\ufffd" if escaped["half"] else escaped.group()


def _next_opening(text: str, start: int) -> int:
    places = [place for place in (text.find("{", start), text.find("[", start)) if place >= 0]
    return min(places, default=-1)


def _decoded_string(text: str) -> str | None:
    """Return the text in a JSON string, if the whole answer is one: some servers encode twice."""
    if not text.strip().startswith('"'):
        return None
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, str) else None


def _decoded(text: str, start: int) -> tuple[object, int]:
    """Return the value that begins here and where it ends; 0 if none does."""
    try:
        return _JSON.raw_decode(text, start)
    except (ValueError, RecursionError):
        end = _closing(text, start)
    if not end:
        return None, 0
    written = text[start:end]
    for mended in (_MENDABLE.sub(_mended, written), written):
        try:
            return _JSON.decode(mended), end
        except (ValueError, RecursionError):
            continue
    return _python(written), end


def _decoded_mended(text: str, start: int) -> tuple[object, int]:
    """Return the value that begins here and takes up the rest, with a missing bracket put in."""
    whole = _bracketed(text[start:].rstrip("` \t\r\n"))
    value, _ = _decoded(whole, 0) if whole else (None, 0)
    return value, len(text) if value is not None else 0


def _bracketed(text: str) -> str:
    """Return a text with each bracket closed; nothing if too many aren't, or one never opened."""
    opened, parts, done, missing = list[str](), list[str](), 0, 0
    for found in _BRACKETS.finditer(text):
        mark = found.group()
        if mark in _CLOSING:
            opened.append(_CLOSING[mark])
        elif not mark.startswith('"'):
            while opened and opened[-1] != mark:
                parts += [text[done : found.start()], opened.pop()]
                done, missing = found.start(), missing + 1
            if not opened:
                return ""
            opened.pop()
    closed = "".join(parts) + text[done:] + "".join(reversed(opened))
    return closed if missing + len(opened) <= _MOST_MISSING else ""


_JSON = json.JSONDecoder(strict=False)


def _mended(found: re.Match[str]) -> str:
    token = found.group()
    return token if token.startswith('"') else _LITERALS.get(token, "")


def _python(written: str) -> object:
    """Return the value of a Python literal, as some models write it; None if it is none."""
    try:
        return ast.literal_eval(written)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None


def _closing(text: str, start: int) -> int:
    """Return where the bracket that opens here is closed, outside of strings; 0 if it never is."""
    depth = 0
    for found in _BRACKETS.finditer(text, start):
        mark = found.group()
        depth += (mark in ("{", "[")) - (mark in ("}", "]"))
        if depth == 0:
            return found.end()
    return 0


_BRACKETS = re.compile(rf"{_STRING}|[{{}}\[\]]", re.S)


def _validated(value: object, form: type[Form]) -> Form:
    """Return the first of the ways to take a value that fits the form.

    Raises:
        ValidationError: None does; what is wrong with the value as it was written.
    """
    first: ValidationError | None = None
    for taken in _ways(value, form):
        try:
            return form.model_validate(taken)
        except ValidationError as error:
            first = first or error
    raise first or _nothing(value, form)


def _nothing(value: object, form: type[BaseModel]) -> ValidationError:
    try:
        form.model_validate(value)
    except ValidationError as error:
        return error
    raise AssertionError


def _ways(value: object, form: type[BaseModel]) -> Iterator[object]:
    """Yield a value as it is, without its wrapping, and as the one list that the form needs."""
    needed = [name for name, field in form.model_fields.items() if field.is_required()]
    for inner in _unwrapped(value, _DEEPEST):
        if isinstance(inner, dict):
            yield _renamed(cast("Mapping[str, object]", inner), form)
        elif isinstance(inner, list) and len(needed) == 1:
            yield {needed[0]: inner}


def _unwrapped(value: object, deepest: int) -> Iterator[object]:
    yield value
    if deepest == 0:
        return
    inner: Iterable[object] = ()
    if isinstance(value, list) and len(cast("list[object]", value)) == 1:
        inner = cast("list[object]", value)
    elif isinstance(value, dict):
        inner = (each for each in cast("Mapping[str, object]", value).values())
    for each in inner:
        if isinstance(each, dict):
            yield from _unwrapped(cast("object", each), deepest - 1)
        elif isinstance(each, str) and each.lstrip().startswith("{"):
            yield from chain.from_iterable(_unwrapped(one, 0) for one in _values(each))


def _renamed(value: Mapping[str, object], form: type[BaseModel]) -> dict[str, Any]:
    """Return the object with the names of the form for names that differ in case or marks only."""
    names = {_WORD.sub("", name.lower()): name for name in form.model_fields}
    return {
        names.get(_WORD.sub("", str(key).lower()), str(key)): each for key, each in value.items()
    }


def _told(error: ValidationError) -> str:
    """Return what is wrong, with the names of fields but never their values."""
    return "; ".join(
        f"{'.'.join(map(str, each['loc'])) or 'the object'}: {each['msg'].lower()}"
        for each in error.errors(include_input=False, include_url=False)[:_MOST_FAULTS]
    )
