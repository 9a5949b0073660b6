"""A full-text index of passages in SQLite (FTS5), ranked by BM25; and how a text is cut into them.

Passages are whole paragraphs, about as long as a searcher wants to read.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from typing import ClassVar

from countersign.sources.library import Passage, Source, UnknownSource
from countersign.sources.locators import Locator, read_locators, stored
from countersign.sources.terms import content_words, parts, searchable, terms, words

# Written into the file: an index made by other code is refused, and its owner makes a new one.
VERSION = 5
LONGEST_QUERY = 40

LEAST_SCORE = 0.25
"""The part of the best passage's score that is enough for another."""

LEAST_WORDS = 0.5
"""The part of the most words of a query in one passage that is enough for another, whatever its
score: words that many passages have score next to nothing.

What has neither shares a word with the query by chance. In `bench/evidence` that is half of all
that is found, and none of it answers."""

# A word in the title says what the whole document is about, yet mustn't outweigh the passage.
_SEARCH = """
    SELECT s.id, s.title, s.url, substr(s.text, p.start + 1, p.length), bm25(words, 0.5, 1.0)
    FROM words JOIN passages p ON p.row = words.rowid JOIN sources s ON s.id = p.source
    WHERE words MATCH ? ORDER BY 5, s.id, p.start LIMIT ?"""


class PassageIndex:
    """Sources and their passages behind one SQLite connection, which the owner closes.

    Args:
        connection: In autocommit mode (`isolation_level=None`).

    Raises:
        sqlite3.DatabaseError: The file is no index, or one of another version.
    """

    SCHEMA: ClassVar[tuple[str, ...]] = (
        """CREATE TABLE sources (
               id TEXT PRIMARY KEY, title TEXT NOT NULL, url TEXT, text TEXT NOT NULL,
               locators TEXT NOT NULL)""",
        """CREATE TABLE passages (
               row INTEGER PRIMARY KEY, source TEXT NOT NULL, start INTEGER NOT NULL,
               length INTEGER NOT NULL)""",
        "CREATE INDEX passages_by_source ON passages (source)",
        """CREATE VIRTUAL TABLE words USING fts5 (
               title, text, tokenize = 'porter unicode61 remove_diacritics 2')""",
        f"PRAGMA user_version = {VERSION}",
    )

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        if self._version() == 0:
            self._create()
        if self._version() != VERSION:
            raise sqlite3.DatabaseError("an index of another version")

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Make all changes in the block one transaction; other writers wait."""
        self._connection.execute("BEGIN IMMEDIATE")
        with self._connection:
            yield

    def put(self, source: Source, text: str, locators: Sequence[Locator] = ()) -> None:
        """Add a source, or replace it and all its passages."""
        self.remove(source.id)
        self._connection.execute(
            "INSERT INTO sources VALUES (?, ?, ?, ?, ?)",
            (source.id, source.title, source.url, text, stored(locators)),
        )
        for start, end in passages(text):
            row = self._connection.execute(
                "INSERT INTO passages (source, start, length) VALUES (?, ?, ?)",
                (source.id, start, end - start),
            ).lastrowid
            self._connection.execute(
                "INSERT INTO words (rowid, title, text) VALUES (?, ?, ?)",
                (row, searchable(source.title), searchable(text[start:end])),
            )

    def remove(self, source_id: str) -> None:
        """Forget a source; an unknown one is no error."""
        for statement in (
            "DELETE FROM words WHERE rowid IN (SELECT row FROM passages WHERE source = ?)",
            "DELETE FROM passages WHERE source = ?",
            "DELETE FROM sources WHERE id = ?",
        ):
            self._connection.execute(statement, (source_id,))

    def search(self, query: str, limit: int) -> list[Passage]:
        """Return the passages that contain content words of the query, best first."""
        match = _any_word_of(query)
        rows = self._connection.execute(_SEARCH, (match, limit)).fetchall() if match else []
        asked = set(terms(query))
        shared = [len(asked.intersection(terms(f"{row[1]} {row[3]}"))) for row in rows]
        return [
            Passage(source=Source(id=source_id, title=title, url=url), text=text)
            for (source_id, title, url, text, score), words_shared in zip(rows, shared, strict=True)
            # The better a passage fits, the lower its score is below nothing.
            if score <= rows[0][4] * LEAST_SCORE or words_shared >= max(shared) * LEAST_WORDS
        ]

    def text(self, source_id: str) -> str:
        """Return the text of a source; raises UnknownSource."""
        row = self._connection.execute(
            "SELECT text FROM sources WHERE id = ?", (source_id,)
        ).fetchone()
        if row is None:
            raise UnknownSource(source_id)
        return str(row[0])

    def locators(self, source_id: str) -> tuple[Locator, ...]:
        """Return where the parts of a source's text stand; raises UnknownSource."""
        query = "SELECT locators FROM sources WHERE id = ?"
        row = self._connection.execute(query, (source_id,)).fetchone()
        if row is None:
            raise UnknownSource(source_id)
        return read_locators(row[0])

    def source(self, source_id: str) -> Source:
        """Return the source with this id; raises UnknownSource."""
        query = "SELECT title, url FROM sources WHERE id = ?"
        row = self._connection.execute(query, (source_id,)).fetchone()
        if row is None:
            raise UnknownSource(source_id)
        return Source(id=source_id, title=row[0], url=row[1])

    def titles(self) -> list[str]:
        """Return all titles, ordered by source id."""
        return [
            title for (title,) in self._connection.execute("SELECT title FROM sources ORDER BY id")
        ]

    def _version(self) -> int:
        return int(self._connection.execute("PRAGMA user_version").fetchone()[0])

    def _create(self) -> None:
        with self.changing():
            # Another process may have made it while this one waited for its turn.
            if self._version() == 0:
                for statement in self.SCHEMA:
                    self._connection.execute(statement)


def _any_word_of(query: str) -> str:
    # Each word is quoted, so nothing in a query can be read as FTS5 syntax.
    chosen = content_words(query) or words(query)
    asked = chain.from_iterable(map(parts, chosen))
    return " OR ".join(f'"{part}"' for part in islice(dict.fromkeys(asked), LONGEST_QUERY))


USUAL_PASSAGE = 900
LONGEST_PASSAGE = 2_000

_PARAGRAPH = re.compile(r"\S.*?(?=\n[ \t]*\n|\Z)", re.DOTALL)
_BREAK = re.compile(r"(?<=[.!?])\s+|\n")


def passages(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of each passage, in order, without overlap, none above the longest.

    A heading stays with what follows it, since a passage grows until its length is usual.
    """
    start = end = None
    for piece_start, piece_end in _pieces(text):
        if start is not None and end is not None and piece_end - start > LONGEST_PASSAGE:
            yield start, end
            start = None
        start, end = piece_start if start is None else start, piece_end
        if end - start >= USUAL_PASSAGE:
            yield start, end
            start = None
    if start is not None and end is not None:
        yield start, end


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    for paragraph in _PARAGRAPH.finditer(text):
        start, end = paragraph.span()
        while end - start > LONGEST_PASSAGE:
            cut = _last_break(text, start, start + LONGEST_PASSAGE)
            yield start, cut
            start = cut
        yield start, end


def _last_break(text: str, start: int, end: int) -> int:
    breaks = [match.end() for match in _BREAK.finditer(text, start + 1, end)]
    return breaks[-1] if breaks else end
