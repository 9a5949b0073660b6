"""Say whether a Functions host can load the app, and where a host tells why it couldn't.

An app that its worker refuses has no functions: every route is 404, `/api/health` as well, and the
host calls itself healthy.
"""

from __future__ import annotations

import platform
import sys
from collections import Counter
from collections.abc import Callable, Sequence

from devhost.indexing import Indexed, index
from devhost.signatures import check, refused_elsewhere
from local.errors import Missing
from local.func import find_func
from local.node import find_node

WHERE = """
Where a host says why the app has no functions, when every route is 404:

  dev.py start  it ends with the worker's words
  func start    func start --verbose, at "Worker failed to index functions", or
                http://127.0.0.1:7071/admin/functions, for one function
                http://127.0.0.1:7071/admin/functions/NAME/status
  Azure         the same addresses of the app with its master key, or in Application Insights
                union traces, exceptions | where * has "cannot load the"
                (docs/deploy.md has the commands)
"""


def main() -> int:
    """Print what was found; return the exit code, 1 if a host could not load the app."""
    told, faults = examined()
    print(f"Python {platform.python_version()}: {told}.", *faults, sep="\n  ")
    for option, program in (("--storage azurite", find_node), ("--func", find_func)):
        print(f"dev.py start {option}: {_ready(program)}")
    print(WHERE, end="")
    return 1 if faults else 0


def examined() -> tuple[str, Sequence[str]]:
    """Load the app in this process, and judge it by the rules of the Functions worker.

    Returns:
        A sentence, and each reason for which a worker would refuse the app, on any Python.
    """
    try:
        functions = index()
    except Exception as error:  # noqa: BLE001 - whatever the app raises
        return "the app can't be imported", [f"{type(error).__name__}: {error}"]
    faults = [*map(str, check(functions)), *refused_elsewhere(functions)]
    if faults:
        return "the Functions worker refuses the app, with all its functions", faults
    return f"the Functions worker loads the app: {_kinds(functions)}", []


def _kinds(functions: Sequence[Indexed]) -> str:
    kinds = Counter(function.trigger["type"] for function in functions)
    counted = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
    return f"{len(functions)} functions, {counted}"


def _ready(find: Callable[[], str]) -> str:
    try:
        return f"with {find()}"
    except Missing as missing:
        return str(missing)


if __name__ == "__main__":
    sys.exit(main())
