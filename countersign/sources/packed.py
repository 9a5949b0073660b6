"""Check a packed document (`.docx`, `.xlsx`, `.pptx`, `.odt`) before anything reads it."""

from __future__ import annotations

import zlib
from io import BytesIO
from xml.parsers.expat import ExpatError, ParserCreate
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from countersign.sources.reading import Unreadable

MOST_UNPACKED_BYTES = 50_000_000
"""Of all parts together. Text is packed to a tenth or so, while a bomb unpacks to a thousand times
its size."""

MOST_PARTS = 10_000

LOCKED = "it has a password, or an older program saved it: save it again without a password"
DAMAGED = "it is damaged, or not what its name says"
DECLARES = "it declares XML entities, which are not allowed"

_CHUNK_BYTES = 64_000

_COMPOUND_FILE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def unpacked(data: bytes, needed: str) -> ZipFile:
    """Open a packed document of which every part is as large as it says, and harmless XML.

    Args:
        data: The file.
        needed: A part that a document of its kind has.

    Raises:
        Unreadable: It is none, locked, or packed so that it would fill the memory.
    """
    if data.startswith(_COMPOUND_FILE):
        raise Unreadable(LOCKED)
    try:
        packed = ZipFile(BytesIO(data))
        _check(packed, needed)
    except (BadZipFile, EOFError, zlib.error, NotImplementedError) as error:
        raise Unreadable(DAMAGED) from error
    return packed


def _check(packed: ZipFile, needed: str) -> None:
    parts = packed.infolist()
    # The other methods of packing, which offices don't use, unpack without a limit.
    if any(part.compress_type not in (ZIP_STORED, ZIP_DEFLATED) for part in parts):
        raise Unreadable(DAMAGED)
    if any(part.flag_bits & 1 for part in parts):
        raise Unreadable(LOCKED)
    total = sum(part.file_size for part in parts)
    if total > MOST_UNPACKED_BYTES or len(parts) > MOST_PARTS:
        raise Unreadable(
            f"unpacked it has {total:,} bytes in {len(parts):,} parts: at most"
            f" {MOST_UNPACKED_BYTES:,} in {MOST_PARTS:,} are read"
        )
    if needed not in {part.filename for part in parts}:
        raise Unreadable(DAMAGED)
    for part in parts:
        _check_part(packed, part)


def _check_part(packed: ZipFile, part: ZipInfo) -> None:
    """Unpack a part bit by bit, until it ends or is larger than its size in the directory.

    To read a part whole, as the readers of documents do, unpacks all of it at once and cuts it to
    that size afterwards, so what a lie would cost has to be known before. Entities could grow
    without a limit, or name files and addresses.
    """
    said = part.file_size
    part.file_size = MOST_UNPACKED_BYTES + 1  # else `zipfile` itself stops at what the part says
    declared = _Declared() if part.filename.endswith((".xml", ".rels")) else None
    found = 0
    with packed.open(part) as stream:
        while found <= said and (chunk := stream.read(_CHUNK_BYTES)):
            found += len(chunk)
            if declared:
                declared.read(chunk)
    part.file_size = said
    if found != said:
        raise Unreadable(DAMAGED)


class _Declared:
    """Reads XML up to its first element, and refuses entities that are declared before it."""

    def __init__(self) -> None:
        self._parser = ParserCreate()
        self._parser.EntityDeclHandler = self._refuse
        self._parser.StartElementHandler = self._done
        self._over = False

    def read(self, chunk: bytes) -> None:
        if not self._over:
            try:
                self._parser.Parse(chunk, False)
            except ExpatError as error:
                raise Unreadable(DAMAGED) from error

    def _refuse(self, *_: object) -> None:
        raise Unreadable(DECLARES)

    def _done(self, *_: object) -> None:
        self._over = True
