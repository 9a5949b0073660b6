"""A real language model at work: every request ends, and what it ends with is so.

`dev.py test --model small` runs these and no others: they take minutes, and a download.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from bench.evidence.corpus import sent
from bench.evidence.judge import judged
from bench.evidence.labels import Question, questions
from bench.evidence.report import reviewed
from devhost.process import free_port
from local.gguf import find_model
from local.llama import LlamaProcess
from testbed.desk import Desk

pytestmark = [pytest.mark.real_model, pytest.mark.timeout(3_600)]

PATIENCE_SECONDS = 1_500.0
KNOWN = {question.id: question for question in questions()}


@pytest.fixture(scope="module")
def model_desk(
    request: pytest.FixtureRequest,
    new_host: Callable[..., Any],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Any]:
    """People at a host whose reports are written by the model that `--model` names."""
    folder = tmp_path_factory.mktemp("model")
    file = find_model(str(request.config.getoption("--model")))
    with (folder / "model.log").open("w") as log:
        model = LlamaProcess(model=file, port=free_port(), output=log)
        model.start()
        host = new_host(folder / "data", **model.settings).start()
        host.patience = PATIENCE_SECONDS
        yield Desk(host)
        host.close()
        model.stop()


def brought(desk: Any, *names: str) -> list[dict[str, Any]]:
    """Documents as the app reads them."""
    documents: list[dict[str, Any]] = []
    for name, data in map(sent, names):
        headers = {"X-File-Name": name, "Content-Type": "application/octet-stream"}
        read = desk.host.call("POST", "documents", desk.requester, content=data, headers=headers)
        assert read.status_code == 200, read.text
        documents.append({key: read.json()[key] for key in ("title", "text", "locators")})
    return documents


@pytest.mark.parametrize(
    ("question", "documents"),
    [
        ("english-16", ["tram-line.html", "refunds.md"]),
        ("german-19", ["bahnhof.txt", "moor.txt"]),  # one is sent as a PDF
        ("french-14", ["velo.txt", "cantine.txt"]),  # the answer is in a PDF of two columns
    ],
)
def test_a_report_says_what_its_sources_say_or_the_request_ends_with_a_reason(
    model_desk: Any, question: str, documents: list[str]
) -> None:
    asked: Question = KNOWN[question]
    operation = model_desk.ask(asked.text, documents=brought(model_desk, *documents))
    ended = model_desk.until_state(
        operation, "awaiting_approval", "needs_revision", "failed", "over_budget"
    )
    if ended["state"] != "awaiting_approval":
        assert ended["state"] == "needs_revision", ended["outcome"]
        assert ended["outcome"]["reason"]
        return
    shown = model_desk.host.call("GET", f"operations/{operation}/proposals/1", model_desk.reviewer)
    assert judged(reviewed(shown.json()), asked).unmarked == ()
    assert model_desk.decide(operation, ended["proposal"]).status_code == 200
    model_desk.until_state(operation, "published")


def test_a_report_from_the_sample_library_comes_to_an_end(model_desk: Any) -> None:
    operation = model_desk.ask("How durable timers survive a crash")
    ended = model_desk.until_state(operation, "awaiting_approval", "needs_revision")
    assert ended["proposal"] or ended["outcome"]["reason"]
    assert ended["tokens"] > 0
