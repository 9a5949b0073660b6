"""Merkle trees as in certificate transparency: one hash for a list (RFC 9162, section 2.1)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence


def leaf_hash(data: bytes) -> bytes:
    """Return the hash of one entry; no inner node of a tree can have it."""
    return hashlib.sha256(b"\x00" + data).digest()


def root_of(leaves: Sequence[bytes]) -> bytes:
    """Return the root over the hashes of all entries, in their order."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    split = _split(len(leaves))
    return _node(root_of(leaves[:split]), root_of(leaves[split:]))


def path_of(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """Return the siblings from which a leaf leads to the root, the nearest first.

    Args:
        leaves: the hashes of all entries.
        index: which one, from 0.
    """
    if len(leaves) == 1:
        return []
    split = _split(len(leaves))
    if index < split:
        return [*path_of(leaves[:split], index), root_of(leaves[split:])]
    return [*path_of(leaves[split:], index - split), root_of(leaves[:split])]


def root_from(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes | None:
    """Return the root of a tree with this leaf at this place; None if no tree has such a path.

    Args:
        leaf: the hash of an entry.
        index: where it is, from 0.
        size: how many there are.
        path: its siblings, as `path_of` gives them.
    """
    if not 0 <= index < size:
        return None
    if size == 1:
        return None if path else leaf
    if not path:
        return None
    split, rest, sibling = _split(size), path[:-1], path[-1]
    if index < split:
        below = root_from(leaf, index, split, rest)
        return _node(below, sibling) if below else None
    below = root_from(leaf, index - split, size - split, rest)
    return _node(sibling, below) if below else None


def _split(size: int) -> int:
    """Return the largest power of two that is smaller."""
    return 1 << (size - 1).bit_length() - 1


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()
