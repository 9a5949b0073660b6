"""Ask every question of every model, and print what its reports are worth."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bench.evidence.chat_server import Call, ChatServer
from bench.evidence.figures import PROPOSED, Result, table
from bench.evidence.forwarded import Forwarded
from bench.evidence.judge import judged
from bench.evidence.labels import Question, chosen, questions
from bench.evidence.liar import Liar
from bench.evidence.office import Ended, Office, TooSlow, office
from bench.evidence.rejections import rejected
from bench.evidence.report import reviewed
from bench.evidence.strong import Strong
from countersign.team.chat import MODEL_KEY, PROVIDER_KEY, SECRET_KEY, URL_KEY
from devhost.process import free_port
from local.gguf import PUBLISHED, find_model
from local.llama import BOUNDS, LlamaProcess

SCRIPTED = ("strong", "liar")
MODELS = ("extractive", *SCRIPTED, *PUBLISHED)


@dataclass(frozen=True, kw_only=True, slots=True)
class EvidenceExtent:
    """What to ask, of whom, and where results are kept so that nothing is asked twice.

    Attributes:
        models: names of MODELS, or paths of GGUF files.
        most: how many questions.
        seed: what they are drawn by, and the habits of the strong model.
        patience: seconds that one report may take.
        kept: the folder of results; None if they are not kept.
        told: whether to print each line that something was found about.
    """

    models: Sequence[str]
    most: int
    seed: int
    patience: float
    kept: Path | None
    told: bool


def run(extent: EvidenceExtent) -> int:
    """Measure and print a table for each model.

    Returns:
        How many unsupported lines were shown without a mark, over all models.
    """
    asked = chosen(questions(), extent.most, extent.seed)
    unmarked = 0
    for model in extent.models:
        results = _results(model, asked, extent)
        print(f"\n{table(model, results)}\n", flush=True)
        unmarked += sum(len(each.unmarked) for each in results)
        if extent.told:
            _tell(results)
    return unmarked


def _tell(results: Sequence[Result]) -> None:
    for each in results:
        lines = [f"unmarked {line}" for line in each.unmarked]
        lines += [f"left out {text}" for text in each.refused]
        lines += [f"false alarm {text}" for text in each.false_alarms]
        lines += [f"foreign {quote}" for quote in each.foreign]
        if each.labels and each.state != PROPOSED:
            lines.append(f"unanswered: {each.state}: {each.reason}")
        for line in lines:
            print(f"{each.question}: {line}")


def _results(model: str, asked: Sequence[Question], extent: EvidenceExtent) -> list[Result]:
    kept = _Kept(extent.kept, f"{Path(model).stem}-{extent.seed}")
    missing = [question for question in asked if question.id not in kept.results]
    if missing:
        with ExitStack() as open_until_done:
            folder = Path(open_until_done.enter_context(tempfile.TemporaryDirectory()))
            server = open_until_done.enter_context(_served(model, asked, extent.seed))
            at = open_until_done.enter_context(
                office(folder, _settings(model, server), extent.patience)
            )
            for question in missing:
                result = _result(at, server, question)
                kept.add(result)
                print(f"{model} {question.id} {result.state} {result.seconds:.0f} s", flush=True)
    return [kept.results[question.id] for question in asked]


@contextmanager
def _served(model: str, asked: Sequence[Question], seed: int) -> Iterator[ChatServer | None]:
    """Run what answers for a model; nothing has to run for the extractive one."""
    if model == "extractive":
        yield None
    elif model in SCRIPTED:
        script = Liar(asked) if model == "liar" else Strong(asked, seed)
        with ChatServer(script).serving() as server:
            yield server
    else:
        process = LlamaProcess(model=find_model(model), port=free_port())
        process.start()
        try:
            upstream = Forwarded(process.settings[URL_KEY], process.settings[SECRET_KEY])
            with ChatServer(upstream).serving() as server:
                yield server
        finally:
            process.stop()


def _settings(model: str, server: ChatServer | None) -> Mapping[str, str]:
    if server is None:
        return {PROVIDER_KEY: "extractive"}
    named = {PROVIDER_KEY: "compatible", MODEL_KEY: "bench", URL_KEY: server.url}
    return named if model in SCRIPTED else {**named, **BOUNDS}


def _result(at: Office, server: ChatServer | None, question: Question) -> Result:
    before = len(server.calls) if server else 0
    began = time.monotonic()
    try:
        ended = at.ask(question.text)
    except TooSlow:
        ended = Ended(state="too_slow", reason="", proposal=None)
    seconds = time.monotonic() - began
    calls = server.calls[before:] if server else None
    cost = None if calls is None else sum(c.answer.asked_tokens + c.answer.tokens for c in calls)
    return Result(
        question=question.id,
        labels=len(question.sources),
        state=ended.state,
        reason=ended.reason,
        calls=None if calls is None else len(calls),
        tokens=cost,
        seconds=seconds,
        **_judged(ended, question, calls or ()),
    )


def _judged(ended: Ended, question: Question, calls: Sequence[Call]) -> dict[str, Any]:
    report = reviewed(ended.proposal) if ended.proposal else None
    refused = rejected(report, question, calls)
    if report is None:
        return {"refused": refused}
    return {**asdict(judged(report, question)), "refused": refused}


class _Kept:
    """The results so far, one in a line of a file."""

    def __init__(self, folder: Path | None, name: str) -> None:
        self.results: dict[str, Result] = {}
        self._file = folder / f"{name}.jsonl" if folder else None
        if self._file and self._file.exists():
            for line in self._file.read_text("utf-8").splitlines():
                read = json.loads(line)
                lists = {
                    key: tuple(value) for key, value in read.items() if isinstance(value, list)
                }
                self._put(Result(**{**read, **lists}))

    def add(self, result: Result) -> None:
        """Keep one more."""
        self._put(result)
        if self._file:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with self._file.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(result), ensure_ascii=False) + "\n")

    def _put(self, result: Result) -> None:
        self.results[result.question] = result
