"""Read documents as text, for requests that bring their own; nothing of them is kept.

What reads them is imported where it is used: most calls bring none.
"""

from __future__ import annotations

import re
from dataclasses import asdict
from urllib.parse import unquote

import azure.functions as func

from countersign.roles import RESEARCH_REQUESTER
from endpoints.exchange import answer, body_of, caller
from endpoints.problems import Problem, malformed
from endpoints.research import MOST_BYTES as MOST_REQUEST_BYTES
from endpoints.routes import route

FILE_NAME = "X-File-Name"
MOST_LEFT_OUT = 100
"""Files of the library that are named; the log names all."""

blueprint = func.Blueprint()


@route(blueprint, "documents", "GET")
async def get_document_limits(req: func.HttpRequest) -> func.HttpResponse:
    """Say which documents are read and how large they may be, before anybody sends one."""
    from countersign.sources import formats, uploads

    await caller(req, RESEARCH_REQUESTER)
    limits = {
        "suffixes": formats.SUFFIXES,
        "most_bytes": uploads.MOST_BYTES,
        "most_documents": uploads.MOST_DOCUMENTS,
        "most_characters": uploads.MOST_CHARACTERS,
        "most_request_bytes": MOST_REQUEST_BYTES,
        "left_out": await _left_out(),
    }
    return answer(200, limits)


async def _left_out() -> list[dict[str, str]]:
    """The files of the library that could not be read; none if it can't be asked now."""
    from countersign.platform.threads import RESEARCH
    from countersign.sources.library import SourceError
    from countersign.wiring import library_of, services

    library = library_of(services().settings)
    try:
        left_out = await RESEARCH.run(library.left_out)
    except SourceError:
        return []
    return [asdict(each) for each in left_out[:MOST_LEFT_OUT]]


@route(blueprint, "documents", "POST")
async def read_document(req: func.HttpRequest) -> func.HttpResponse:
    """Answer the text of one file, to be sent with a request for a report."""
    from countersign.sources.quarantine import Busy, read_apart
    from countersign.sources.reading import TooLong, Unreadable
    from countersign.sources.uploads import MOST_BYTES, MOST_CHARACTERS

    requester = await caller(req, RESEARCH_REQUESTER)
    name, data = _file_name(req), body_of(req)
    if len(data) > MOST_BYTES:
        detail = f"The file has {len(data):,} bytes: at most {MOST_BYTES:,} are read."
        raise Problem(413, "too_large", detail, most_bytes=MOST_BYTES)
    try:
        document = await read_apart(name, data, person=f"{requester.tenant} {requester.id}")
    except Busy as error:
        detail = "Other files are being read now: send this one again in a moment."
        raise Problem(503, "busy", detail) from error
    except TooLong as error:
        detail = f"The file can't be taken: {error}."
        raise Problem(413, "too_large", detail, most_characters=MOST_CHARACTERS) from error
    except Unreadable as error:
        raise Problem(422, "unreadable", f"The file can't be read: {error}.") from error
    read = {
        "title": document.title,
        "text": document.text,
        "characters": len(document.text),
        "locators": [asdict(each) for each in document.locators],
        "warnings": list(document.warnings),
    }
    return answer(200, read)


def _file_name(request: func.HttpRequest) -> str:
    """The name that the file has where it comes from.

    Raises:
        Problem: 422, there is none; 415, its ending is not one of those that are read.
    """
    from countersign.sources.formats import SUFFIXES, suffix_of

    try:
        path = unquote(request.headers.get(FILE_NAME, ""), errors="strict")
    except UnicodeDecodeError as error:
        raise malformed({FILE_NAME: "has to be percent-encoded UTF-8"}) from error
    name = re.split(r"[/\\]", path)[-1]
    if not name:
        raise malformed({FILE_NAME: "the file's name is needed, percent-encoded"})
    if suffix_of(name) not in SUFFIXES:
        detail = f"Only files with these endings can be read: {', '.join(SUFFIXES)}."
        raise Problem(415, "unsupported_type", detail, suffixes=SUFFIXES)
    return name
