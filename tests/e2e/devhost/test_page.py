"""The page at `/`, and what it asks the host for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .conftest import ROOT, RunningHost

PAGE = ROOT / "devhost" / "page"


def test_the_page_is_served_under_a_strict_policy(host: RunningHost) -> None:
    answer = host.http.get("/")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_everything_it_loads_comes_from_the_host(host: RunningHost) -> None:
    html = host.http.get("/").text
    loaded = re.findall(r'(?:src|href)="([^"]+)"', html)
    assert len(loaded) == 4
    for path in set(loaded):
        assert host.http.get(path).status_code == 200
    assert "<script>" not in html
    assert "style=" not in html


def test_nothing_from_the_app_can_become_html() -> None:
    script = (PAGE / "page.js").read_text()
    for way in (
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "srcdoc",
    ):
        assert way not in script


def test_functions_are_listed_with_routes_and_schedules(host: RunningHost) -> None:
    overview = host.http.get("/devhost/overview").json()
    functions = {each["name"]: each for each in overview["functions"]}
    assert functions["ring"]["methods"] == ["POST"]
    assert functions["ring"]["path"] == "/api/raise/{id}/{event}"
    assert functions["yearly"]["schedule"] == "%YEARLY%"
    assert functions["yearly"]["next"].endswith("-01-01T00:00:00.0000000Z")
    assert functions["chain"]["kind"] == "orchestration"
    assert (overview["virtual"], overview["broken"]) == (False, False)


def test_instances_are_listed_by_what_changed_last(host: RunningHost) -> None:
    waiting, failed = host.begin("listener"), host.begin("unhandled")
    host.reached(waiting, "Running")
    host.ended(failed)
    overview = host.http.get("/devhost/overview").json()
    assert overview["instances"][0] == {
        "id": failed,
        "name": "unhandled",
        "status": "Failed",
        "created": overview["instances"][0]["created"],
        "updated": overview["instances"][0]["updated"],
    }
    only = host.http.get("/devhost/overview", params={"status": "Running"}).json()
    assert {each["status"] for each in only["instances"]} == {"Running"}
    assert waiting in {each["id"] for each in only["instances"]}
    assert only["counts"]["Failed"] >= 1


def test_a_timeline_tells_what_an_instance_went_through(host: RunningHost) -> None:
    instance = host.begin("exhausted")
    host.ended(instance)
    course = host.http.get(f"/devhost/timeline/{instance}").json()
    told = [(span["what"], span["name"], span["outcome"]) for span in course["spans"]]
    assert told == [
        ("started", "", "done"),
        ("activity", "fail", "failed"),
        ("timer", "", "done"),
        ("activity", "fail", "failed"),
        ("timer", "", "done"),
        ("activity", "echo", "done"),
        ("ended", "", "done"),
    ]
    assert "KeyError" in course["spans"][1]["reason"]
    assert course["output"].startswith('["Activity function')


@pytest.mark.parametrize("name", ["nobody", "..%2f..%2fhost.py", "a'%20OR%201=1"])
def test_an_instance_that_does_not_exist_has_no_timeline(host: RunningHost, name: str) -> None:
    answer = host.http.get(f"/devhost/timeline/{name}")
    assert answer.status_code == 404


def test_an_app_may_have_the_root_for_itself(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "host.json").write_text(
        '{"version": "2.0", "extensions": {"http": {"routePrefix": ""}}}'
    )
    (source / "function_app.py").write_text(
        "import azure.functions as func\n"
        "app = func.FunctionApp(http_auth_level=func.AuthLevel.ANONYMOUS)\n"
        "@app.route('/', methods=['GET'])\n"
        "def home(req: func.HttpRequest) -> str:\n"
        "    return 'my own page'\n"
    )
    host = RunningHost(tmp_path, app=source)
    host.start()
    assert host.http.get("/").text == "my own page"
    host.stop()


def test_an_open_page_leaves_the_console_alone(host: RunningHost) -> None:
    host.http.get("/devhost/overview")
    host.http.get("/api/text")
    host.until(lambda: "GET /api/text 200" in host.output)
    assert "/devhost/overview" not in host.output
