"""The graph at a terminal: run, list, show, answer, resume, retry, withdraw."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import nullcontext, redirect_stdout, suppress
from typing import TYPE_CHECKING

from pydantic import ValidationError

from countersign.approvals.errors import Expired, NotAuthorised, NotFound, Refusal
from countersign.graph.errors import (
    FAULTS,
    CheckpointError,
    GraphError,
    NotConfigured,
    WaitsForOperator,
)
from countersign.graph.options import TOKEN_KEY, reader
from countersign.graph.streams import hang_up, take_anything
from countersign.identity.errors import KeysUnavailable, Unauthenticated
from countersign.operations.refusals import explain, malformed
from countersign.operations.repository import Changed
from countersign.platform.environment import SettingsError
from countersign.roles import RESEARCH_REQUESTER

if TYPE_CHECKING:
    from countersign.approvals.person import Person
    from countersign.graph.desk import Desk
    from countersign.graph.rest import Rest

DONE, REFUSED, USAGE, NOBODY, STUCK, INTERRUPTED, UNHEARD = 0, 1, 2, 3, 4, 130, 141
"""Exit codes: done (or waiting for a person), refused by the rules, wrong usage, no valid token,
can't go on now, Ctrl-C, nobody reads what is printed."""

Command = Callable[["Desk", argparse.Namespace], Awaitable[int]]


class Refused(Exception):
    """The rules refuse what was asked."""

    def __init__(self, refusal: Refusal) -> None:
        told = explain(refusal)
        super().__init__(f"{told.code}: {told.detail}")


class Stuck(Exception):
    """A graph can't go on now; the message says what stands and what helps."""


def main(argv: Sequence[str]) -> int:
    """Carry one command out and return the exit code."""
    take_anything()
    options = reader().parse_args(argv)
    logging.basicConfig(level=logging.ERROR)
    if options.library:
        os.environ["COUNTERSIGN_LIBRARY"] = str(options.library)
    try:
        return asyncio.run(_carry_out(options))
    except KeyboardInterrupt:
        return INTERRUPTED
    except Refused as error:
        return _said(REFUSED, f"{error}")
    except (Unauthenticated, KeysUnavailable) as error:
        return _said(NOBODY, f"{error}.")
    except ValidationError as error:
        return _said(USAGE, explain(malformed(error)).detail)
    except (SettingsError, ValueError) as error:
        return _said(USAGE, f"{error}")
    except (*FAULTS, Stuck) as error:
        return _said(STUCK, f"{error}.")


async def _carry_out(options: argparse.Namespace) -> int:
    # Imported here, so that wrong usage is told of at once: this loads the framework.
    from countersign.graph.desk import open_desk

    try:
        saving = options.command not in READING
        async with open_desk(saving=saving, declared=options.yaml) as desk:
            code = await COMMANDS[options.command](desk, options)
        sys.stdout.flush()
    except BrokenPipeError:
        hang_up()
        return UNHEARD
    return code


async def run(desk: Desk, options: argparse.Namespace) -> int:
    """Ask for a report, and run its graph until a person is needed."""
    from countersign.reports.report_bodies import ReportRequestBody, ReportTermsBody

    person = await _person(desk, options)
    if RESEARCH_REQUESTER not in person.roles:
        raise Refused(NotAuthorised(needs=f"the role {RESEARCH_REQUESTER}"))
    window = ReportTermsBody(window_seconds=options.window)
    body = ReportRequestBody(topic=options.topic, subtopics=options.subtopic, approval=window)
    operation = await desk.engine.start(person, body)
    options.id = operation.id
    desk.say(f"{operation.id}")
    going_on = desk.engine.run(person.tenant, operation.id)
    if options.ask:
        going_on = _asked(desk, options, going_on)
    return await _shown(desk, options, person.tenant, _driven(going_on, operation.id))


async def list_operations(desk: Desk, options: argparse.Namespace) -> int:
    """List the tenant's operations, the newest first."""
    await desk.list(await _tenant(desk, options), state=options.state, as_json=options.json)
    return DONE


async def show(desk: Desk, options: argparse.Namespace) -> int:
    """Show an operation, and what is to be decided about it."""
    tenant = await _tenant(desk, options)
    return await _shown(desk, options, tenant, desk.engine.question(tenant, options.id), whole=True)


