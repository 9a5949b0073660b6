"""The index of a folder: which of its files were taken in, and which could not be read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from countersign.sources.files import File
from countersign.sources.index import PassageIndex
from countersign.sources.library import Source
from countersign.sources.reading import Document


@dataclass(frozen=True, kw_only=True, slots=True)
class SkippedFile:
    """A file that is not in the library, and why."""

    name: str
    reason: str


def some_of(left_out: Sequence[SkippedFile], most: int) -> list[SkippedFile]:
    """Return so many of them at the most, the last of which counts the rest."""
    if len(left_out) <= most:
        return list(left_out)
    more = len(left_out) - most + 1
    rest = SkippedFile(name=f"{more:,} more files", reason="see the host's log")
    return [*left_out[: most - 1], rest]


class FolderIndex(PassageIndex):
    """A passage index that knows the files that it is of."""

    SCHEMA: ClassVar[tuple[str, ...]] = (
        *PassageIndex.SCHEMA,
        """CREATE TABLE seen (
               id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, name TEXT NOT NULL, reason TEXT)""",
    )

    def differing(self, files: Mapping[str, File]) -> list[str]:
        """Return the ids of files that were added, changed or removed since they were seen."""
        seen = dict(self._connection.execute("SELECT id, fingerprint FROM seen"))
        gone = [source_id for source_id in seen if source_id not in files]
        return gone + [
            source_id
            for source_id, file in files.items()
            if seen.get(source_id) != file.fingerprint
        ]

    def take_in(
        self, files: Mapping[str, File], read: Mapping[str, Document | SkippedFile | None]
    ) -> None:
        """Put what was read of files, which could not be read, and which are gone (None).

        An unreadable file counts as seen: it is tried again when it changes, not at each search.
        """
        with self.changing():
            for source_id, found in read.items():
                self.remove(source_id)
                self._connection.execute("DELETE FROM seen WHERE id = ?", (source_id,))
                if found is not None:
                    self._put(source_id, files[source_id], found)

    def _put(self, source_id: str, file: File, found: Document | SkippedFile) -> None:
        reason = found.reason if isinstance(found, SkippedFile) else None
        if isinstance(found, Document):
            source = Source(id=source_id, title=found.title, url=found.url)
            self.put(source, found.text, found.locators)
        self._connection.execute(
            "INSERT INTO seen VALUES (?, ?, ?, ?)", (source_id, file.fingerprint, file.name, reason)
        )

    def left_out(self) -> list[SkippedFile]:
        """Return the files that could not be read, ordered by name."""
        rows = self._connection.execute(
            "SELECT name, reason FROM seen WHERE reason IS NOT NULL ORDER BY name"
        )
        return [SkippedFile(name=name, reason=reason) for name, reason in rows]
