from __future__ import annotations

import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from azure.storage.blob import BlobServiceClient, ContainerClient

from devhost.process import is_free
from local.azurite import Azurite
from local.errors import AzuriteFailed
from local.settings import APP

NewAzurite = Callable[..., Azurite]

# Whoever starts it here is killed.
START_AND_HANG = """
import pathlib, sys, time
from local.azurite import Azurite
azurite = Azurite(pathlib.Path(sys.argv[1]))
azurite.start()
print(azurite.connection_string, flush=True)
time.sleep(600)
"""


@pytest.fixture
def new_azurite(azurite: str, tmp_path: Path) -> Iterator[NewAzurite]:
    """Makes some of a test's own; where the shared one can't be had, neither can they."""
    assert azurite
    made: list[Azurite] = []

    def make(folder: str = "one") -> Azurite:
        made.append(Azurite(tmp_path / folder))
        return made[-1]

    yield make
    for one in made:
        one.stop()


def container(azurite: Azurite) -> ContainerClient:
    service = BlobServiceClient.from_connection_string(azurite.connection_string)
    client = service.get_container_client("things")
    if not client.exists():
        client.create_container()
    return client


def ports(connection_string: str) -> list[int]:
    return [int(port) for port in re.findall(r"127\.0\.0\.1:(\d+)", connection_string)]


def test_it_keeps_its_data_and_its_address_over_a_stop(new_azurite: NewAzurite) -> None:
    azurite = new_azurite()
    azurite.start()
    address = azurite.connection_string
    with container(azurite) as before:
        before.upload_blob("kept", b"content")
    azurite.stop()
    assert not azurite.is_running
    azurite.start()
    assert azurite.connection_string == address
    with container(azurite) as after:
        assert after.download_blob("kept").readall() == b"content"


def test_two_of_them_share_nothing(new_azurite: NewAzurite) -> None:
    one, other = new_azurite("one"), new_azurite("other")
    one.start()
    other.start()
    assert len(set(ports(one.connection_string) + ports(other.connection_string))) == 6
    with container(one) as mine, container(other) as theirs:
        mine.upload_blob("mine", b"")
        assert list(theirs.list_blob_names()) == []


def test_a_folder_is_for_one_of_them(new_azurite: NewAzurite) -> None:
    new_azurite("same").start()
    with pytest.raises(AzuriteFailed, match=r"runs Azurite in the folder .*same"):
        new_azurite("same").start()


def test_a_port_that_was_taken_meanwhile_is_said(new_azurite: NewAzurite) -> None:
    azurite = new_azurite()
    azurite.start()
    azurite.stop()
    port = ports(azurite.connection_string)[-1]
    with (
        socket.create_server(("127.0.0.1", port)),
        pytest.raises(AzuriteFailed, match="address already in use"),
    ):
        azurite.start()
    assert not azurite.is_running


def test_it_ends_with_whoever_started_it(azurite: str, tmp_path: Path) -> None:
    assert azurite
    command = [sys.executable, "-c", START_AND_HANG, str(tmp_path / "one")]
    with subprocess.Popen(command, cwd=APP, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout
        taken = ports(parent.stdout.readline())
        parent.kill()
    deadline = time.monotonic() + 30
    while not all(is_free(port) for port in taken):
        assert time.monotonic() < deadline, "it runs on"
        time.sleep(0.02)
    assert "Table service successfully closed" in (tmp_path / "one" / "azurite.log").read_text()
