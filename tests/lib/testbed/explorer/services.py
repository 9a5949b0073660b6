"""The app's services on each machine of a world, over what all of them share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import patch

import activities.step
from countersign.destinations import order_service
from countersign.destinations.order_service import OrderService
from countersign.destinations.purchasing import Purchasing
from countersign.notices.addresses import Address
from countersign.notices.channels import Delivery
from countersign.notices.message import Message
from countersign.notices.notifier import Notifier
from countersign.operations.allowances import Allowances
from countersign.operations.attempts import Attempts
from countersign.operations.board import Board
from countersign.operations.repository import Operations
from countersign.operations.workshop import Workshop
from countersign.platform import clock as clocks
from countersign.services import Services
from countersign.settings import Settings, read_settings
from countersign.stores.memory import MemoryArtifacts, MemoryLedger, MemoryProgress
from countersign.stores.memory_allowances import MemoryAllowances
from countersign.stores.memory_index import MemoryIndex
from testbed.explorer.chance import Chance
from testbed.explorer.loop import SimulatedLoop
from testbed.explorer.machine import HERE, Machine
from testbed.explorer.system import System

GUARDS = ("key lookup", "key", "lookup", "none")


class _Unaware:
    """A hub that never learns of another one: two of them are at work until nothing is left."""

    async def is_here(self) -> bool:
        return True


class Post:
    """Takes every message."""

    async def send(self, addresses: Sequence[Address], message: Message) -> Delivery:
        await HERE.get().passes()
        return Delivery(taken=tuple(each.label for each in addresses), failed={})


@dataclass(frozen=True, kw_only=True)
class Shared:
    """What all machines of a world share.

    Attributes:
        one_file: whether the ledger has the index in the same file.
    """

    ledger: MemoryLedger
    index: MemoryIndex
    artifacts: MemoryArtifacts
    progress: MemoryProgress
    allowances: MemoryAllowances
    one_file: bool
    system: System

    def length(self, tenant: str, operation_id: str) -> int:
        """How many rows a ledger has now."""
        return len(self.ledger._rows.get((tenant, operation_id), ()))

    def ends_with(self, tenant: str, operation_id: str, kind: str) -> bool:
        """Whether the last row but notices is of this type."""
        rows = self.ledger._rows.get((tenant, operation_id), ())
        return any(row.type == kind for row in rows[-3:])

    @property
    def contents(self) -> dict[str, bytes]:
        """All that is stored, by its reference."""
        return {name: data for (_, name), data in self.artifacts._contents.items()}


def settings_of(chance: Chance) -> Settings:
    """The settings of a world's app."""
    return read_settings(
        {
            "COUNTERSIGN_DATA": "/nowhere",
            "COUNTERSIGN_TOKEN_ISSUER": "https://issuer.example",
            "COUNTERSIGN_TOKEN_CLIENTS": "any",
            "COUNTERSIGN_TOKEN_AUDIENCE": "app",
            "COUNTERSIGN_TOKEN_JWKS": "https://issuer.example/keys",
            "COUNTERSIGN_MODEL_PROVIDER": "extractive",
            "COUNTERSIGN_OPEN_REQUESTS": "unlimited",
            "COUNTERSIGN_SHORTEST_WINDOW_SECONDS": "60",
            "COUNTERSIGN_NOTIFY": "json://post.example",
            "COUNTERSIGN_PURCHASING_URL": "https://buy.example",
            "COUNTERSIGN_PURCHASING_GUARDS": chance.choice(GUARDS),
            "COUNTERSIGN_PURCHASING_TIMEOUT_SECONDS": "10",
            "COUNTERSIGN_PURCHASING_SETTLING_SECONDS": "120",
        }
    )


def purchasing_of(settings: Settings) -> Purchasing:
    """The purchasing system that the settings name."""
    assert settings.purchasing
    return settings.purchasing


def services_of(machine: Machine, settings: Settings, shared: Shared) -> Services:
    """What the app works with on a machine; there is no team."""
    ledger, index = machine.reach(shared.ledger), machine.reach(shared.index)
    artifacts = machine.reach(shared.artifacts)
    operations = Operations(
        ledger, index, machine.clock, one_file=ledger if shared.one_file else None
    )
    board = Board(store=machine.reach(shared.progress), clock=machine.clock)
    workshop = Workshop(
        operations=operations,
        artifacts=artifacts,
        model=settings.model,
        token_limit=settings.token_limit,
        watch=board,
    )
    notifier = Notifier(operations, Post(), settings.addresses, None)
    return Services(
        settings=settings,
        clock=machine.clock,
        operations=operations,
        allowances=Allowances(
            store=machine.reach(shared.allowances),
            index=index,
            clock=machine.clock,
            most_open=settings.most_open,
            most_tokens=settings.tokens_per_day,
        ),
        # Nobody there has any.
        passkeys=cast("Any", None),
        artifacts=artifacts,
        board=board,
        reports=cast("Any", None),
        orders=OrderService(purchasing_of(settings), clock=machine.clock),
        anchors=None,
        workshop=workshop,
        attempts=Attempts(workshop=workshop, clock=machine.clock, has_news=notifier.has_news),
        team=cast("Any", None),
        questions=cast("Any", None),
        # With two hubs both work on the storage: what keeps them apart may be late.
        serving=cast("Any", _Unaware()),
        notifier=notifier,
        verifier=cast("Any", None),
    )


@contextmanager
def at_home(system: System, loop: SimulatedLoop) -> Iterator[None]:
    """Let the app's code find its services, the time that passes, and the purchasing system."""
    with (
        patch.object(activities.step, "services", lambda: HERE.get().services),
        patch.object(clocks, "steady", loop.time),
        patch.object(order_service, "time", SimpleNamespace(monotonic=loop.time)),
        patch.object(order_service, "call", system.call),
    ):
        yield