async def answer(desk: Desk, options: argparse.Namespace) -> int:
    """Record a decision, then let the graph go on."""
    from countersign.reports.report_bodies import ReportDecisionBody

    person = await _person(desk, options)
    operation = await desk.engine.app.operations.load(person.tenant, options.id)
    if operation is None or operation.current is None:
        raise Refused(NotFound())
    digests = {each.digest: each.version for each in operation.proposals}
    version = digests.get(options.digest, operation.current.version)
    body = ReportDecisionBody.model_validate(
        {
            "decision": options.decision,
            "digest": options.digest,
            "comment": options.comment,
            "correction": None if options.text is None else {"text": options.text},
        }
    )
    decided = await desk.decide(person, options.id, version, body)
    if isinstance(decided, Changed):
        return await _gone_on(desk, options, person.tenant)
    if isinstance(decided, Expired):
        # What it was escalated to is opened by the graph, which has no timer of its own. If it
        # can't be now, the refusal is still what this person has to hear.
        with suppress(*FAULTS):
            await desk.engine.resume(person.tenant, options.id)
    raise Refused(decided)


async def resume(desk: Desk, options: argparse.Namespace) -> int:
    """Go on from the last checkpoint, or from the ledger alone."""
    tenant = await _tenant(desk, options)
    if not options.afresh:
        return await _gone_on(desk, options, tenant)
    going_on = desk.engine.run(tenant, options.id)
    return await _shown(desk, options, tenant, _driven(going_on, options.id))


async def retry(desk: Desk, options: argparse.Namespace) -> int:
    """Have work tried again now that waits for an operator."""
    person = await _person(desk, options)
    asked = await desk.engine.retry(person, options.id)
    if not isinstance(asked, Changed):
        raise Refused(asked)
    if asked.events:
        desk.say(f"Recorded: {person.name} requested a retry.")
    return await _gone_on(desk, options, person.tenant)


async def withdraw(desk: Desk, options: argparse.Namespace) -> int:
    """Take a request back, then let the graph end."""
    from countersign.bodies.body import WithdrawBody

    person = await _person(desk, options)
    body = WithdrawBody(reason=options.comment)
    withdrawn = await desk.engine.withdraw(person, options.id, body)
    if not isinstance(withdrawn, Changed):
        raise Refused(withdrawn)
    desk.say(f"Recorded: withdrawn by {person.name}.")
    return await _gone_on(desk, options, person.tenant)


COMMANDS: dict[str, Command] = {
    "run": run,
    "list": list_operations,
    "show": show,
    "answer": answer,
    "resume": resume,
    "retry": retry,
    "withdraw": withdraw,
}


READING = {"list", "show"}
"""Commands that save no checkpoint, so they work also where none can be saved."""


async def _gone_on(desk: Desk, options: argparse.Namespace, tenant: str) -> int:
    going_on = desk.engine.resume(tenant, options.id)
    return await _shown(desk, options, tenant, _driven(going_on, options.id))


async def _shown(
    desk: Desk,
    options: argparse.Namespace,
    tenant: str,
    standing: Awaitable[Rest],
    *,
    whole: bool = False,
) -> int:
    """Show where an operation stands; only what the ledger has of it if the graph can't go on."""
    from countersign.graph.rest import Rest

    try:
        rest = await standing
    except (CheckpointError, NotConfigured, WaitsForOperator):
        rest = Rest(operation=await desk.engine.operation(tenant, options.id))
        await desk.show(rest, as_json=options.json, whole=whole)
        raise
    await desk.show(rest, as_json=options.json, whole=whole)
    return DONE


async def _driven(going_on: Awaitable[Rest], operation_id: str) -> Rest:
    try:
        return await going_on
    except (GraphError, BrokenPipeError):
        raise
    except FAULTS as error:
        go_on = f"No completed work is lost; continue with: resume {operation_id}"
        raise Stuck(f"{error}. {go_on}") from error


async def _asked(desk: Desk, options: argparse.Namespace, going_on: Awaitable[Rest]) -> Rest:
    from countersign.graph.asking import ask_until_settled

    # What is asked and typed is no result: where a program reads that, it is kept apart.
    with redirect_stdout(sys.stderr) if options.json else nullcontext():
        return await ask_until_settled(desk, await going_on)


async def _person(desk: Desk, options: argparse.Namespace) -> Person:
    token = os.environ.get(TOKEN_KEY) if options.token is None else options.token
    if not token:
        raise Unauthenticated(f"a token is required: --token, or {TOKEN_KEY} in the environment")
    return await desk.person(token)


async def _tenant(desk: Desk, options: argparse.Namespace) -> str:
    if options.tenant is not None:
        return options.tenant
    return (await _person(desk, options)).tenant


def _said(code: int, text: str) -> int:
    sys.stderr.write(f"{text}\n")
    return code
