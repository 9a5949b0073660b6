"""Read a Word document (`.docx`) as HTML."""

from __future__ import annotations

import zlib
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from countersign.sources.reading import Unreadable

MOST_UNPACKED_BYTES = 50_000_000
"""Of all parts together. Text is packed to a tenth or so, while a bomb unpacks to a thousand times
its size."""

LOCKED = "it is locked with a password, or from an older Word: save it anew as .docx, without one"
DAMAGED = "it is no Word document, or a damaged one"

_CHUNK_BYTES = 64_000

CONTENTS = "[Content_Types].xml"

_COMPOUND_FILE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def to_html(data: bytes) -> str:
    """Return a document's text as HTML, without pictures, comments and what was deleted from it.

    Raises:
        Unreadable: It is none, asks for a password, or is packed so that it would fill the memory.
    """
    # Imported here because most processes of the app never read a document.
    from mammoth import convert_to_html

    _check(data)
    file = BytesIO(data)
    return str(convert_to_html(file, convert_image=lambda image: []).value)


def _check(data: bytes) -> None:
    if data.startswith(_COMPOUND_FILE):
        raise Unreadable(LOCKED)
    try:
        with ZipFile(BytesIO(data)) as packed:
            _check_parts(packed)
    except (BadZipFile, EOFError, zlib.error) as error:
        raise Unreadable(DAMAGED) from error


def _check_parts(packed: ZipFile) -> None:
    parts = packed.infolist()
    # The other methods of packing, which Word doesn't use, unpack without a limit.
    if any(part.compress_type not in (ZIP_STORED, ZIP_DEFLATED) for part in parts):
        raise Unreadable(DAMAGED)
    unpacked = sum(part.file_size for part in parts)
    if unpacked > MOST_UNPACKED_BYTES:
        raise Unreadable(
            f"unpacked it has {unpacked:,} bytes: at most {MOST_UNPACKED_BYTES:,} are read"
        )
    if CONTENTS not in {part.filename for part in parts}:
        raise Unreadable(DAMAGED)
    if not all(_is_as_large_as_it_says(packed, part) for part in parts):
        raise Unreadable(DAMAGED)


def _is_as_large_as_it_says(packed: ZipFile, part: ZipInfo) -> bool:
    """Unpack a part bit by bit, until it ends or is larger than its size in the directory.

    To read a part whole, as the reader of the document does, unpacks all of it at once and cuts it
    to that size afterwards, so what a lie would cost has to be known before.
    """
    said = part.file_size
    part.file_size = MOST_UNPACKED_BYTES + 1  # else `zipfile` itself stops at what the part says
    found = 0
    with packed.open(part) as stream:
        while found <= said and (chunk := stream.read(_CHUNK_BYTES)):
            found += len(chunk)
    return found == said
