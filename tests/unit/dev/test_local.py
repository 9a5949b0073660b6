import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from devhost.process import is_free
from local.settings import APP


def play_demo(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    # The demo keeps what it made, and these settings are none of its business.
    foreign = {
        "COUNTERSIGN_MODEL_PROVIDER": "openai",
        "COUNTERSIGN_PURCHASING_URL": "https://purchasing.example",
        "COUNTERSIGN_PURCHASE_LIMITS": "CHF 1 2",
    }
    return subprocess.run(
        [sys.executable, "-m", "local.demo", *options],
        cwd=APP,
        env={**os.environ, **foreign, "TMPDIR": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_demo_carries_an_approval_through_a_killed_host(tmp_path: Path) -> None:
    demo = play_demo(tmp_path)
    assert demo.returncode == 0, demo.stderr
    assert "The same version is pending, with the same digest and deadline." in demo.stdout
    assert len(list(tmp_path.glob("countersign-demo-*/reports/home/*.md"))) == 1


def test_the_other_demo_carries_an_order_through_a_lost_answer(tmp_path: Path) -> None:
    demo = play_demo(tmp_path, "--purchase")
    assert demo.returncode == 0, demo.stdout + demo.stderr
    assert "Exactly one order, as approved." in demo.stdout


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGTERM; stop it there with Ctrl-C")
def test_start_serves_until_it_is_stopped_and_leaves_nothing_running(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "local.start", "--data", str(tmp_path)]
    with subprocess.Popen(command, cwd=APP, stdout=subprocess.PIPE, text=True) as start:
        assert start.stdout is not None
        told = "".join(iter(start.stdout.readline, "or in PowerShell:\n"))
        address = re.search(r"health +(http://127\.0\.0\.1:(\d+)\S+)", told)
        assert address
        with urllib.request.urlopen(address[1]) as answer:  # noqa: S310 - it is http
            assert answer.status == 200
        orders = re.search(r"orders +(http://127\.0\.0\.1:(\d+)\S+)", told)
        assert orders
        with urllib.request.urlopen(orders[1]) as answer:  # noqa: S310 - it is http
            assert json.load(answer) == {"orders": []}
        start.send_signal(signal.SIGTERM)
        start.stdout.read()
    assert start.returncode == 0
    assert all(is_free(int(port)) for port in (address[2], orders[2]))


@pytest.mark.parametrize(
    ("setting", "value", "told"),
    [
        ("COUNTERSIGN_WINDOW_SECONDS", "soon", "COUNTERSIGN_WINDOW_SECONDS"),
        ("COUNTERSIGN_MODEL_PROVIDER", "openai", "COUNTERSIGN_MODEL_KEY"),
        ("COUNTERSIGN_LIBRARY", "nowhere", "nowhere is not a folder"),
        ("COUNTERSIGN_PURCHASE_LIMITS", "EUR much", "COUNTERSIGN_PURCHASE_LIMITS"),
        ("COUNTERSIGN_PURCHASING_TOKEN", "secret", "COUNTERSIGN_PURCHASING_URL is missing"),
    ],
)
def test_start_refuses_settings_with_which_the_first_request_would_fail(
    tmp_path: Path, setting: str, value: str, told: str
) -> None:
    start = subprocess.run(
        [sys.executable, "-m", "local.start", "--data", str(tmp_path)],
        cwd=APP,
        env={**os.environ, setting: value},
        capture_output=True,
        text=True,
        check=False,
    )
    assert start.returncode == 1
    assert told in start.stderr
    assert "Traceback" not in start.stderr
