from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
TELL = (
    "import logging\nlog = logging.getLogger(__name__)\nlog.info('said')\nlog.warning('warned')\n"
)
SHOW = "from pathlib import Path; from devhost.logs import show_logs"


@pytest.fixture
def app(tmp_path: Path) -> Path:
    for folder in ("", ".venv/lib/site-packages", "../elsewhere"):
        place = tmp_path / "app" / folder
        place.mkdir(parents=True)
        (place / f"{place.resolve().name.replace('-', '_')}.py").write_text(TELL)
    return (tmp_path / "app").resolve()


def shown(app: Path, *, everything: bool) -> list[str]:
    paths = [
        str((app / each).resolve()) for each in ("", ".venv/lib/site-packages", "../elsewhere")
    ]
    code = (
        f"import sys; sys.path += {[str(ROOT), *paths]!r}\n{SHOW}\n"
        f"show_logs(Path({str(app)!r}), everything={everything})\n"
        "import app, site_packages, elsewhere"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stderr.splitlines()


def test_libraries_are_quiet_and_the_app_is_not(app: Path) -> None:
    assert shown(app, everything=False) == [
        "INFO app: said",
        "WARNING app: warned",
        "WARNING site_packages: warned",
        "WARNING elsewhere: warned",
    ]


def test_everything_shows_on_request(app: Path) -> None:
    lines = shown(app, everything=True)
    assert "INFO site_packages: said" in lines
    assert "INFO elsewhere: said" in lines
