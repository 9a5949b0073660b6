"""Read documents as text, for requests that bring their own; nothing of them is kept.

What reads them is imported where it is used: most calls bring none.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

import azure.functions as func

from countersign.approvals.person import Person
from countersign.roles import RESEARCH_REQUESTER
from countersign.services import Services
from endpoints.parameters import FILE_NAME
from endpoints.problems import Problem, malformed
from endpoints.research import MOST_BYTES as MOST_REQUEST_BYTES
from endpoints.routes import route
from endpoints.sent import Sent

if TYPE_CHECKING:
    from endpoints.answers.documents import DocumentLimits, DocumentText

blueprint = func.Blueprint()


@route(blueprint, "documents", "GET", roles=[RESEARCH_REQUESTER])
async def get_document_limits(app: Services, person: Person) -> DocumentLimits:
    """List the file types that can be converted to text, and their size limits."""
    from countersign.sources import formats, uploads
    from endpoints.answers.documents import DocumentLimits
    from endpoints.answers.unread import left_out

    return DocumentLimits(
        suffixes=list(formats.SUFFIXES),
        most_bytes=uploads.MOST_BYTES,
        most_documents=uploads.MOST_DOCUMENTS,
        most_characters=uploads.MOST_CHARACTERS,
        most_request_bytes=MOST_REQUEST_BYTES,
        left_out=await left_out(app),
    )


@route(
    blueprint,
    "documents",
    "POST",
    roles=[RESEARCH_REQUESTER],
    parameters=[FILE_NAME],
    problems=["unsupported_type", "unreadable", "busy"],
)
async def read_document(req: func.HttpRequest, person: Person, sent: Sent[bytes]) -> DocumentText:
    """Convert one file to text for a report request; the file is not stored."""
    from countersign.sources.quarantine import ReadersBusy, read_apart
    from countersign.sources.reading import TooLong, Unreadable
    from countersign.sources.uploads import MOST_BYTES, MOST_CHARACTERS
    from endpoints.answers.documents import DocumentText

    name, data = _file_name(req), sent.content
    if len(data) > MOST_BYTES:
        detail = f"The file has {len(data):,} bytes: at most {MOST_BYTES:,} are read."
        raise Problem("too_large", detail, most_bytes=MOST_BYTES)
    try:
        document = await read_apart(name, data, person=f"{person.tenant} {person.id}")
    except ReadersBusy as error:
        detail = "Other files are being read now: send this one again in a moment."
        raise Problem("busy", detail) from error
    except TooLong as error:
        detail = f"The file can't be taken: {error}."
        raise Problem("too_large", detail, most_characters=MOST_CHARACTERS) from error
    except Unreadable as error:
        raise Problem("unreadable", f"The file can't be read: {error}.") from error
    return DocumentText.of(document)


def _file_name(request: func.HttpRequest) -> str:
    """Return the name that the file has where it comes from.

    Raises:
        Problem: 422, there is none; 415, its ending is not one of those that are read.
    """
    from countersign.sources.formats import SUFFIXES, suffix_of

    try:
        path = unquote(FILE_NAME.of(request) or "", errors="strict")
    except UnicodeDecodeError as error:
        raise malformed({FILE_NAME.name: "it must be percent-encoded UTF-8"}) from error
    name = re.split(r"[/\\]", path)[-1]
    if not name:
        raise malformed({FILE_NAME.name: "it must have the name of the file, percent-encoded"})
    if suffix_of(name) not in SUFFIXES:
        detail = f"Only files with these endings can be read: {', '.join(SUFFIXES)}."
        raise Problem("unsupported_type", detail, suffixes=list(SUFFIXES))
    return name
