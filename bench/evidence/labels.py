"""The questions, with the sentences that answer them, and with lies for the model that lies."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Literal, get_args

FOLDER = Path(__file__).parent / "questions"

Trap = Literal["plain", "negation", "number", "contradiction", "none", "injection", "table"]
"""What makes a question hard. Of a contradiction both sides are labelled; with an injection a
source gives orders to whoever reads it; for none the sources hold no answer."""

_FIELD = re.compile(r"(trap|source|near|truth|lie): (.+)")


class Mislabelled(ValueError):
    """A file of questions can't be read."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """A sentence, or a row of a table, and the document that it stands in."""

    document: str
    sentence: str


@dataclass(kw_only=True, slots=True)
class Question:
    """What is asked, and what is known about it.

    Attributes:
        id: its language and number.
        text: the question; no other holds it.
        trap: what makes it hard.
        sources: the places that answer it; none if nothing does.
        near: a place that a liar may point to where none answers it.
        truths: what each of the sources says, in the same order.
        lies: what none says.
    """

    id: str
    text: str
    trap: Trap = "plain"
    sources: list[Place] = field(default_factory=list)
    near: list[Place] = field(default_factory=list)
    truths: list[str] = field(default_factory=list)
    lies: list[str] = field(default_factory=list)

    @property
    def language(self) -> str:
        """The name of the file that it is from."""
        return self.id.partition("-")[0]


def questions(folder: Path = FOLDER) -> list[Question]:
    """All questions, those of a language together.

    Raises:
        Mislabelled: A file is not in the form of the others.
    """
    return [each for file in sorted(folder.glob("*.txt")) for each in _read(file)]


def _read(file: Path) -> Iterator[Question]:
    blocks = file.read_text("utf-8").strip().split("\n\n")
    for number, block in enumerate(blocks, start=1):
        head, *lines = block.split("\n")
        if not head.startswith("## "):
            raise Mislabelled(f"{file.name}: {head!r} is no question")
        question = Question(id=f"{file.stem}-{number:02}", text=head[3:])
        for line in lines:
            _put(question, line)
        if len(question.truths) != len(question.sources) or not question.lies:
            raise Mislabelled(f"{question.id}: a truth for each source, and a lie")
        yield question


def _put(question: Question, line: str) -> None:
    found = _FIELD.fullmatch(line)
    if found is None:
        raise Mislabelled(f"{question.id}: {line!r}")
    name, said = found.groups()
    match name:
        case "trap":
            question.trap = _trap(said)
        case "source":
            question.sources.append(_place(said))
        case "near":
            question.near.append(_place(said))
        case "truth":
            question.truths.append(said)
        case _:
            question.lies.append(said)


def _trap(said: str) -> Trap:
    for trap in get_args(Trap):
        if trap == said:
            return trap
    raise Mislabelled(f"there is no trap {said!r}")


def _place(said: str) -> Place:
    document, _, sentence = said.partition(" | ")
    return Place(document=document, sentence=sentence)


def chosen(known: Sequence[Question], most: int, seed: int) -> list[Question]:
    """Up to `most` of the questions, of every language and trap in turn, drawn by a seed."""
    shuffled = list(known)
    Random(seed).shuffle(shuffled)  # noqa: S311 - a draw that can be repeated
    kinds: dict[tuple[str, str], int] = {}
    turns: list[tuple[int, int]] = []
    for place, question in enumerate(shuffled):
        kind = question.language, question.trap
        kinds[kind] = kinds.get(kind, 0) + 1
        turns.append((kinds[kind], place))
    return [shuffled[place] for _, place in sorted(turns)[:most]]
