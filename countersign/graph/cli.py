"""The graph at a terminal: reads a command line, carries it out, and says how that ended."""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import sys
from collections.abc import Sequence

from countersign.graph.failures import (
    EXPECTED,
    INTERRUPTED,
    UNHEARD,
    Failure,
    WrongUsage,
    failure_of,
)
from countersign.graph.options import PROGRAM, READING, reader
from countersign.graph.streams import hang_up, take_anything

JSON = "--json"


def main(
    argv: Sequence[str],
    program: str = PROGRAM,
    more: Sequence[argparse.ArgumentParser] = (),
) -> int:
    """Carry one command out and return the exit code.

    With `--json`, standard output has one document, also where the command failed: then its `error`
    says why, beside what is known of the operation.

    Args:
        argv: the command line.
        program: what help calls the program.
        more: parsers of options that the program has beside those of every graph.
    """
    take_anything()
    try:
        options = reader(program, more).parse_args(argv)
    except WrongUsage as wrong:
        if JSON in argv:
            _tell(failure_of(wrong), {}, as_json=True)
        raise
    logging.basicConfig(level=logging.ERROR)
    if options.library:
        os.environ["COUNTERSIGN_LIBRARY"] = str(options.library)
    try:
        return asyncio.run(_carry_out(options))
    except KeyboardInterrupt:
        return INTERRUPTED
    except EXPECTED as error:
        failure = failure_of(error)
        sys.stderr.write(f"{failure.detail}\n")
        return _tell(failure, options.known, as_json=options.json)


async def _carry_out(options: argparse.Namespace) -> int:
    # Imported here, so that wrong usage is told of at once: this loads the framework.
    from countersign.graph.commands import COMMANDS
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


def _tell(failure: Failure, known: dict[str, object], *, as_json: bool) -> int:
    if as_json:
        error = {"code": failure.code, "exit_code": failure.exit_code, "detail": failure.detail}
        sys.stdout.write(f"{json.dumps({**known, 'error': error})}\n")
    return failure.exit_code
