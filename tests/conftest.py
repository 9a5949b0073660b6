"""The host that tests run the app on, and the people at it.

By default it is the local development host. With `--host func` it is the Functions host of Azure
Functions Core Tools, with Azurite beside it, and only the tests that need a host are run. So they
are with `--weather azure-storage`, on the local host, which then delivers late, twice and out of
order.
"""

from __future__ import annotations

import contextlib
import functools
import os
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path

import hypothesis
import pytest

from devhost.engine.weather import AZURE_STORAGE
from local.api_types import openapi_package
from local.azurite import Azurite
from local.azurite_package import AzuritePackage
from local.backend import PROVIDER
from local.errors import Missing
from local.func import find_func
from local.node import find_node
from testbed.buyers import Buyers
from testbed.cosmos import cosmos_package
from testbed.desk import Desk
from testbed.func_host import FuncHost
from testbed.host import ROOT, Host
from testbed.openid import provider_package
from testbed.purchasing import PurchasingService

pytest_plugins = ("testbed.files", "testbed.listener", "testbed.site", "testbed.whole_run")

# A machine that is busy with other tests proves nothing about how long one example takes.
hypothesis.settings.register_profile("claims", deadline=None)
hypothesis.settings.register_profile("fuzz", deadline=None, max_examples=2_000)
hypothesis.settings.load_profile("claims")

DEVHOST_TESTS = Path(__file__).parent / "e2e" / "devhost"
FUNC_TIMEOUT_SECONDS = 900


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--host",
        choices=("devhost", "func"),
        default="devhost",
        help="what runs the app: the local development host, or Azure Functions Core Tools",
    )
    parser.addoption(
        "--model",
        metavar="small|tiny|FILE.gguf",
        help="run only the tests that ask this language model, on this machine",
    )
    parser.addoption(
        "--weather",
        choices=("fair", AZURE_STORAGE),
        default="fair",
        help="how kind the local development host is; any but fair runs only what needs a host",
    )
    parser.addoption(
        "--weather-seed",
        type=int,
        default=secrets.randbelow(1_000_000),
        help="what the weather is drawn from, by default another seed each time",
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--host") == "func":
        try:
            find_func()
            find_node()
        except Missing as missing:
            raise pytest.UsageError(str(missing)) from None


def pytest_report_header(config: pytest.Config) -> str:
    seed = config.getoption("--weather-seed")
    return "" if is_fair(config) else f"weather: {AZURE_STORAGE}, --weather-seed {seed}"


def is_fair(config: pytest.Config) -> bool:
    return config.getoption("--weather") == "fair"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """On another host than the fair one, leave what needs none, and skip what needs that one."""
    asks_a_model = config.getoption("--model") is not None
    keep(config, items, lambda item: bool(item.get_closest_marker("real_model")) is asks_a_model)
    if config.getoption("--host") == "func":
        keep_to_core_tools(config, items)
    elif is_fair(config):
        keep(config, items, lambda item: item.get_closest_marker("thorough") is None)
    else:
        keep(config, items, is_told_in_weather)
        for item in items:
            if mark := item.get_closest_marker("fair_only"):
                item.add_marker(pytest.mark.skip(reason=f"only in fair weather: {mark.args[0]}"))


def keep(
    config: pytest.Config, items: list[pytest.Item], wanted: Callable[[pytest.Item], bool]
) -> None:
    config.hook.pytest_deselected(items=[item for item in items if not wanted(item)])
    items[:] = [item for item in items if wanted(item)]


def is_told_in_weather(item: pytest.Item) -> bool:
    if item.get_closest_marker("thorough"):
        return True
    return needs_host(item) and DEVHOST_TESTS not in item.path.parents


def keep_to_core_tools(config: pytest.Config, items: list[pytest.Item]) -> None:
    keep(config, items, needs_host)
    for item in items:
        item.add_marker(pytest.mark.timeout(FUNC_TIMEOUT_SECONDS))
        mark = item.get_closest_marker("devhost_only")
        if mark:
            item.add_marker(pytest.mark.skip(reason=f"only devhost: {mark.args[0]}"))
        elif DEVHOST_TESTS in item.path.parents:
            item.add_marker(pytest.mark.skip(reason="only devhost: it is what is tested here"))


def pytest_collection_finish(session: pytest.Session) -> None:
    """Install what tests need from npm, here where no test's time is running."""
    collected = {name for item in session.items for name in getattr(item, "fixturenames", ())}
    packages = [AzuritePackage()] if "azurite" in collected else []
    packages += [provider_package()] if "new_provider" in collected else []
    packages += [cosmos_package()] if "emulator" in collected else []
    packages += [openapi_package()] if "typescript" in collected else []
    for package in [] if session.config.getoption("collectonly") else packages:
        # Without it the tests themselves say why, or fail where they must not be skipped.
        with contextlib.suppress(Missing):
            package.make_ready()


def needs_host(item: pytest.Item) -> bool:
    names = item.fixturenames if isinstance(item, pytest.Function) else ()
    return "new_host" in names or DEVHOST_TESTS in item.path.parents


@pytest.fixture(scope="session")
def azurite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The connection string of an Azurite that all tests of a process share."""
    server = Azurite(tmp_path_factory.mktemp("azurite"))
    try:
        server.start()
    except Missing as missing:
        if os.environ.get("COUNTERSIGN_REQUIRE_AZURITE"):
            raise
        pytest.skip(str(missing))
    yield server.connection_string
    server.stop()


@pytest.fixture(scope="session")
def new_host(request: pytest.FixtureRequest) -> Callable[..., Host]:
    """What makes a host of the kind that `--host` names."""
    config = request.config
    if config.getoption("--host") == "devhost":
        return Host if is_fair(config) else in_weather(str(config.getoption("--weather-seed")))
    return functools.partial(FuncHost, storage=request.getfixturevalue("azurite"))


def in_weather(seed: str) -> Callable[..., Host]:
    """What makes a host on which what a killed one had in hand is hidden for a second only."""
    hidden = {
        f"{PROVIDER}{queue}QueueVisibilityTimeout": "00:00:01" for queue in ("control", "workItem")
    }
    options = ["--weather", AZURE_STORAGE, "--weather-seed", seed]
    return functools.partial(Host, options=options, **hidden)


@pytest.fixture(scope="session")
def shared_host(
    new_host: Callable[..., Host], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Host]:
    """One host for all tests that don't kill it or need settings of their own."""
    host = new_host(tmp_path_factory.mktemp("host") / "data").start()
    yield host
    host.close()


@pytest.fixture(scope="session")
def desk(shared_host: Host) -> Desk:
    """The people of one tenant at the shared host."""
    return Desk(shared_host)


@pytest.fixture(scope="session")
def platform_desk(
    new_host: Callable[..., Host], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Desk]:
    """People at a host where the platform in front of the app signs browsers in."""
    data = tmp_path_factory.mktemp("platform") / "data"
    host = new_host(data, COUNTERSIGN_SIGN_IN="platform").start()
    yield Desk(host)
    host.close()


@pytest.fixture(scope="session")
def virtual_desk(
    new_host: Callable[..., Host], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Desk]:
    """People at a host whose time only moves by `advance`; their tokens are good for weeks."""
    host = new_host(tmp_path_factory.mktemp("virtual") / "data", clock="virtual").start()
    yield Desk(host, lifetime=50 * 86400.0)
    host.close()


@pytest.fixture(scope="session")
def purchasing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PurchasingService]:
    """The purchasing service of all buyers who don't plan its faults."""
    with PurchasingService(tmp_path_factory.mktemp("purchasing")) as service:
        yield service


