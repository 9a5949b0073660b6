"""What can be typed after `python -m countersign.graph`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from countersign.graph.failures import Reader
from countersign.operations.summary import states

TOKEN_KEY = "COUNTERSIGN_TOKEN"  # noqa: S105 - the name of a setting
"""Holds a token where `--token` is not given, so that none needs to be on a command line."""


READING = {"list", "show", "history", "proof", "key"}
"""Commands that save no checkpoint, so they work also where none can be saved."""


PROGRAM = "python -m countersign.graph"
"""Where the installed package is run."""


def reader(
    program: str = PROGRAM, more: Sequence[argparse.ArgumentParser] = ()
) -> argparse.ArgumentParser:
    """Return the parser of command lines; `id` is None if a command names no operation.

    Args:
        program: what help calls the program.
        more: parsers of options that the program has beside these.
    """
    parser = Reader(
        prog=program,
        description="Run the team as a workflow graph from a terminal.",
        parents=more,
    )
    parser.set_defaults(id=None, library=None, known={})
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")
    parser.add_argument("--yaml", action="store_true", help="run the flow that flow.yaml declares")
    commands = parser.add_subparsers(dest="command", required=True)
    for add in (
        _add_run,
        _add_list,
        _add_show,
        _add_answer,
        _add_resume,
        _add_retry,
        _add_withdraw,
        _add_history,
        _add_proof,
        _add_key,
    ):
        command = add(commands)
        command.add_argument("--token", help=f"identifies you; by default from {TOKEN_KEY}")
    return parser


def _add_run(commands: Any) -> argparse.ArgumentParser:
    run = commands.add_parser("run", help="request a report and run the graph")
    run.add_argument("topic")
    run.add_argument(
        "--subtopic", action="append", help="a subtopic, instead of a plan; may be repeated"
    )
    run.add_argument("--window", type=float, help="seconds until the deadline of a version")
    run.add_argument("--library", type=_folder, help="a folder of documents to research")
    run.add_argument("--ask", action="store_true", help="take the decisions in this terminal")
    return run


def _add_list(commands: Any) -> argparse.ArgumentParser:
    listed = commands.add_parser("list", help="list the newest operations")
    listed.add_argument("--state", choices=states(), help="only operations in this state")
    return _with_tenant(listed)


def _add_show(commands: Any) -> argparse.ArgumentParser:
    shown = commands.add_parser("show", help="show an operation and its pending decision")
    return _with_tenant(_with_id(shown))


def _add_answer(commands: Any) -> argparse.ArgumentParser:
    answer = commands.add_parser("answer", help="decide on a version and continue")
    decision = answer.add_mutually_exclusive_group(required=True)
    for each in ("approve", "reject", "revise"):
        decision.add_argument(f"--{each}", dest="decision", action="store_const", const=each)
    answer.add_argument("--digest", required=True, help="digest of the version that you read")
    answer.add_argument("--comment", default="", help="the reason, or what to change")
    answer.add_argument(
        "--text", type=_text, help="with --revise: a file with your own version of the text"
    )
    return _with_id(answer)


def _add_resume(commands: Any) -> argparse.ArgumentParser:
    resumed = commands.add_parser("resume", help="continue after a crash, a deadline or an answer")
    resumed.add_argument("--library", type=_folder, help="the library that it was started with")
    where = resumed.add_mutually_exclusive_group()
    where.add_argument(
        "--afresh",
        action="store_true",
        help="continue without checkpoints; steps in the ledger are not repeated",
    )
    where.add_argument("--checkpoint", metavar="ID", help="continue from this one, not the last")
    return _with_tenant(_with_id(resumed))


def _add_retry(commands: Any) -> argparse.ArgumentParser:
    again = commands.add_parser("retry", help="retry work that waits for an operator")
    again.add_argument("--library", type=_folder, help="the library that it was started with")
    return _with_id(again)


def _add_withdraw(commands: Any) -> argparse.ArgumentParser:
    withdrawn = commands.add_parser("withdraw", help="withdraw your own request")
    withdrawn.add_argument("--comment", default="", help="the reason")
    return _with_id(withdrawn)


def _add_history(commands: Any) -> argparse.ArgumentParser:
    return _with_tenant(_with_id(commands.add_parser("history", help="show the ledger")))


def _add_proof(commands: Any) -> argparse.ArgumentParser:
    proof = commands.add_parser("proof", help="write the signed proof; `verify` checks it")
    proof.add_argument("--output", type=Path, metavar="FILE", help="where to; else to the output")
    return _with_tenant(_with_id(proof))


def _add_key(commands: Any) -> argparse.ArgumentParser:
    return commands.add_parser("key", help="show the public key that verifies proofs")


def _with_id(command: argparse.ArgumentParser) -> argparse.ArgumentParser:
    command.add_argument("id", help="id of the operation")
    return command


def _with_tenant(command: argparse.ArgumentParser) -> argparse.ArgumentParser:
    # No token is asked for then: whoever can start this can read the stores without it.
    command.add_argument("--tenant", help="the tenant; by default the token's")
    return command


def _folder(name: str) -> Path:
    # What is empty would be this very folder, and is a variable that isn't set.
    if not name or not (folder := Path(name)).is_dir():
        raise argparse.ArgumentTypeError(f"{name or 'an empty name'} is not a folder")
    return folder


def _text(name: str) -> str:
    try:
        # Windows' editors begin such a file with a mark that is no part of the text.
        return Path(name).read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise argparse.ArgumentTypeError(f"{name} cannot be read as text: {error}") from None
