from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import jwt
import pytest

from devhost.process import HostFailed, free_port
from local.issuer import IssuerProcess
from local.settings import APP


@pytest.fixture
def issuer(tmp_path: Path) -> Iterator[IssuerProcess]:
    with (tmp_path / "issuer.log").open("w") as output:
        process = IssuerProcess(data=tmp_path / "data", port=free_port(), output=output)
        process.start()
        yield process
        process.kill()


def test_its_keys_are_those_of_the_tokens_of_its_folder(
    issuer: IssuerProcess, tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "devhost", "token", "--data", str(tmp_path / "data")]
    made = subprocess.run(
        [*command, "--as", "Ada"], cwd=APP, capture_output=True, text=True, check=True
    )
    keys = jwt.PyJWKSet.from_dict(httpx.get(f"{issuer.url}/.auth/dev/jwks").json())
    token = made.stdout.strip()
    key = keys[jwt.get_unverified_header(token)["kid"]]
    claims = jwt.decode(token, key, ["RS256"], audience="urn:devhost:app")
    assert claims["name"] == "Ada"


def test_people_sign_in_there_and_are_told_their_token(issuer: IssuerProcess) -> None:
    with httpx.Client(base_url=issuer.url, follow_redirects=True, trust_env=False) as browser:
        assert "Sign in" in browser.get("/").text
        form = {"name": "Ada", "tenant": "home", "roles": "Report.Reviewer"}
        [me] = browser.post("/.auth/login/dev", data=form).json()
    assert jwt.decode(me["id_token"], options={"verify_signature": False})["name"] == "Ada"


def test_it_answers_nobody_from_elsewhere(issuer: IssuerProcess) -> None:
    answer = httpx.get(f"{issuer.url}/.auth/login/dev", headers={"Host": "evil.example"})
    assert answer.status_code == 403


def test_one_that_can_t_start_is_said_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("no folder")
    process = IssuerProcess(data=tmp_path / "data", port=free_port())
    with pytest.raises(HostFailed, match="the sign-in ended with exit code"):
        process.start()


def test_a_taken_port_is_said(issuer: IssuerProcess, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "devhost", "signin", "--data", str(tmp_path)]
    second = subprocess.run(
        [*command, "--port", str(issuer.port)], cwd=APP, capture_output=True, text=True, check=False
    )
    assert second.returncode == 2
    assert f"port {issuer.port} is taken" in second.stderr
