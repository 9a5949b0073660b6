"""Whether a Functions host can load the app.

An app that its worker refuses has no functions: every route is 404, `/api/health` as well, and the
host calls itself healthy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from devhost.worker.indexing import Indexed, index
from devhost.worker.signatures import check, refused_elsewhere
from local.doctor.finding import Finding


def examine_app() -> Finding:
    """Load the app in this process, and judge it by the rules of the Functions worker."""
    try:
        functions = index()
    except Exception as error:  # noqa: BLE001 - whatever the app raises
        return _refused("it cannot be imported", [f"{type(error).__name__}: {error}"])
    faults = [*map(str, check(functions)), *refused_elsewhere(functions)]
    if faults:
        return _refused("the Functions worker refuses it, with all its functions", faults)
    return Finding(name="app", told=f"the Functions worker loads it: {_kinds(functions)}")


def _refused(told: str, faults: Sequence[str]) -> Finding:
    return Finding(name="app", told="\n  ".join([f"{told}:", *faults]), state="broken")


def _kinds(functions: Sequence[Indexed]) -> str:
    kinds = Counter(function.trigger["type"].removesuffix("Trigger") for function in functions)
    counted = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
    return f"{len(functions)} functions ({counted})"
