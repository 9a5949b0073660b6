"""One signing key for the sign-ins of all hosts: to make one takes longer than most tests."""

from __future__ import annotations

from datetime import datetime, timezone
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from devhost.identity.tokens import Tokens


def lend_key(data: Path) -> None:
    """Put the key where a host with this data folder keeps its own, unless it has one."""
    file = _file(data)
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch(mode=0o600)
        file.write_bytes(_key())


@cache
def _key() -> bytes:
    with TemporaryDirectory() as folder:
        data = Path(folder)
        assert Tokens(data, lambda: datetime.now(timezone.utc)).keys
        return _file(data).read_bytes()


def _file(data: Path) -> Path:
    return data / "devhost" / "signin.pem"
