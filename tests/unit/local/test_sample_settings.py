"""Bare `func start` works with the sample settings and the programs that docs/develop.md starts."""

from __future__ import annotations

import json
import re
from pathlib import PurePosixPath

import pytest

from countersign.destinations.purchasing import Purchasing
from countersign.proof.keys import ProofKey
from countersign.settings import read_settings
from local import issuer, purchasing
from local.backend import AZURE_STORAGE, SCHEDULER
from local.settings import APP

MANUAL = (APP / "docs" / "develop.md").read_text("utf-8")


@pytest.fixture(scope="module")
def sample() -> dict[str, str]:
    return json.loads((APP / "local.settings.sample.json").read_text("utf-8"))["Values"]


def started(program: str) -> dict[str, str]:
    """The options with which docs/develop.md starts a program by hand."""
    found = re.search(rf"^python -m {program} (.*?) +&", MANUAL, re.MULTILINE)
    assert found, program
    return dict(re.findall(r"--(\w+) (\S+)", found[1]))


def test_people_come_in_and_orders_go_out_as_the_manual_starts_it(sample: dict[str, str]) -> None:
    settings = read_settings(sample)
    assert settings.tokens.jwks == f"http://127.0.0.1:{issuer.USUAL_PORT}/.auth/dev/jwks"
    assert isinstance(settings.purchasing, Purchasing)
    assert settings.purchasing.url.rstrip("/") == f"http://127.0.0.1:{purchasing.USUAL_PORT}"
    assert isinstance(settings.proof_key, ProofKey)
    assert settings.proof_key.development
    assert settings.account is None
    for program in ("devhost signin", "samples.purchasing"):
        assert "port" not in started(program)


def test_tokens_come_from_the_folder_of_the_sign_in(sample: dict[str, str]) -> None:
    folder = started("devhost signin")["data"]
    assert f"dev.py token --data {folder} " in MANUAL
    assert sample["COUNTERSIGN_DATA"] == folder


def test_no_folder_appears_beside_host_json_once_the_host_runs(sample: dict[str, str]) -> None:
    kept = PurePosixPath(sample["COUNTERSIGN_DATA"])
    # `OnFileChanged` of the host's FileMonitoringService looks at the names of these folders.
    assert PurePosixPath(started("devhost signin")["data"]).parts[0] == kept.parts[0]
    assert MANUAL.index("python -m devhost signin") < MANUAL.index("\nfunc start\n")


def test_orchestrations_are_kept_where_nothing_but_azurite_is_needed(
    sample: dict[str, str],
) -> None:
    assert AZURE_STORAGE.settings.items() <= sample.items()
    [connection] = [name for name in SCHEDULER.settings if name.startswith("DURABLE_TASK")]
    assert sample[connection] == SCHEDULER.settings[connection]
    assert sample["AzureWebJobsStorage"] == "UseDevelopmentStorage=true"


def test_azurite_is_the_version_that_dev_py_installs() -> None:
    package = json.loads((APP / "local" / "npm" / "azurite" / "package.json").read_text("utf-8"))
    assert f"npx --yes azurite@{package['dependencies']['azurite']} " in MANUAL
