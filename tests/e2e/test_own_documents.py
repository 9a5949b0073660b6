"""A person's own folder of long documents, researched, approved and published."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

SECTIONS = {
    "Lease Renewal": "renew lease holder timer expires grant server client",
    "Write-Ahead Log": "append record log flush durable replay page checkpoint",
    "Fencing Token": "token fence stale writer monotonic storage reject epoch",
}
FILLER = ["network", "packet", "header", "octet", "field", "value", "port", "router", "frame"]


def rfc_like(number: int, randomness: random.Random) -> str:
    """About 100 KB of hard-wrapped, page-broken text with numbered sections."""
    lines = [f"Request for Comments: {9000 + number}", ""]
    while sum(map(len, lines)) < 100_000:
        title, words = randomness.choice(list(SECTIONS.items()))
        lines += ["", f"{randomness.randint(1, 9)}.{randomness.randint(1, 30)}.  {title}", ""]
        for _ in range(randomness.randint(2, 5)):
            chosen = [randomness.choice([*words.split(), *FILLER]) for _ in range(14)]
            sentence = (
                f"The {title.lower()} number {randomness.randint(1, 10**6)} must "
                + " ".join(chosen)
            )
            lines += wrapped(f"{sentence}.", 68)
        if randomness.random() < 0.1:
            page = f"Author                Informational                [Page {number}]"
            lines += ["", page, "\f"]
    return "\n".join(lines)


def wrapped(text: str, width: int) -> Iterator[str]:
    line = "  "
    for word in text.split():
        if len(line) + len(word) > width:
            yield line
            line = "  "
        line += f" {word}"
    yield line


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    randomness = random.Random(7)  # noqa: S311 - a corpus, not a secret
    library = tmp_path / "library"
    library.mkdir()
    for number in range(8):
        (library / f"rfc{9000 + number}.txt").write_text(rfc_like(number, randomness))
    return library


def folded(text: str) -> str:
    return " ".join(re.sub(r"-\s+", "-", text).split())


def test_every_quote_of_the_report_stands_in_the_source_it_cites(
    make_host: Callable[..., Any], desk_at: Callable[[Any], Any], folder: Path
) -> None:
    desk = desk_at(make_host(COUNTERSIGN_LIBRARY=str(folder)).start())
    operation = desk.ask("Fencing token of a stale writer", subtopics=["Fencing token", "Lease"])
    assert desk.decide(operation, desk.until_version(operation)).status_code == 200
    desk.until_state(operation, "published")
    report = desk.host.call("GET", f"operations/{operation}/report", desk.requester).text

    body, _, sources = report.partition("## Sources")
    files = dict(
        re.findall(r"^(\d+)\. .* From the library \((\S+\.txt)\)\.", sources, re.MULTILINE)
    )
    quotes = re.findall(r"\u201c([^\u201d]+)\u201d \\?\[(\d+)", body)
    assert len(quotes) >= 4
    for quote, number in quotes:
        source = (folder / files[number]).read_text()
        assert folded(quote.replace("\\", "")) in folded(source), (quote, files[number])
