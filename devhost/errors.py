"""Everything that can foreseeably go wrong.

HostError
├── UsageError            the command can't be carried out as given
│   └── PortTaken
├── AppNotLoaded          a worker process has not imported the app
│   ├── AppBroken         it can't be: another try needs another app
│   └── WorkerLost        the process came to an end before: another one may do better
├── StateUnusable         the data folder is in use, of another version, or can't be written
├── HostBroken            the host can't go on
├── HostFailed            a host that a script has started (in `process`)
├── CallLost              a call into the app has no answer
│   ├── AppUnavailable
│   ├── WorkerDied
│   │   └── MemoryExceeded
│   ├── WorkerEnded
│   └── CallTooLong
└── Refused               the engine declines a request
    ├── NoSuchFunction
    ├── NoSuchInstance
    ├── InstanceExists
    ├── InstanceOver
    ├── NotOver
    ├── WrongState
    ├── NotFailed
    └── BadRequest
"""

from __future__ import annotations


class HostError(Exception):
    """The host can't go on with what it was asked."""


class UsageError(HostError):
    """The command can't be carried out as given."""


class PortTaken(UsageError):
    """Another process listens on the port."""

    def __init__(self, port: int) -> None:
        super().__init__(f"port {port} is taken; choose another with --port, or 0 for a free one")


class AppNotLoaded(HostError):
    """A worker process has not imported the app."""


class AppBroken(AppNotLoaded):
    """The app doesn't import; the worker has printed why."""


class WorkerLost(AppNotLoaded):
    """The worker process could not be started, was killed, or took too long."""


class StateUnusable(HostError):
    """The data folder is in use, was written by another version, or can't be written."""


class HostBroken(HostError):
    """The state can't be written any more, or a part of the host has failed."""


class CallLost(HostError):
    """A call into the app ended without an answer."""


class AppUnavailable(CallLost):
    """The app can't be imported, or that takes too long."""

    def __init__(self) -> None:
        super().__init__("the app can't be loaded; the host's output says why")


class WorkerDied(CallLost):
    """The worker process died during the call."""

    def __init__(self, reason: str = "the worker process died during the call") -> None:
        super().__init__(reason)


class MemoryExceeded(WorkerDied):
    """The worker process used more memory than it may."""

    def __init__(self, limit: float) -> None:
        super().__init__(f"the worker process used more than {limit / 2**20:.0f} MB of memory")


class WorkerEnded(CallLost):
    """The worker process was replaced, and the call didn't end in the time that was left."""

    def __init__(self) -> None:
        super().__init__("the worker process was replaced during the call")


class CallTooLong(CallLost):
    """The call took longer than its limit."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"did not finish within {seconds:g} s and was given up")


class Refused(HostError):
    """The engine declines a request of the management API."""


class NoSuchFunction(Refused):
    """No function of that kind and name is part of the app."""


class NoSuchInstance(Refused):
    """No instance has that id."""

    def __init__(self, instance_id: str) -> None:
        super().__init__(f"No instance with ID '{instance_id}' was found.")


class InstanceExists(Refused):
    """An instance with that id hasn't ended yet."""

    def __init__(self, status: str) -> None:
        super().__init__(f"An Orchestration instance with the status {status} already exists.")
        self.status = status


class InstanceOver(Refused):
    """The instance has ended; nothing can be sent to it any more."""

    def __init__(self, instance_id: str, status: str) -> None:
        super().__init__(f"The instance '{instance_id}' has ended: it is {status}.")


class NotOver(Refused):
    """Only what has ended can be purged."""

    def __init__(self, instance_id: str, status: str) -> None:
        super().__init__(
            "Only orchestrations in a terminal state can be purged, but the orchestration with"
            f" instance ID {instance_id} has status {status}"
        )


class WrongState(Refused):
    """Only what runs can be suspended, and only what is suspended can be resumed."""

    def __init__(self, verb: str, instance_id: str, status: str) -> None:
        super().__init__(
            f"Cannot {verb} the orchestration instance {instance_id} because instance is in the"
            f" {status} state."
        )


class NotFailed(Refused):
    """Only a failed instance can be rewound."""

    def __init__(self, status: str) -> None:
        super().__init__(
            f"This orchestration has status {status}, but only orchestrations in the"
            ' "Failed" state can be rewound.'
        )


class BadRequest(Refused):
    """A request isn't formed as the contract asks.

    Args:
        message: What is wrong with it.
        detail: The reason, if that is not the whole of it.
    """

    def __init__(self, message: str, detail: str | None = None) -> None:
        super().__init__(message)
        self.detail = detail
