"""Channels by Apprise: mail, Teams, Slack, webhooks and a hundred more, each named by a URL."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from countersign.notices.addresses import Address
from countersign.notices.channels import Delivery
from countersign.notices.message import Message

if TYPE_CHECKING:
    from apprise import AppriseAsset, NotifyBase, NotifyFormat
    from apprise.result import AppriseResult

LONGEST_SECONDS = 20.0
"""How long a channel is waited for, whatever its own URL says."""

_STATUS = re.compile(r"error=([1-5]\d\d)\b")


class AppriseChannels:
    """The `Channels` that Apprise knows.

    Each address is tried once; one that should be tried again says so in its URL (`retry=`).

    Args:
        seconds: how long a channel is waited for.
    """

    def __init__(self, seconds: float = LONGEST_SECONDS) -> None:
        self._seconds = seconds

    async def send(self, addresses: Sequence[Address], message: Message) -> Delivery:
        """Try each address once, all side by side, in bounded time."""
        answers = await asyncio.gather(*(self._faults(each, message) for each in addresses))
        labels = [each.label for each in addresses]
        faults = dict(zip(labels, answers, strict=True))
        return Delivery(
            taken=tuple(label for label, fault in faults.items() if not fault),
            failed={label: fault for label, fault in faults.items() if fault},
        )

    async def _faults(self, address: Address, message: Message) -> str:
        """Return why an address did not take a message; nothing if it did."""
        try:
            return await self._try(address, message)
        except Exception as error:  # noqa: BLE001 - a hundred plugins, and texts with their URLs
            return f"it failed with {type(error).__name__}"

    async def _try(self, address: Address, message: Message) -> str:
        from apprise import Apprise

        channel = Apprise.instantiate(address.url, asset=self._asset)
        if channel is None:
            return "Apprise does not understand its URL"
        body, body_format = _body_for(channel, message)
        with await Apprise(channel, asset=self._asset).async_notify(
            body=body, title=message.subject, body_format=body_format, timeout=self._seconds
        ) as result:
            # Not `bool(result)`: that is true of every address with `optional=yes`.
            reached = any(attempt for service in result for attempt in service)
            return "" if reached else self._why(result)

    def _why(self, result: AppriseResult) -> str:
        """Return what is known of a failure, without any of the words in which a URL could be."""
        if result.timeout_count:
            return f"no answer in {self._seconds:g} seconds"
        statuses = (_STATUS.search(entry.message) for entry in result.logs())
        status = next((found[1] for found in statuses if found), None)
        return f"it answered {status}" if status else "it could not be reached or refused"

    @cached_property
    def _asset(self) -> AppriseAsset:
        from apprise import AppriseAsset

        _hush()
        return AppriseAsset(
            app_id="Countersign",
            app_desc="Countersign",
            app_url="",
            image_url_mask="",  # else messages fetch Apprise's pictures from its repository
            image_url_logo="",
            storage_mode="memory",
            pgp_autogen=False,
            pem_autogen=False,
            allow_templates=False,  # else it would fill `${NAME}` in from the environment
            service_timeout=self._seconds,
        )


def _body_for(channel: NotifyBase, message: Message) -> tuple[str, NotifyFormat]:
    from apprise import NotifyFormat

    if channel.resolve_format(NotifyFormat.TEXT) == NotifyFormat.TEXT:
        return message.text, NotifyFormat.TEXT
    return message.markdown, NotifyFormat.MARKDOWN


def _hush() -> None:
    """Keep addresses out of the host's logs: Apprise names people, urllib3 whole paths."""
    logging.getLogger("apprise").propagate = False
    wire = logging.getLogger("urllib3")
    wire.setLevel(max(wire.level, logging.INFO))
