"""The command line: `python -m bench host|start|gate|cost|evidence [OPTIONS]`."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

from bench import host, start
from bench.cost import run as cost
from bench.gate import measure as gate_measure
from bench.gate import run as gate


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one bench, print what it found and return the process's exit code."""
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    names = parser.add_subparsers(dest="name", required=True)
    names.add_parser("host", help="the local host, beside durabletask's own backend")
    names.add_parser("start", help="loading the app, beside a bare one")
    names.add_parser("gate", help="orders and reports as a whole, beside two other gates")
    names.add_parser("cost", help="counts of what one order and one report take")
    for bench in names.choices.values():
        bench.add_argument("--quick", action="store_true", help="only see that it runs")
    _add_evidence(names.add_parser("evidence", help="what of a report its sources carry"))
    options = parser.parse_args(arguments)
    if options.name == "evidence":
        return _evidence(options)
    if options.name == "start":
        start.run(1 if options.quick else start.ROUNDS)
    elif options.name == "cost":
        asyncio.run(cost.run())
    elif options.name == "gate":
        asyncio.run(gate.run(gate_measure.QUICK if options.quick else gate_measure.FULL))
    else:
        asyncio.run(host.run(host.QUICK if options.quick else host.FULL))
    return 0


def _add_evidence(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--model",
        action="append",
        metavar="extractive|strong|liar|small|tiny|FILE.gguf",
        help="which model, more than once for several (default: extractive, strong and liar)",
    )
    parser.add_argument("--questions", type=int, default=1_000, help="how many (default: all)")
    parser.add_argument("--seed", type=int, default=1, help="what the questions are drawn by")
    parser.add_argument(
        "--patience", type=float, default=1_800.0, help="seconds that a report may take"
    )
    parser.add_argument("--details", action="store_true", help="print what was found, line by line")
    parser.add_argument(
        "--results",
        type=Path,
        default=None,
        help="a folder to keep results in: what stands there is not asked again",
    )


def _evidence(options: argparse.Namespace) -> int:
    # Imported here because it loads the app's own code.
    from bench.evidence.run import EvidenceExtent, run

    models = options.model or ["extractive", "strong", "liar"]
    unmarked = run(
        EvidenceExtent(
            models=models,
            most=options.questions,
            seed=options.seed,
            patience=options.patience,
            kept=options.results,
            told=options.details,
        )
    )
    return 1 if unmarked else 0


if __name__ == "__main__":
    sys.exit(main())
