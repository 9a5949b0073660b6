"""The graph at a terminal: run, list, show, answer, resume, withdraw."""

from __future__ import annotations

import argparse
import asyncio
import io
import logging
import os
import sys
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

from pydantic import ValidationError

from countersign.approvals.errors import Expired, LedgerError, NotAuthorised, NotFound, Refusal
from countersign.graph.options import TOKEN_KEY, reader
from countersign.identity.errors import KeysUnavailable, Unauthenticated
from countersign.operations import Changed
from countersign.refusals import explain, malformed
from countersign.roles import REQUESTER
from countersign.settings import SettingsError
from countersign.sources.library import SourceError
from countersign.stores.errors import StoreError
from countersign.team.errors import TeamError
from countersign.writing.destination import WritingError

if TYPE_CHECKING:
    from countersign.approvals.person import Person
    from countersign.graph.desk import Desk

DONE, REFUSED, USAGE, NOBODY, STUCK, INTERRUPTED = 0, 1, 2, 3, 4, 130
"""Exit codes: done (or waiting for a person), refused by the rules, wrong usage, no valid token,
can't go on now, Ctrl-C."""

Command = Callable[["Desk", argparse.Namespace], Awaitable[int]]


class Refused(Exception):
    """The rules refuse what was asked."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(explain(refusal).detail)
        self.refusal = refusal


def main(argv: Sequence[str]) -> int:
    """Carry one command out and return the exit code."""
    _escape_what_a_stream_cannot_hold()
    options = reader().parse_args(argv)
    logging.basicConfig(level=logging.ERROR)
    if options.library:
        os.environ["COUNTERSIGN_LIBRARY"] = str(options.library)
    try:
        return asyncio.run(_carry_out(options))
    except KeyboardInterrupt:
        return INTERRUPTED
    except Refused as error:
        return _said(REFUSED, f"{explain(error.refusal).code}: {error}")
    except (Unauthenticated, KeysUnavailable) as error:
        return _said(NOBODY, f"{error}.")
    except ValidationError as error:
        return _said(USAGE, explain(malformed(error)).detail)
    except (SettingsError, ValueError) as error:
        return _said(USAGE, f"{error}")


async def _carry_out(options: argparse.Namespace) -> int:
    # Imported here, so that wrong usage is told of at once: this loads the framework.
    from countersign.graph.desk import open_desk
    from countersign.graph.errors import GraphError

    try:
        async with open_desk() as desk:
            return await COMMANDS[options.command](desk, options)
    except GraphError as error:
        return _said(STUCK, f"{error}.")
    except (TeamError, SourceError, StoreError, LedgerError, WritingError, OSError) as error:
        go_on = f" Nothing that was done is lost. Go on with: resume {options.id}"
        return _said(STUCK, f"{error}.{go_on if options.id else ''}")


async def run(desk: Desk, options: argparse.Namespace) -> int:
    """Ask for a report, and run its graph until a person is needed."""
    from countersign.bodies import ApprovalBody, ResearchBody

    person = await _person(desk, options)
    if REQUESTER not in person.roles:
        raise Refused(NotAuthorised(needs=f"the role {REQUESTER}"))
    window = ApprovalBody(window_seconds=options.window)
    body = ResearchBody(topic=options.topic, subtopics=options.subtopic, approval=window)
    operation = await desk.engine.start(person, body)
    options.id = operation.id
    desk.say(f"{operation.id}")
    rest = await desk.engine.run(person.tenant, operation.id)
    if options.ask:
        from countersign.graph.asking import ask_until_settled

        rest = await ask_until_settled(desk, rest)
    await desk.show(rest, as_json=options.json)
    return DONE


async def list_operations(desk: Desk, options: argparse.Namespace) -> int:
    """List the tenant's operations, the newest first."""
    await desk.list(await _tenant(desk, options), state=options.state, as_json=options.json)
    return DONE


async def show(desk: Desk, options: argparse.Namespace) -> int:
    """Show an operation, and what is to be decided about it."""
    rest = await desk.engine.question(await _tenant(desk, options), options.id)
    await desk.show(rest, as_json=options.json, whole=True)
    return DONE


async def answer(desk: Desk, options: argparse.Namespace) -> int:
    """Record a decision, then let the graph go on."""
    from countersign.bodies import DecisionBody

    person = await _person(desk, options)
    operation = await desk.engine.app.operations.load(person.tenant, options.id)
    if operation is None or operation.current is None:
        raise Refused(NotFound())
    digests = {each.digest: each.version for each in operation.proposals}
    version = digests.get(options.digest, operation.current.version)
    body = DecisionBody.model_validate(
        {
            "decision": options.decision,
            "digest": options.digest,
            "comment": options.comment,
            "correction": None if options.text is None else {"text": options.text},
        }
    )
    decided = await desk.engine.decide(person, options.id, version, body)
    if isinstance(decided, Expired):
        # What it was escalated to is opened by the graph, which has no timer of its own.
        await desk.engine.resume(person.tenant, options.id)
    if not isinstance(decided, Changed):
        raise Refused(decided)
    await desk.show(await desk.engine.resume(person.tenant, options.id), as_json=options.json)
    return DONE


async def resume(desk: Desk, options: argparse.Namespace) -> int:
    """Go on from the last checkpoint, or from the ledger alone."""
    tenant = await _tenant(desk, options)
    go_on = desk.engine.run if options.afresh else desk.engine.resume
    await desk.show(await go_on(tenant, options.id), as_json=options.json)
    return DONE


async def withdraw(desk: Desk, options: argparse.Namespace) -> int:
    """Take a request back, then let the graph end."""
    from countersign.bodies import WithdrawBody

    person = await _person(desk, options)
    body = WithdrawBody(reason=options.comment)
    withdrawn = await desk.engine.withdraw(person, options.id, body)
    if not isinstance(withdrawn, Changed):
        raise Refused(withdrawn)
    await desk.show(await desk.engine.resume(person.tenant, options.id), as_json=options.json)
    return DONE


COMMANDS: dict[str, Command] = {
    "run": run,
    "list": list_operations,
    "show": show,
    "answer": answer,
    "resume": resume,
    "withdraw": withdraw,
}


async def _person(desk: Desk, options: argparse.Namespace) -> Person:
    token = options.token or os.environ.get(TOKEN_KEY)
    if not token:
        raise Unauthenticated(f"a token is needed: --token, or {TOKEN_KEY} in the environment")
    return await desk.person(token)


async def _tenant(desk: Desk, options: argparse.Namespace) -> str:
    return options.tenant or (await _person(desk, options)).tenant


def _escape_what_a_stream_cannot_hold() -> None:
    # A pipe may have a code page's few characters, on Windows: the others are shown by number.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _said(code: int, text: str) -> int:
    sys.stderr.write(f"{text}\n")
    return code
