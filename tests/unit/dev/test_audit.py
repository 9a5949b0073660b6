"""`dev.py audit` says what is known of the locked packages, and never takes silence for safety."""

from __future__ import annotations

import http.server
import json
import os
import threading
from collections.abc import Iterator

import pytest

from local import audit
from local.setup.failure import Failure
from local.tools import tools

SOUND = {"name": "six", "version": "1.17.0", "vulns": []}
SKIPPED = {"name": "yarl", "skip_reason": "Dependency not found on PyPI"}
VULNERABLE = {
    "name": "pypdf",
    "version": "7.1.1",
    "vulns": [{"id": "PYSEC-1", "aliases": ["CVE-1"], "fix_versions": ["7.1.2"]}],
}


@pytest.mark.parametrize(
    ("packages", "code", "told"),
    [
        ([SOUND], audit.CLEAN, "vulnerabilities in 1 locked packages: 0"),
        ([SOUND, VULNERABLE], audit.VULNERABLE, "pypdf 7.1.1: PYSEC-1, CVE-1; fixed in 7.1.2"),
        # an index without PyPI's entries about vulnerabilities
        ([SOUND, SKIPPED], audit.UNKNOWN, "Not checked: 1 locked packages"),
        ([SKIPPED, VULNERABLE], audit.VULNERABLE, "Not checked: 1 locked packages"),
    ],
)
def test_the_exit_code_tells_safe_vulnerable_and_unknown_apart(
    packages: list[dict[str, object]], code: int, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert audit.judged(packages) == code
    assert told in capsys.readouterr().out


def test_nothing_is_said_about_vulnerabilities_if_no_package_was_checked(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert audit.judged([SKIPPED]) == audit.UNKNOWN
    assert "vulnerabilities" not in capsys.readouterr().out


class Osv(http.server.BaseHTTPRequestHandler):
    """Knows of one vulnerability, in one package."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        affected = {"package": {"name": "pypdf", "ecosystem": "PyPI"}, "versions": ["7.1.1"]}
        known = {"id": "PYSEC-1", "summary": "", "aliases": [], "affected": [affected]}
        answer = {"vulns": [known]} if asked["package"]["name"] == "pypdf" else {}
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def osv() -> Iterator[str]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Osv) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/v1/query"
        server.shutdown()


@pytest.fixture(scope="module")
def _pip_audit() -> None:
    try:
        tools()
    except Failure as failure:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(failure))


@pytest.mark.usefixtures("_pip_audit")
@pytest.mark.timeout(900)
def test_pip_audit_asks_about_every_locked_package(
    osv: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = audit.main(["--vulnerability-service", "osv", "--osv-url", osv])
    told = capsys.readouterr().out
    assert code == audit.VULNERABLE
    assert "pypdf 7.1.1: PYSEC-1" in told
    assert "no answer" not in told


@pytest.mark.usefixtures("_pip_audit")
@pytest.mark.timeout(900)
def test_a_service_out_of_reach_is_given_as_the_reason(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    assert audit.main([]) == audit.UNKNOWN
    told = capsys.readouterr()
    assert told.out == ""
    assert "gave no answer" in told.err
    assert "refused" in told.err
