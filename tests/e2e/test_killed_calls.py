"""A host that is killed during a model's call pays again for that call, and for no other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from bench.evidence.chat_server import Answer, ChatServer, text_of
from bench.evidence.corpus import text_of as document
from bench.evidence.labels import questions
from bench.evidence.strong import Strong
from testbed.desk import Desk
from testbed.host import Host

PATIENCE_SECONDS = 60.0
[TRAM] = [each for each in questions() if each.id == "english-16"]


class Deadly:
    """A model during whose first call of each kind the host is killed.

    Attributes:
        asked: what it was asked, and how often.
        told: the tokens of all answers that it gave.
        lost: of each call that was killed, the characters that it was asked.
    """

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()
        self.told, self.lost = 0, list[int]()
        self.in_hand, self.over = Event(), Event()
        self._strong = Strong([TRAM], 1)

    def __call__(self, request: dict[str, Any]) -> Answer:
        text = text_of(request)
        self.asked[text] += 1
        if self.asked[text] == 1:
            self.lost.append(len(text))
            self.in_hand.set()
            # The host is gone by then, and nobody hears the answer.
            self.over.wait(PATIENCE_SECONDS)
            self.over.clear()
        answer = self._strong(request)
        if self.asked[text] > 1:
            self.told += answer.asked_tokens + answer.tokens
        return answer


@pytest.fixture
def deadly() -> Iterator[tuple[Deadly, str]]:
    """The model, and where it answers."""
    model = Deadly()
    with ChatServer(model).serving() as server:
        yield model, server.url
        model.over.set()


@pytest.mark.thorough
def test_a_host_killed_in_every_call_pays_for_each_once_more_and_says_so(
    tmp_path: Path, deadly: tuple[Deadly, str]
) -> None:
    model, url = deadly
    host = Host(
        tmp_path / "data",
        COUNTERSIGN_MODEL_PROVIDER="compatible",
        COUNTERSIGN_MODEL="deadly",
        COUNTERSIGN_MODEL_URL=url,
    ).start()
    # What a killed host had in hand, its queues keep hidden for a while.
    host.patience = PATIENCE_SECONDS * 20
    try:
        desk = Desk(host)
        tram = {"title": "Tram line 12", "text": document("tram-line.html")}
        operation = desk.ask(TRAM.text, documents=[tram])

        def goes_on() -> dict[str, Any] | None:
            if model.in_hand.is_set():
                model.in_hand.clear()
                host.process.kill()
                model.over.set()
                host.start()
            found = desk.operation(operation)
            return found if found["state"] != "running" else None

        ended = host.until(goes_on, "the operation has ended")
    finally:
        host.close()
    assert ended["state"] == "awaiting_approval", ended
    assert set(model.asked.values()) == {2}
    assert len(model.lost) >= 4
    # What nobody told the price of counts as what was asked.
    assert ended["tokens"] - model.told == pytest.approx(sum(model.lost) / 4, rel=0.05)
