from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[4]
TELL = """
import logging
log = logging.getLogger(__name__)
log.debug('whispered')
log.info('said')
log.warning('warned')
"""
SHOW = "from pathlib import Path; from devhost.worker.logs import running, show_logs"
NONE: Mapping[str, str] = {}


@pytest.fixture
def app(tmp_path: Path) -> Path:
    for folder in ("", ".venv/lib/site-packages", "../elsewhere"):
        place = tmp_path / "app" / folder
        place.mkdir(parents=True)
        (place / f"{place.resolve().name.replace('-', '_')}.py").write_text(TELL)
    return (tmp_path / "app").resolve()


def shown(
    app: Path, *, everything: bool = False, call: str = "", levels: Mapping[str, str] = NONE
) -> list[str]:
    """Return what shows of three modules' logs, during the call of a function if one is named."""
    paths = [
        str((app / each).resolve()) for each in ("", ".venv/lib/site-packages", "../elsewhere")
    ]
    code = (
        f"import sys; sys.path += {[str(ROOT), *paths]!r}\n{SHOW}\n"
        f"show_logs(Path({str(app)!r}), everything={everything}, levels={dict(levels)})\n"
        f"running.set({call!r})\n"
        "import app, site_packages, elsewhere"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stderr.splitlines()


def test_libraries_are_quiet_and_the_app_is_not(app: Path) -> None:
    assert shown(app) == [
        "INFO app: said",
        "WARNING app: warned",
        "WARNING site_packages: warned",
        "WARNING elsewhere: warned",
    ]


def test_everything_shows_on_request(app: Path) -> None:
    lines = shown(app, everything=True)
    assert "INFO site_packages: said" in lines
    assert "INFO elsewhere: said" in lines


@pytest.mark.parametrize(
    ("levels", "own"),
    [
        ({"default": "Warning"}, ["WARNING app: warned"]),
        (
            {"DEFAULT": "warning", "Function": "Information"},
            ["INFO app: said", "WARNING app: warned"],
        ),
        ({"Function": "Error", "Function.words": "Warning"}, ["WARNING app: warned"]),
        ({"Function.words.User": "Error"}, []),
        ({"Function.others": "Error"}, ["INFO app: said", "WARNING app: warned"]),
        ({"default": "None"}, []),
        ({"default": "no level"}, ["INFO app: said", "WARNING app: warned"]),
        (
            {"Function.Words": "Debug"},
            ["DEBUG app: whispered", "INFO app: said", "WARNING app: warned"],
        ),
    ],
)
def test_a_functions_logs_show_from_the_level_that_host_json_names(
    app: Path, levels: dict[str, str], own: list[str]
) -> None:
    lines = shown(app, call="Words", levels=levels)
    assert [line for line in lines if " app: " in line] == own
    assert "INFO site_packages: said" not in lines
