"""The development key that signs proofs here; it says so of itself in each of them."""

from __future__ import annotations

import base64
import os
import secrets
from pathlib import Path

from countersign.proof.keys import DEVELOPMENT, KEY_BYTES

NAME = "proof-key"


def development_key(data: Path) -> str:
    """Return the setting with this folder's key, made at first use and for its owner alone.

    Args:
        data: The folder of state, which may have to be made yet.
    """
    file = data / NAME
    if not file.exists():
        _create_once(file)
    return file.read_text("ascii").strip()


def _create_once(file: Path) -> None:
    """Create the file whole, unless another process was faster."""
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_name(f"{file.name}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as stream:
        stream.write(f"{DEVELOPMENT}{base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode()}\n")
    try:
        # Linking is the one step that is both atomic and refuses to replace a file.
        file.hardlink_to(draft)
    except FileExistsError:
        return
    finally:
        draft.unlink()
