"""A person's own documents: twenty RFC-like files of 100 KB, asked about as a person would."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from textwrap import fill
from typing import Any

import pytest

from countersign.sources.folder import FolderLibrary
from countersign.team import fact_checker
from countersign.team.quotes import stands_in

TREES = "Larch Aspen Birch Cedar Elder Fir Ginkgo Hazel Juniper Linden Maple Nutmeg Oak Poplar"
PROTOCOLS = [*TREES.split(), "Quince", "Rowan", "Spruce", "Teak", "Walnut", "Yew"]
ACTORS = ("A client", "The server", "An intermediary", "Each endpoint", "A cache", "The sender")
DUTIES = ("MUST close", "SHOULD refresh", "MUST NOT reuse", "MAY discard", "SHOULD NOT forward")
THINGS = (
    "a session ticket", "the congestion window", "an expired certificate", "a stream identifier",
    "the flow control credit", "a cached response", "the handshake transcript", "a header field",
)  # fmt: skip
CONDITIONS = (
    "when the peer has been silent for longer than the idle timeout",
    "after the key update has been acknowledged",
    "unless the connection was migrated to another path",
    "before the first byte of application data is sent",
    "if the frame exceeds the limit that the peer announced",
)
TICKET = (
    "Session resumption in the {name} protocol uses a ticket that the server encrypts under a key "
    "known to itself alone."
)


def sentence(chance: random.Random, name: str) -> str:
    parts = (chance.choice(ACTORS), chance.choice(DUTIES), chance.choice(THINGS))
    return f"{' '.join(parts)} {chance.choice(CONDITIONS)} (see Section {chance.randint(1, 9)})."


def lines(chance: random.Random, name: str) -> Iterator[str]:
    yield f"Request for Comments: {chance.randint(1000, 9999)}".ljust(60) + "November 2026\n\n"
    yield f"The {name} Transport Protocol".center(72) + "\n\n"
    for number in range(1, 10_000):
        if number % 9 == 1:
            yield f"\n{number // 9 + 1}.  {chance.choice(THINGS).title()}\n"
        text = " ".join(sentence(chance, name) for _ in range(4))
        if number == 40:
            text += " " + TICKET.format(name=name)
        yield "\n" + fill(text, 72, initial_indent="   ", subsequent_indent="   ") + "\n"
        if number % 8 == 0:
            yield (
                "\n\nAuthor, et al.".ljust(40) + f"Standards Track          [Page {number // 8}]\n"
            )
            yield f"\x0c\nRFC 9999        The {name} Transport Protocol        November 2026\n\n"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> FolderLibrary:
    folder = tmp_path_factory.mktemp("documents")
    for number, name in enumerate(PROTOCOLS):
        text, parts = "", lines(random.Random(number), name)  # noqa: S311 - only a test's text
        while len(text) < 100_000:
            text += next(parts)
        (folder / f"{name.lower()}.txt").write_text(text)
    return FolderLibrary(folder, tmp_path_factory.mktemp("index") / "library.db")


@pytest.mark.parametrize(
    "topic",
    [
        "Session resumption tickets in the Larch protocol",
        "Flow control credit and congestion windows",
        "When must a client close a stream?",
    ],
)
async def test_every_quote_of_the_report_stands_in_the_source_it_cites(
    library: FolderLibrary, investigate: Any, topic: str
) -> None:
    done = await investigate(topic, library)
    listed = dict(
        re.findall(r"^(\d+)\. .* From the library \((\S+)\)\.", done.report, re.MULTILINE)
    )
    quoted = re.findall(r"\u201c(.+?)\u201d \[(\d+)\]", done.report)
    assert quoted
    for quote, number in quoted:
        assert stands_in(quote, library.text(listed[number])), (quote, listed[number])


async def test_the_sentence_that_answers_is_found_among_two_megabytes(
    library: FolderLibrary, investigate: Any
) -> None:
    done = await investigate("Session resumption tickets in the Larch protocol", library)
    answer = TICKET.format(name="Larch")
    assert any(each.quote == answer and each.source == "larch.txt" for each in done.supported)


async def test_a_topic_that_no_document_treats_ends_without_a_report(
    library: FolderLibrary, investigate: Any
) -> None:
    for topic in ("The migration of arctic terns", "Baking sourdough bread at home", "Jazz piano"):
        done = await investigate(topic, library)
        assert not done.result.approved
        assert done.result.notes == fact_checker.NO_FINDINGS
        assert done.findings == []
        assert done.report is None


async def test_the_same_question_gets_the_same_report(
    library: FolderLibrary, investigate: Any
) -> None:
    first = await investigate("Flow control credit in the Oak protocol", library)
    again = await investigate("Flow control credit in the Oak protocol", library)
    assert first == again
