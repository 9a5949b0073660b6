"""What the commands of the graph do, each at a desk and by what was typed."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Awaitable, Callable
from contextlib import nullcontext, redirect_stdout, suppress
from typing import TYPE_CHECKING

from countersign.approvals.errors import Expired, NotAuthorised, NotFound
from countersign.graph.desk import Desk
from countersign.graph.errors import FAULTS, CheckpointError, NotConfigured, WaitsForOperator
from countersign.graph.failures import DONE, Refused
from countersign.graph.options import TOKEN_KEY
from countersign.identity.errors import Unauthenticated
from countersign.operations.repository import Changed
from countersign.roles import RESEARCH_REQUESTER

if TYPE_CHECKING:
    from countersign.approvals.person import Person
    from countersign.graph.rest import Rest

Command = Callable[[Desk, argparse.Namespace], Awaitable[int]]

PATIENCE = 5.0
"""Seconds that a command which has recorded something waits for another process to rest."""


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
    going_on = desk.run(person.tenant, operation.id)
    if options.ask:
        going_on = _asked(desk, options, going_on)
    return await _shown(desk, options, person.tenant, going_on)


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
        return await _gone_on(desk, options, person.tenant, patience=PATIENCE)
    if isinstance(decided, Expired):
        # What it was escalated to is opened by the graph, which has no timer of its own. If it
        # can't be now, the refusal is still what this person has to hear.
        with suppress(*FAULTS):
            await desk.resume(person.tenant, options.id)
    raise Refused(decided)


async def resume(desk: Desk, options: argparse.Namespace) -> int:
    """Go on from the last checkpoint, from a named one, or from the ledger alone."""
    tenant = await _tenant(desk, options)
    if options.yaml and options.checkpoint:
        raise ValueError("the flow in YAML has no checkpoints; leave --checkpoint out")
    if options.afresh:
        return await _shown(desk, options, tenant, desk.run(tenant, options.id))
    going_on = desk.resume(tenant, options.id, checkpoint_id=options.checkpoint)
    return await _shown(desk, options, tenant, going_on)


async def retry(desk: Desk, options: argparse.Namespace) -> int:
    """Have work tried again now that waits for an operator."""
    person = await _person(desk, options)
    asked = await desk.engine.retry(person, options.id)
    if not isinstance(asked, Changed):
        raise Refused(asked)
    recorded = f"Recorded: {person.name} requested a retry."
    desk.say(recorded if asked.events else "Nothing to retry: no step waits for such a request.")
    return await _gone_on(desk, options, person.tenant, patience=PATIENCE)


async def withdraw(desk: Desk, options: argparse.Namespace) -> int:
    """Take a request back, then let the graph end."""
    from countersign.bodies.body import WithdrawBody

    person = await _person(desk, options)
    body = WithdrawBody(reason=options.comment)
    withdrawn = await desk.engine.withdraw(person, options.id, body)
    if not isinstance(withdrawn, Changed):
        raise Refused(withdrawn)
    recorded = f"Recorded: {person.name} withdrew the request."
    desk.say(recorded if withdrawn.events else "The request was withdrawn before.")
    return await _gone_on(desk, options, person.tenant, patience=PATIENCE)


async def history(desk: Desk, options: argparse.Namespace) -> int:
    """Show every row of an operation's ledger, and whether their chain is intact."""
    recorded = await desk.recorded(await _tenant(desk, options), options.id)
    if options.json:
        desk.print(json.dumps(recorded))
        return DONE
    for row in recorded["events"]:
        at, actor = row["data"].get("at"), row["data"].get("actor")
        name = actor.get("name") if isinstance(actor, dict) else actor
        desk.print(f"{row['sequence']:4}  {at}  {row['type']}  {name}")
    desk.print(f"The chain of hashes is {recorded['chain']}.")
    return DONE


async def proof(desk: Desk, options: argparse.Namespace) -> int:
    """Write the signed proof of an operation to a file, or to standard output."""
    bundle = await desk.proof(await _tenant(desk, options), options.id)
    if options.output is None:
        desk.print_bytes(bundle)
        return DONE
    options.output.write_bytes(bundle)
    desk.say(f"The proof is in {options.output}; check it with: dev.py verify {options.output}")
    return DONE


async def key(desk: Desk, options: argparse.Namespace) -> int:
    """Show the public key that verifies what is signed here."""
    described = desk.proof_key().described()
    if options.json:
        desk.print(json.dumps(described))
        return DONE
    for name, value in described.items():
        desk.print(f"{name:16} {value}")
    return DONE


async def _gone_on(
    desk: Desk, options: argparse.Namespace, tenant: str, *, patience: float = 0.0
) -> int:
    going_on = desk.resume(tenant, options.id, patience=patience)
    return await _shown(desk, options, tenant, going_on)


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
        # One document, with the error in it: whoever tells of that prints it.
        if options.json:
            options.known = await desk.facts(rest)
        else:
            await desk.show(rest, whole=whole)
        raise
    if options.json:
        desk.print(json.dumps(await desk.facts(rest)))
    else:
        await desk.show(rest, whole=whole)
    return DONE


async def _asked(desk: Desk, options: argparse.Namespace, going_on: Awaitable[Rest]) -> Rest:
    from countersign.graph.asking import ask_until_settled

    # What is asked and typed is no result: where a program reads that, it is kept apart.
    with redirect_stdout(sys.stderr) if options.json else nullcontext():
        return await ask_until_settled(desk, await going_on)


async def _person(desk: Desk, options: argparse.Namespace) -> Person:
    token = os.environ.get(TOKEN_KEY) if options.token is None else options.token
    if not token:
        raise Unauthenticated(
            f"a token is required: --token, or {TOKEN_KEY} in the environment; without a sign-in"
            " service, `python3 dev.py token --as NAME --role ROLE` prints one"
        )
    return await desk.person(token)


async def _tenant(desk: Desk, options: argparse.Namespace) -> str:
    if options.tenant is not None:
        return options.tenant
    return (await _person(desk, options)).tenant


COMMANDS: dict[str, Command] = {
    "run": run,
    "list": list_operations,
    "show": show,
    "answer": answer,
    "resume": resume,
    "retry": retry,
    "withdraw": withdraw,
    "history": history,
    "proof": proof,
    "key": key,
}