@pytest.fixture(scope="session")
def buyers(
    new_host: Callable[..., Host],
    purchasing: PurchasingService,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Buyers]:
    """Buyers at a host whose time only moves by `advance`; their tokens are good for weeks."""
    data = tmp_path_factory.mktemp("buyers") / "data"
    settings = {
        "COUNTERSIGN_SIGN_IN": "platform",
        "COUNTERSIGN_PURCHASING_URL": purchasing.url,
        "COUNTERSIGN_PASSKEYS_REQUIRED": "CHF 100",
    }
    host = new_host(data, clock="virtual", **settings).start()
    yield Buyers(host, lifetime=50 * 86400.0)
    host.close()


@pytest.fixture
def make_host(new_host: Callable[..., Host], tmp_path: Path) -> Iterator[Callable[..., Host]]:
    """Makes hosts of a test's own, with settings of its own; they end with the test."""
    hosts: list[Host] = []

    def make(
        *, app: Path = ROOT, clock: str = "system", reload: bool = False, **settings: str
    ) -> Host:
        data = tmp_path / f"data-{len(hosts)}"
        hosts.append(new_host(data, app=app, clock=clock, reload=reload, **settings))
        return hosts[-1]

    yield make
    for host in hosts:
        host.close()


@pytest.fixture
def desk_at() -> Callable[..., Desk]:
    """Makes the people of a tenant at a host."""
    return Desk
