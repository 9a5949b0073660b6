"""The socket that the host listens on."""

from __future__ import annotations

import errno
import os
import socket

from devhost.errors import PortTaken, UsageError

LOOPBACK = ("127.0.0.1", "localhost", "::1")


def listen(address: str, port: int) -> socket.socket:
    """Listen on a loopback address; on a free port if `port` is 0.

    Raises:
        PortTaken: Another process listens there.
        UsageError: Other machines could reach that address, or it can't be listened on.
    """
    if address not in LOOPBACK:
        raise UsageError(f"devhost listens on loopback addresses only, and {address} is none")
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    # asyncio turns Nagle's algorithm off only where the protocol is named; left on, it makes every
    # answer wait 40 ms for the client's acknowledgement of its first part.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if os.name != "nt":
        # Right after a crash the port is still taken by its dead connections.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((address, port))
        listener.listen(2048)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise PortTaken(port) from error
        raise UsageError(f"{address}, port {port}, can't be listened on: {error}") from error
    except OverflowError as error:
        listener.close()
        raise UsageError(f"{port} is no port: those are the numbers from 0 to 65535") from error
    return listener


def origin(listener: socket.socket) -> str:
    """Return the URL of what answers at `listener`, without a slash at its end."""
    address, port = listener.getsockname()[:2]
    return f"http://[{address}]:{port}" if ":" in address else f"http://{address}:{port}"
