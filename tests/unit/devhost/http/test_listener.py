from __future__ import annotations

import socket

import pytest

from devhost.errors import PortTaken, UsageError
from devhost.http.listener import listen


def test_a_taken_port_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(PortTaken, match=f"port {port} is taken"):
            listen("127.0.0.1", port)


@pytest.mark.parametrize("port", [-1, 70000])
def test_what_is_no_port_is_told(port: int) -> None:
    with pytest.raises(UsageError, match=f"{port} is no port"):
        listen("127.0.0.1", port)


def test_another_reason_than_a_taken_port_is_told_as_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # An address that this machine doesn't have, in the place of a machine without IPv6
    monkeypatch.setattr("devhost.http.listener.LOOPBACK", ("192.0.2.1",))
    with pytest.raises(UsageError, match=r"192\.0\.2\.1, port 0, can't be listened on") as told:
        listen("192.0.2.1", 0)
    assert not isinstance(told.value, PortTaken)
