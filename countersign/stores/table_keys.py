r"""Keys of Azure tables: legal and different for all names, and sorted as a list needs them.

A key may have 1 KiB of UTF-16, without `/`, `\`, `#`, `?` and control characters:
https://learn.microsoft.com/rest/api/storageservices/understanding-the-table-service-data-model
"""

from __future__ import annotations

from hashlib import sha256
from urllib.parse import quote, unquote_to_bytes

from countersign.stores.cursor import Position

_LONGEST_NAME = 200
_LONGEST_ID = 100
_HASHED = "=="
"""What a digest in place of a name begins with; two in a row are nowhere else."""

_OFFSET = 2**63
_INVERTED = str.maketrans("0123456789abcdef", "fedcba9876543210")


def key_of(*names: str) -> str:
    """Return a key for these names, readable unless they are long; `:` only separates them."""
    return ":".join(map(_encoded, names))


def names_of(key: str) -> list[str] | None:
    """Return the names that `key_of` was given; None if one was too long for the key."""
    parts = key.split(":")
    if any(map(_is_hashed, parts)):
        return None
    raw = (unquote_to_bytes(part.replace("=", "%")) for part in parts)
    return [each.decode("utf-8", "surrogatepass") for each in raw]


def soonest_first(position: Position) -> str:
    """Return a key that sorts as the position does."""
    return f"{moment_key(position.number)}:{_sortable(position.operation_id)}"


def newest_first(position: Position) -> str:
    """Return a key that sorts the other way round than the position."""
    # An id that goes on where another one ends is the greater one, so it has to come first.
    backwards = _sortable(position.operation_id).translate(_INVERTED) + "~"
    return f"{number_key(position.number, descending=True)}:{backwards}"


def number_key(number: int, *, descending: bool) -> str:
    """Return the prefix of the keys of positions with this number, in either order."""
    return f"{_OFFSET - 1 - number:020}" if descending else moment_key(number)


def moment_key(at: int) -> str:
    """Return the prefix of `soonest_first` keys for microseconds since 1970 (or before)."""
    return f"{at + _OFFSET:020}"


def _encoded(name: str) -> str:
    raw = name.encode("utf-8", "surrogatepass")
    encoded = quote(raw, safe="").replace("%", "=")
    return encoded if len(encoded) <= _LONGEST_NAME else f"{_HASHED}{sha256(raw).hexdigest()}"


def _is_hashed(part: str) -> bool:
    return part.startswith(_HASHED)


def _sortable(name: str) -> str:
    raw = name.encode("utf-8", "surrogatepass")
    if len(raw) > _LONGEST_ID:
        raw = raw[:_LONGEST_ID] + sha256(raw).digest()
    return raw.hex()
