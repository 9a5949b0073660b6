"""What agents see of a library: a tool to search it, and a record of what it has shown."""

from __future__ import annotations

import json
from typing import Annotated

from agent_framework import FunctionTool, tool

from countersign.sources.library import Library, Passage, SourceError
from countersign.threads import RESEARCH

LONGEST_QUERY = 300


class Shelves:
    """The library while one agent reads in it: what was shown of it, and whether it failed.

    The framework tells the model of a tool's exception and goes on. A library that can't be read
    must not pass for one that says nothing, so the failure is kept, and raised in the end.
    """

    def __init__(self, library: Library) -> None:
        self.shown: set[str] = set()
        self._library = library
        self._failure: SourceError | None = None

    async def look_up(self, query: str) -> list[Passage]:
        """Return the best passages, those of one source together; may raise SourceError."""
        try:
            passages = await RESEARCH.run(_found, query[:LONGEST_QUERY], self._library)
        except SourceError as error:
            self._failure = error
            raise
        self.shown.update(passage.source.id for passage in passages)
        return passages

    def check(self) -> None:
        """Raise the SourceError that a look-up met, if one did."""
        if self._failure:
            raise self._failure


def look_up_topic(shelves: Shelves) -> FunctionTool:
    """Return the one tool that agents have: it reads, and can do nothing else."""

    @tool(name="look_up_topic")
    async def look_up(query: Annotated[str, "a few words to search for"]) -> str:
        """Search the library; returns its best passages, each with the id of its source."""
        passages = await shelves.look_up(query)
        # JSON keeps a passage from passing its own text off as that of another source.
        return json.dumps(
            [
                {"source": found.source.id, "title": found.source.title, "text": found.text}
                for found in passages
            ],
            ensure_ascii=False,
        )

    return look_up


def _found(query: str, library: Library) -> list[Passage]:
    """The best passages; those of each source together, as its author ordered them."""
    passages = library.search(query)
    rank = {passage.source.id: -place for place, passage in enumerate(reversed(passages))}
    texts = {source: library.text(source) for source in rank}

    def place(passage: Passage) -> tuple[int, int]:
        source = passage.source.id
        return rank[source], texts[source].find(passage.text)

    return sorted(passages, key=place)
