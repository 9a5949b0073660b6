"""Read what a search has found, and keep it: fetched pages, and texts that a service hands over."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timezone

from countersign.platform.clock import Clock, utc_now
from countersign.retrieval.copies import Copies, Copy, Unread
from countersign.retrieval.finder import Hit
from countersign.sources.origin import Origin, stated_address
from countersign.sources.quarantine import ReadersBusy, read_apart
from countersign.sources.reading import Document, Unreadable, one_line, printable
from countersign.sources.uploads import MOST_CHARACTERS
from countersign.web.charsets import as_utf8
from countersign.web.fetching import PAGES, Fetched, Fetcher, NotFetched

TURN_SECONDS = 120.0
"""How long a page waits until others have been read; nobody watches, so it may be long."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PageReader:
    """Makes copies of what was found.

    Attributes:
        fetcher: fetches pages.
        clock: says when.
    """

    fetcher: Fetcher = field(default_factory=Fetcher)
    clock: Clock = utc_now

    async def copy(self, source_id: str, hit: Hit, copies: Copies, *, service: str) -> Copy:
        """Keep what was found, under this id.

        Args:
            source_id: what it is called from now on.
            hit: what was found.
            copies: where it is kept.
            service: who found it, as people are told; nothing if nobody had to.

        Raises:
            Unread: it can't be fetched or has no text that can be read.
        """
        if hit.text is None:
            return await self._fetched(source_id, hit, copies, service)
        return await self._handed(source_id, hit, copies, service)

    async def _fetched(self, source_id: str, hit: Hit, copies: Copies, service: str) -> Copy:
        at = self._now()
        try:
            page = await self.fetcher.fetch(hit.address or "")
        except NotFetched as error:
            raise Unread(str(error)) from error
        document = await _document(page)
        original = await copies.put(page.data)
        return Copy(
            id=source_id,
            title=document.title if document.title != "page" else hit.title or page.address,
            url=page.address,
            origin=Origin(kind="fetched", service=service, at=at, digest=original),
            text=await copies.put(document.text.encode()),
            locators=await copies.put_locators(document.locators),
            original=original,
        )

    async def _handed(self, source_id: str, hit: Hit, copies: Copies, service: str) -> Copy:
        text = printable(hit.text or "").encode("utf-8", "ignore").decode()
        if not any(map(str.isalnum, text)):
            raise Unread("it has no text")
        if len(text) > MOST_CHARACTERS:
            raise Unread(f"its text has more than {MOST_CHARACTERS:,} characters")
        reference = await copies.put(text.encode())
        return Copy(
            id=source_id,
            title=one_line(hit.title) or hit.key[:120],
            url=stated_address(hit.address),
            origin=Origin(kind="service", service=service, at=self._now(), digest=reference),
            text=reference,
        )

    def _now(self) -> str:
        return self.clock().astimezone(timezone.utc).isoformat(timespec="seconds")


async def _document(page: Fetched) -> Document:
    suffix = PAGES[page.media_type]
    data = as_utf8(page.data, page.charset) if page.media_type.startswith("text/") else page.data
    try:
        return await read_apart(f"page{suffix}", data, turn_seconds=TURN_SECONDS)
    except (Unreadable, ReadersBusy) as error:
        raise Unread(str(error) or "too many pages are being read") from error
