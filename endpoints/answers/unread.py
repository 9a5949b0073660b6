"""Files of the library that are left out."""

from __future__ import annotations

from countersign.platform.threads import PAGES
from countersign.services import Services
from countersign.sources.folder_index import SkippedFile, some_of
from countersign.sources.library import SourceError
from endpoints.answers.response_body import ResponseBody

MOST_LEFT_OUT = 100
"""Files of the library that are named; the log names all."""


class UnreadFile(ResponseBody):
    """A file of the library that could not be read, and why."""

    name: str
    reason: str

    @classmethod
    def of(cls, left_out: SkippedFile) -> UnreadFile:
        """Return a file as the API names it."""
        return cls(name=left_out.name, reason=left_out.reason)


async def left_out(app: Services) -> list[UnreadFile]:
    """Return the files of the library that could not be read; none if it can't be asked now."""
    try:
        all_of_them = await PAGES.run(app.team.choice.left_out)
    except SourceError:
        return []
    return [UnreadFile.of(each) for each in some_of(all_of_them, MOST_LEFT_OUT)]
