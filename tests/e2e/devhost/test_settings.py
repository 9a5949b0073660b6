"""What host.json and the settings ask for, at a host that runs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from .conftest import SETTINGS, RunningHost

if TYPE_CHECKING:
    from pathlib import Path

HOST = """\
{
  "version": "2.0",
  "extensions": {
    "http": {
      "routePrefix": "api",
      "maxOutstandingRequests": 2,
      "customHeaders": {"X-Content-Type-Options": "nosniff", "Content-Type": "never/seen"}
    },
    "queues": {"batchSize": 8}
  },
  "telemetryMode": "OpenTelemetry"
}
"""
VALUES = {
    **SETTINGS,
    "PYTHON_SCRIPT_FILE_NAME": "main.py",
    "AzureFunctionsJobHost__extensions__http__ROUTEPREFIX": "v2",
    "AzureFunctionsJobHost__extensions__durableTask__hubName": "%HUB%",
    "AzureWebJobs.nothing.Disabled": "true",
    "AzureWebJobs_echo_Disabled": "1",
    "AzureWebJobs.DIARY.Disabled": "1",
    "AzureWebJobs.yearly.Disabled": "True",
}


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningHost]:
    host = RunningHost(tmp_path_factory.mktemp("host"))
    (host.app / "function_app.py").rename(host.app / "main.py")
    (host.app / "host.json").write_text(HOST)
    own = {"Values": VALUES, "Host": {"CORS": "https://pages.example"}}
    # The SDK itself reads host.json, and takes no comments.
    (host.app / "local.settings.json").write_text(f"// Ours\n{json.dumps(own)}")
    host.start()
    yield host
    host.stop()


def test_a_setting_goes_before_host_json(host: RunningHost) -> None:
    assert host.http.get("/v2/text").text == "plain"
    assert host.http.get("/api/text").status_code == 404


def test_every_answer_of_a_function_has_the_headers_of_host_json(host: RunningHost) -> None:
    answer = host.http.get("/v2/text")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-type"].startswith("text/plain")
    assert host.http.get("/v2/broken").headers["x-content-type-options"] == "nosniff"


def test_more_requests_than_may_be_outstanding_are_refused(host: RunningHost) -> None:
    with ThreadPoolExecutor() as pool:
        waiting = [pool.submit(host.http.get, "/v2/wait/throttle", timeout=60) for _ in range(2)]
        host.until(lambda: host.marked("throttle") == 2)
        refused = host.http.get("/v2/text")
        host.release("throttle")
        assert [each.result().status_code for each in waiting] == [200, 200]
    assert (refused.status_code, refused.headers["x-function-scaleout"]) == (429, "1")
    assert host.http.get("/v2/text").status_code == 200


def test_the_app_is_told_where_it_runs(host: RunningHost) -> None:
    seen = host.http.get("/v2/environment").json()
    assert seen["AZURE_FUNCTIONS_ENVIRONMENT"] == "Development"
    assert f"http://{seen['WEBSITE_HOSTNAME']}" == host.url


def test_pages_of_the_origins_that_are_named_may_call(host: RunningHost) -> None:
    origin = {"Origin": "https://pages.example", "Sec-Fetch-Site": "cross-site"}
    answer = host.http.get("/v2/text", headers=origin)
    assert answer.headers["access-control-allow-origin"] == "https://pages.example"
    asking = {**origin, "Access-Control-Request-Method": "PUT"}
    assert host.http.options("/v2/text", headers=asking).status_code == 200
    other = {"Origin": "https://other.example"}
    assert host.http.get("/v2/text", headers=other).status_code == 403
    rebound = {**origin, "Host": "rebound.example"}
    assert host.http.get("/v2/text", headers=rebound).status_code == 403


def test_what_is_disabled_does_not_run(host: RunningHost) -> None:
    assert host.http.get("/v2/nothing").status_code == 404
    assert host.http.post("/admin/functions/yearly", json={}).status_code == 404
    for orchestrator, given in (
        ("one_activity", ["echo", 1]),
        ("one_operation", ["diary", "k", "write"]),
    ):
        path = f"/durabletask/orchestrators/{orchestrator}"
        begun = host.http.post(path, json=json.dumps(given)).json()["id"]
        assert "is disabled" in str(host.ended(begun)["output"])
    assert host.output.count("nothing is disabled\n") == 1


def test_what_has_no_effect_is_named_in_one_line(host: RunningHost) -> None:
    lines = [line for line in host.output.splitlines() if "without effect here" in line]
    assert [line.partition("here: ")[2] for line in lines] == ["extensions.queues"]


def test_an_app_without_a_host_json_does_not_start(tmp_path: Path) -> None:
    host = RunningHost(tmp_path)
    (host.app / "host.json").unlink()
    host.start()
    assert host.process.wait(60) == 2
    assert "has no host.json" in host.output
