"""What only the folder promises: names, whole files, no litter, clear faults."""

import errno
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from countersign.destinations.destination import DestinationUnavailable
from countersign.destinations.report_folder import ReportFolder
from countersign.stores.whole_file import ABANDONED_AFTER


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "published"


@pytest.fixture
def reports(folder: Path) -> ReportFolder:
    return ReportFolder(folder)


def paths(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


ENDLESS_WRITER = """
import asyncio, sys
from pathlib import Path
from countersign.destinations.report_folder import ReportFolder

async def main():
    reports, number = ReportFolder(Path(sys.argv[1])), 0
    while True:
        await reports.write(tenant="home", operation_id=f"op-{number}", data=b"x" * 2**20)
        sys.stdout.write(".")
        sys.stdout.flush()
        number += 1

asyncio.run(main())
"""


def killed_after(answers: int, folder: Path) -> int:
    """Kill a writer that writes all the time; returns how many of its writes were answered."""
    writer = subprocess.Popen(
        [sys.executable, "-c", ENDLESS_WRITER, str(folder)],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
        stdout=subprocess.PIPE,
    )
    assert writer.stdout
    first = writer.stdout.read(answers)
    writer.kill()
    return len(first + writer.communicate()[0])


def test_constructing_touches_nothing(folder: Path) -> None:
    ReportFolder(folder)
    assert not folder.exists()


@pytest.mark.parametrize(
    ("tenant", "operation_id", "path"),
    [
        ("home", "op-1", "home/op-1.md"),
        ("72f988bf-86f1-41af", "0a1b", "72f988bf-86f1-41af/0a1b.md"),
        ("Home", "op_1", "%48ome/op_1.md"),
        ("..", "..", "%2E%2E/%2E%2E.md"),
        (".incoming", "op-1", "%2Eincoming/op-1.md"),
    ],
)
async def test_a_report_has_its_name_of_tenant_and_operation(
    folder: Path, reports: ReportFolder, tenant: str, operation_id: str, path: str
) -> None:
    receipt = await reports.write(tenant=tenant, operation_id=operation_id, data=b"otters")
    assert receipt["location"] == path
    assert paths(folder) == {path}
    assert (folder / path).read_bytes() == b"otters"


async def test_a_writer_killed_in_the_middle_leaves_whole_reports_only(
    folder: Path, reports: ReportFolder
) -> None:
    answered = killed_after(3, folder)
    sizes = {path: (folder / path).stat().st_size for path in paths(folder)}
    whole = [path for path in sizes if path.startswith("home/")]
    assert len(whole) >= answered
    assert {sizes[path] for path in whole} == {2**20}
    assert await reports.find(tenant="home", operation_id=f"op-{answered - 1}")


async def test_what_a_killed_writer_left_is_swept_away(folder: Path, reports: ReportFolder) -> None:
    await reports.write(tenant="home", operation_id="op-1", data=b"otters")
    left = folder / ".incoming" / "left"
    left.write_bytes(b"ott")
    past = time.time() - ABANDONED_AFTER - 1
    os.utime(left, (past, past))
    await reports.write(tenant="home", operation_id="op-2", data=b"otters")
    assert paths(folder) == {"home/op-1.md", "home/op-2.md"}


async def test_a_file_in_the_folder_s_place_is_a_clear_error(tmp_path: Path) -> None:
    (file := tmp_path / "published").touch()
    with pytest.raises(DestinationUnavailable, match="the report folder"):
        await ReportFolder(file).write(tenant="home", operation_id="op-1", data=b"otters")


async def test_a_file_system_without_hard_links_is_refused_and_nothing_is_left(
    folder: Path, reports: ReportFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def link(*_: Path) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    # What FAT or a share over SMB answers; neither can be had in a test.
    monkeypatch.setattr(os, "link", link)
    with pytest.raises(DestinationUnavailable, match="no hard links"):
        await reports.write(tenant="home", operation_id="op-1", data=b"otters")
    assert paths(folder) == set()
