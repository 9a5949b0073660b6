"""Who may import whom: the layers of the code base, held by a test."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
OURS = (
    "activities",
    "bench",
    "countersign",
    "devhost",
    "endpoints",
    "local",
    "orchestrators",
    "samples",
    "tests",
)
ADAPTERS = (
    "countersign.stores.sqlite",
    "countersign.stores.sqlite_index",
    "countersign.stores.folder",
    "countersign.sources.folder",
    "countersign.stores.table_ledger",
    "countersign.stores.table_index",
    "countersign.stores.table_progress",
    "countersign.stores.blob_artifacts",
    "countersign.notices.apprise",
    "countersign.destinations.report_folder",
    "countersign.destinations.report_blobs",
    "countersign.destinations.order_service",
)
KNOWS_AZURE = (
    "countersign/stores/account.py",
    "countersign/stores/blob",
    "countersign/stores/retries.py",
    "countersign/stores/table",
    "countersign/destinations/report_blobs.py",
    "countersign/platform/own_identity.py",
    "countersign/signing/vault_key.py",
    "countersign/graph/cosmos.py",
)
"""Files, or how their names begin, that are made to work with a service of Azure's."""
COUNTERSIGN = {
    "approvals": "",
    "platform": "",
    "roles": "",
    "web": "",
    "review": "",
    "identity": "approvals platform",
    "steps": "approvals",
    "bodies": "approvals platform",
    "sources": "platform",
    "team": "platform sources",
    "stores": "approvals platform",
    "destinations": "approvals platform stores",
    "retrieval": "approvals platform sources stores web",
    "purchases": "approvals bodies platform roles",
    "reports": "approvals bodies platform retrieval roles sources stores team web",
    "passkeys": "approvals platform stores",
    "kinds": "approvals bodies destinations platform purchases reports review roles steps stores",
    "operations": "approvals bodies destinations kinds platform purchases reports retrieval sources"
    " steps stores team",
    "research": "approvals operations platform reports retrieval review sources steps stores team",
    "notices": "approvals kinds operations passkeys platform stores",
    "proof": "approvals bodies kinds operations passkeys platform sources stores",
    "signing": "platform proof stores",
    "anchors": "proof stores",
    "commands": "approvals bodies kinds operations passkeys platform",
    "settings": "anchors approvals destinations identity kinds notices passkeys platform proof"
    " purchases retrieval signing stores team",
    "services": "destinations identity notices operations passkeys platform proof research stores",
    "wiring": "anchors approvals destinations identity notices operations passkeys platform proof"
    " research retrieval services settings sources stores team web",
    "graph": "approvals bodies commands destinations identity kinds operations platform proof"
    " reports roles sources steps stores team wiring",
}
"""What each package and each module of countersign imports, the lowest layer first.

Imports inside functions count too. What many are handed, `HANDED_IN`, they may name as a type.
"""
HANDED_IN = ("countersign.services", "countersign.settings")
"""One record each, made in the wiring; whoever is handed one imports it for its type alone."""
DEVHOST = {
    "errors": "",
    "ends_with_its_parent": "",
    "file_lock": "",
    "process": "errors",
    "plain": "",
    "private": "",
    "guards": "",
    "worker": "plain",  # it runs in the app's process, whose packages are not the host's
    "identity": "guards",
    "time": "errors",
    "console": "plain time",
    "background": "console",
    "config": "errors time",
    "functions": "config errors time",
    "durable": "functions time",  # values: it neither waits nor writes
    "state": "durable errors file_lock private",
    "app": "background config console errors functions worker",
    "api": "durable errors state time",
    "engine": "app background config console durable errors functions state time",
    "http": "api app config console engine errors functions guards identity time",
    "page": "app config durable functions guards http time",
}
"""What each package and each module of devhost imports, the lowest layer first.

What isn't here puts the host together, and may import everything.
"""


def nodes_of(tree: ast.AST, *, with_types: bool) -> Iterator[ast.AST]:
    """All nodes below one, if wanted without those that only a type checker sees."""
    for node in ast.iter_child_nodes(tree):
        for_types = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        if with_types or not for_types:
            yield node
            yield from nodes_of(node, with_types=with_types)


def imports_of(file: Path, *, with_types: bool = True) -> Iterator[str]:
    """The modules that a file imports, also inside functions."""
    for node in nodes_of(ast.parse(file.read_text("utf-8")), with_types=with_types):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{file} has a relative import"
            yield node.module
            yield from (f"{node.module}.{each.name}" for each in node.names)


def imports_below(folder: str, *, with_types: bool = True) -> Iterator[tuple[str, str]]:
    """Pairs of a file below a folder and a module that it imports."""
    for file in sorted((ROOT / folder).rglob("*.py")):
        for module in imports_of(file, with_types=with_types):
            yield str(file.relative_to(ROOT)), module


def within(module: str, *packages: str) -> bool:
    return any(module == each or module.startswith(f"{each}.") for each in packages)


