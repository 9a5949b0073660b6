"""The disk is full for a while: the host answers, loses nothing, and goes on when there is room."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

MEGABYTES = 24


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A folder on a disk of its own."""
    if not sys.platform.startswith("linux") or os.geteuid() != 0:
        pytest.skip("only root of a Linux machine can mount a disk of a few megabytes")
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={MEGABYTES}m", "tmpfs", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("this container mounts no disk")
    yield folder
    umount = ["umount", "--lazy", str(folder)]
    subprocess.run(umount, check=True)


def fill(disk: Path) -> Path:
    """Leave no byte of a disk free; returns the file that takes them."""
    file = disk / "fill"
    with file.open("wb", buffering=0) as rest:
        for size in (1 << 16, 1):
            try:
                while True:
                    rest.write(b"\0" * size)
            except OSError:
                continue
    return file


def test_a_host_survives_a_full_disk_and_goes_on_when_there_is_room(
    small_disk: Path, new_host: Callable[..., Any], desk_at: Callable[..., Any]
) -> None:
    host = new_host(small_disk / "data").start()
    desk = desk_at(host)
    operation = desk.ask()
    proposal = desk.until_version(operation)
    room = fill(small_disk)

    body = {"topic": "Durable timers", "subtopics": ["Replay"]}

    def refused() -> bool:
        answer = host.call("POST", "research", desk.requester, json=body)
        assert answer.status_code in {202, 503}, answer.text
        return answer.status_code == 503

    host.until(refused, "there is no room for one more request")
    assert desk.decide(operation, proposal).status_code in {200, 503}
    assert desk.operation(operation)["proposal"]["version"] == 1

    room.unlink()
    host.until(lambda: desk.decide(operation, proposal).status_code == 200, "it is decided")
    desk.until_state(operation, "published")
    another = desk.ask()
    assert desk.decide(another, desk.until_version(another)).status_code == 200
    desk.until_state(another, "published")
    assert host.process.is_running
    host.close()
