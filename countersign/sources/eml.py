"""Read a message (`.eml`, RFC 5322 and MIME)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import cast

from countersign.sources.blocks import Blocks
from countersign.sources.html import shown
from countersign.sources.reading import Document, one_line

_HEADERS = ("From", "To", "Cc", "Date", "Subject")
_MOST_NAMED = 10


def read_eml(data: bytes, name: str) -> Document:
    """Read who wrote what to whom; attachments are named, and not read.

    Raises:
        TooLong: The text has more than `blocks.MOST_CHARACTERS` characters.
    """
    message = cast("EmailMessage", message_from_bytes(data, policy=policy.default))
    blocks = Blocks()
    said = {header: one_line(str(message[header] or "")) for header in _HEADERS}
    blocks.locate("header")
    blocks.add("\n".join(f"{header}: {value}" for header, value in said.items() if value))
    blocks.locate("message")
    text, hidden = _body(message)
    blocks.add(text)
    return blocks.document(said["Subject"] or name, [*hidden, *_warnings(message)])


def _body(message: EmailMessage) -> tuple[str, Sequence[str]]:
    """Return the text of a message, and what to warn of."""
    body = message.get_body(("plain", "html"))
    if body is None:
        return "", ()
    try:
        text = str(body.get_content())
    except LookupError:  # a charset that nobody knows
        payload = body.get_payload(decode=True)
        text = payload.decode("utf-8", "replace") if isinstance(payload, bytes) else ""
    if body.get_content_subtype() == "html":
        page = shown(text)
        return page.blocks.document("").text, page.warnings
    return text, ()


def _warnings(message: EmailMessage) -> Iterator[str]:
    names = [
        one_line(part.get_filename() or "") or "one without a name" for part in _attached(message)
    ]
    if names:
        more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
        yield f"Attachments are not read: {', '.join(names[:_MOST_NAMED])}{more}."


def _attached(message: EmailMessage) -> list[EmailMessage]:
    return list(message.iter_attachments()) if message.is_multipart() else []
