"""Where research can look."""

from __future__ import annotations

from countersign.platform.threads import PAGES
from countersign.services import Services
from countersign.sources.library import SourceError
from endpoints.answers.response_body import ResponseBody
from endpoints.answers.unread import UnreadFile

MOST_TITLES = 12
"""Titles of the library's documents that are named."""


class LibraryView(ResponseBody):
    """What the library holds: how many documents, and the titles of some of them."""

    documents: int
    titles: list[str]


class Places(ResponseBody):
    """Where a request for a report can have research look, and how many pages it can name.

    `library`: what it holds, null if there is none or it can't be read now. `left_out`: files of it
    that could not be read, as far as is known by now.
    """

    look_in: list[str]
    most_addresses: int
    library: LibraryView | None
    left_out: list[UnreadFile]


async def library_view(app: Services) -> LibraryView | None:
    """Return what the library holds; None if it can't be asked now."""
    try:
        titles = await PAGES.run(app.team.choice.library.titles)
    except SourceError:
        return None
    return LibraryView(documents=len(titles), titles=titles[:MOST_TITLES])
