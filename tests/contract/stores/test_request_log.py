"""What Azure's libraries log of the requests that the stores send."""

import json
import os
import subprocess
import sys
from pathlib import Path
from uuid import uuid4

import pytest

ROOT = Path(__file__).parents[3]
REQUESTS = "azure.core.pipeline.policies.http_logging_policy"

# As the Functions worker does, which takes what is logged from INFO on. All that is logged from the
# import of the app on is told by its logger; the stores are those that the settings name.
SCRIPT = """
import asyncio, json, logging, os
logged = set()

class Seen(logging.Handler):
    def emit(self, record):
        logged.add(record.name)

logging.basicConfig(level=logging.INFO, handlers=[Seen()])

import function_app
from countersign.wiring import services

async def look_around():
    stores = services()
    await stores.operations.load("home", "research-1")
    await stores.artifacts.put("home", b"a draft")
    await stores.artifacts.recall("home", "plan")
    await stores.reports.find(tenant="home", operation_id="research-1")

asyncio.run(look_around())
print(json.dumps(sorted(logged)))
"""


def loggers(azurite: str, data: Path, **settings: str) -> list[str]:
    """The loggers that were heard while each store was asked once."""
    account = {
        "COUNTERSIGN_DATA": str(data),
        "COUNTERSIGN_STORAGE": azurite,
        "COUNTERSIGN_STORAGE_PREFIX": f"t{uuid4().hex[:20]}",
        "COUNTERSIGN_TOKEN_ISSUER": "urn:x",
        "COUNTERSIGN_TOKEN_CLIENTS": "any",
        "COUNTERSIGN_TOKEN_AUDIENCE": "urn:x",
        "COUNTERSIGN_TOKEN_JWKS": "http://127.0.0.1:9/jwks",
    }
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={**os.environ, **account, **settings},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_no_request_to_the_stores_is_logged(azurite: str, tmp_path: Path) -> None:
    assert [name for name in loggers(azurite, tmp_path) if name.startswith("azure")] == []


@pytest.mark.parametrize(("level", "shown"), [("info", True), ("error", False)])
def test_who_asks_for_the_requests_sees_them(
    azurite: str, tmp_path: Path, level: str, shown: bool
) -> None:
    assert (REQUESTS in loggers(azurite, tmp_path, AZURE_LOG_LEVEL=level)) is shown
