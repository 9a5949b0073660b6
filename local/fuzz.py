"""Send the app what its description allows and what it forbids, as each kind of person.

`python3 dev.py fuzz [--seconds N] [--seed N] [--role ROLE ...]` runs the app on a host of its own
with an order and a report that wait for a decision, and Schemathesis against it
(https://schemathesis.readthedocs.io), which prints what it finds. `--properties` first tries many
more documents, tokens, proofs and checkpoints than the tests do.

Exit codes: 0, nothing was found; 1, something was; 2, nothing was run.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx

from devhost.errors import HostError
from local.demo_purchase import REQUEST
from local.settings import APP
from local.setup.failure import DEV, Failure
from local.stage import DemoFailed, caller, running_host, token, wait_for
from local.tools import tools

ROLES = (
    "",
    "Research.Requester",
    "Report.Reviewer",
    "Purchase.Requester",
    "Purchase.Approver",
    "Operator",
    "Auditor",
)
"""One run each; the first is somebody without a token."""

CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_schema_conformance",
)
PROPERTIES = (
    "-m",
    "pytest",
    "-q",
    "--hypothesis-profile=fuzz",
    "--timeout=3600",
    "tests/unit/sources/test_any_document.py",
    "tests/unit/identity/test_tokens.py",
    "tests/unit/proof/test_mutated.py",
    "tests/graph/test_any_checkpoint.py",
)

NO_PURCHASING = {"COUNTERSIGN_PURCHASING_URL": "http://127.0.0.1:9"}
"""Nothing listens there, so no order can be placed."""

SECONDS = 900
_PATIENCE_SECONDS = 20


def main(argv: Sequence[str]) -> int:
    """Run it once for each role and return the exit code."""
    args = _arguments(argv)
    if args.properties and subprocess.call([sys.executable, *PROPERTIES], cwd=APP):
        return 1
    try:
        fuzzer = _fuzzer()
        with (
            tempfile.TemporaryDirectory() as folder,
            running_host(Path(folder), NO_PURCHASING) as host,
        ):
            schema = _prepared(host.port, Path(folder))
            seconds = max(1, args.seconds // len(args.role))
            found = [
                _found(fuzzer, schema, host.port, _token(Path(folder), role), seconds, args.seed)
                for role in args.role
            ]
    except (Failure, HostError, DemoFailed, httpx.HTTPError) as failure:
        print(f"dev.py: {failure}, and then run `{DEV} fuzz` again", file=sys.stderr)
        return 2
    return int(any(found))


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="dev.py fuzz", description=__doc__)
    parser.add_argument("--seconds", type=int, default=SECONDS, help="for all roles together")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(1_000_000))
    parser.add_argument("--properties", action="store_true", help="takes half an hour more")
    parser.add_argument("--role", action="append", choices=ROLES, help="only these roles")
    args = parser.parse_args(argv)
    args.role = args.role or ROLES
    return args


def _fuzzer() -> Path:
    fuzzer = tools().python.with_name("st.exe" if os.name == "nt" else "st")
    if not fuzzer.exists():
        raise Failure("Schemathesis needs Python 3.11 or newer: delete .tools and use such a one")
    return fuzzer


def _token(data: Path, role: str) -> str:
    return token(data, "Fuzz", role) if role else ""


def _prepared(port: int, data: Path) -> Path:
    """Return the description, with the ids of what there is; somebody else has asked for both."""
    requester = caller(port, token(data, "Ada", "Research.Requester"))
    about = {"topic": "Replay", "subtopics": ["Replay"]}
    report = requester.post("/api/research", json=about).json()
    buyer = caller(port, token(data, "Ada", "Purchase.Requester"))
    order = buyer.post("/api/purchases", json=REQUEST).json()
    ids = [each["operation_id"] for each in (report, order)]
    for person, name in zip((requester, buyer), ids, strict=True):
        wait_for(person, f"/api/operations/{name}", "awaiting_approval")
    document = caller(port).get("/api/openapi.json").json()
    for call in (call for path in document["paths"].values() for call in path.values()):
        for parameter in call.get("parameters", ()):
            _suggest(parameter, ids)
    file = data / "openapi.json"
    file.write_text(json.dumps(document), "utf-8")
    return file


def _suggest(parameter: dict[str, Any], ids: Sequence[str]) -> None:
    examples: Mapping[str, Sequence[Any]] = {"id": ids, "version": [1]}
    if parameter.get("in") == "path" and parameter["name"] in examples:
        known = examples[parameter["name"]]
        parameter["examples"] = {str(each): {"value": each} for each in known}


def _found(fuzzer: Path, schema: Path, port: int, bearer: str, seconds: int, seed: int) -> bool:
    """Return whether a run found something."""
    command = [str(fuzzer), "run", str(schema), "--url", f"http://127.0.0.1:{port}/api"]
    command += ["--checks", ",".join(CHECKS), "--max-time", str(seconds), "--seed", str(seed)]
    command += [
        "--phases",
        "examples,coverage,fuzzing",
        "--request-timeout",
        str(_PATIENCE_SECONDS),
    ]
    command += ["--suppress-health-check", "all", "--warnings", "off", "--continue-on-failure"]
    command += ["--header", f"Authorization:Bearer {bearer}"] if bearer else []
    done = subprocess.run(command, cwd=schema.parent, check=False)
    if done.returncode not in {0, 1}:
        raise Failure(f"Schemathesis could not run ({done.returncode})")
    return done.returncode == 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