@pytest.mark.parametrize(
    ("folder", "allowed"),
    [
        ("countersign/approvals", ["countersign.approvals"]),  # the domain knows nobody
        (
            "countersign/sources",
            ["countersign.sources"]
            + [f"countersign.platform.{each}" for each in ("file_lock", "threads", "scripts")],
        ),
        ("countersign/web", ["countersign.web"]),
        (
            "countersign/retrieval",
            [f"countersign.{each}" for each in ("retrieval", "web", "sources")]
            + [f"countersign.platform.{each}" for each in ("threads", "clock", "own_identity")]
            + ["countersign.approvals.digest", "countersign.stores.artifacts"],
        ),
        (
            "countersign/team",
            ["countersign.sources", "countersign.team"]
            + [f"countersign.platform.{each}" for each in ("backoff", "own_identity", "threads")],
        ),
        ("countersign/review", ["countersign.review"]),
        (
            "countersign/identity",
            [f"countersign.{each}" for each in ("identity", "approvals.person")]
            + [f"countersign.platform.{each}" for each in ("environment", "recent")],
        ),
        # plain data, names, and what stories share
        (
            "orchestrators",
            [f"orchestrators.{each}" for each in ("names", "story")]
            + ["countersign.approvals.standing", "countersign.steps"],
        ),
        (
            "countersign/proof",  # it can be checked without the service
            [f"countersign.{each}" for each in ("approvals", "bodies", "kinds", "proof")]
            + [f"countersign.operations.{each}" for each in ("refusals", "summary")]
            + [f"countersign.passkeys.{each}" for each in ("errors", "recorded")]
            + ["countersign.platform.base64url"]
            + ["countersign.sources.origin", "countersign.stores.artifacts"],
        ),
        (
            "countersign/platform",  # what everything may stand on
            ["countersign.platform"],
        ),
        ("devhost", ["devhost"]),  # it hosts any app, ours is nothing special
    ],
)
def test_a_package_imports_only_what_it_may(folder: str, allowed: list[str]) -> None:
    strays = [
        (file, module)
        for file, module in imports_below(folder)
        if within(module, *OURS) and not within(module, *allowed)
    ]
    assert strays == []


def test_only_what_works_with_a_service_of_azure_knows_of_it() -> None:
    strays = [
        (file, module)
        for file, module in imports_below("countersign")
        if within(module, "azure") and not Path(file).as_posix().startswith(KNOWS_AZURE)
    ]
    assert strays == []


def test_nothing_below_the_endpoints_knows_that_it_runs_in_functions() -> None:
    functions = ("azure.functions", "azure.durable_functions", "agent_framework_azurefunctions")
    strays = [pair for pair in imports_below("countersign") if within(pair[1], *functions)]
    assert strays == []


def test_only_the_wiring_names_adapters() -> None:
    knowing = {
        file
        for folder in ("countersign", "endpoints", "activities", "orchestrators")
        for file, module in imports_below(folder)
        if module in ADAPTERS and not file.startswith(("countersign/stores", "countersign/sources"))
    }
    assert knowing == {str(Path("countersign/wiring.py"))}


def test_the_app_imports_nothing_that_is_not_shipped() -> None:
    shipped = ("countersign", "endpoints", "activities", "orchestrators")
    strays = [
        pair
        for folder in shipped
        for pair in imports_below(folder)
        if within(pair[1], "devhost", "local", "bench", "samples", "tests")
    ]
    assert strays == []


def test_activities_and_endpoints_do_not_know_each_other() -> None:
    strays = [pair for pair in imports_below("activities") if within(pair[1], "endpoints")]
    strays += [pair for pair in imports_below("endpoints") if within(pair[1], "activities")]
    assert strays == []


def arrows(package: str, table: dict[str, str]) -> dict[str, set[str]]:
    """What the packages and modules of a table import of one another, by their names."""
    found: dict[str, set[str]] = {name: set() for name in table}
    run = set(imports_below(package, with_types=False))
    for file, module in imports_below(package):
        source, target = Path(file).with_suffix("").parts[1], module.split(".")[1:2]
        handed_in = within(module, *HANDED_IN) and (file, module) not in run
        if within(module, package) and source in found and not handed_in:
            found[source] |= {*target} - {source}
    return found


TABLES = pytest.mark.parametrize(
    ("package", "table"), [("countersign", COUNTERSIGN), ("devhost", DEVHOST)]
)


@TABLES
def test_a_package_imports_those_that_its_table_names(package: str, table: dict[str, str]) -> None:
    assert arrows(package, table) == {name: {*below.split()} for name, below in table.items()}


@TABLES
def test_no_package_imports_one_of_a_higher_layer(package: str, table: dict[str, str]) -> None:
    order = list(table)
    above = [
        (name, other)
        for name, below in table.items()
        for other in below.split()
        if order.index(other) >= order.index(name)
    ]
    assert above == []


@TABLES
def test_every_package_is_in_its_table(package: str, table: dict[str, str]) -> None:
    folders = {path.parent.name for path in (ROOT / package).glob("*/*.py")}
    assert folders <= set(table)


def test_every_module_of_countersign_is_in_its_table() -> None:
    modules = {path.stem for path in (ROOT / "countersign").glob("*.py")} - {"__init__"}
    assert modules <= set(COUNTERSIGN)


def test_endpoints_are_handed_their_services() -> None:
    knowing = {
        file for file, module in imports_below("endpoints") if module == "countersign.wiring"
    }
    assert knowing == {str(Path("endpoints", edge)) for edge in ("exchange.py", "timers.py")}
