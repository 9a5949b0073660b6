#!/usr/bin/env python3
"""Set up, run, try and check Countersign.

  python3 dev.py start [--func] [--storage azurite] [--model small] [--port N] [--data DIR]
                       [--library DIR]
  python3 dev.py demo  [--purchase]
  python3 dev.py doctor
  python3 dev.py verify FILE [--key KEY ...] [--report FILE]
  python3 dev.py test  [--thorough] [--host func] [--weather azure-storage] [--model small]
                       [PYTEST OPTIONS]
  python3 dev.py check [PATHS]
  python3 dev.py bench {host,start} [--quick]
  python3 dev.py bench evidence [--model MODEL ...] [--questions N] [--results DIR]
  python3 dev.py graph run TOPIC | list | show ID | answer ID … | resume ID | withdraw ID
  python3 dev.py purchasing --data DIR [--port N] [--without {key,lookup}] [--token TOKEN]
  python3 dev.py screenshots
  python3 dev.py token --as NAME --role ROLE [--role ROLE ...] [--tenant TENANT] [--data DIR]

The first run makes `.venv` with Python 3.10, 3.11 or 3.12 and installs the pinned packages into
it; then the commands run inside. Relative paths count from the folder of this file.
"""

# Whatever Python starts this file must get far enough to say which one is missing, so until the
# .venv takes over it keeps to the standard library and the syntax of Python 3.8.
from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent
SUPPORTED = ("3.12", "3.11", "3.10")

# A Debian Python without its venv package lacks ensurepip, and a pyenv shim may lead nowhere.
PROBE = """
import ensurepip, sys
print(sys.executable if "%d.%d" % sys.version_info[:2] in sys.argv[1:] else "")
"""


class Failure(Exception):
    """Why a command ends here, as a sentence for the person at the terminal."""


class Virtualenv:
    """The `.venv` of a folder, holding what the folder's requirements files ask for.

    Args:
        root: The folder with `requirements-dev.txt` and the other files that it names.
    """

    def __init__(self, root: Path) -> None:
        self.folder = root / ".venv"
        self.python = self.folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        self._wanted = root / "requirements-dev.txt"
        self._requirements = sorted(root.glob("requirements*.txt"))
        self._stamp = self.folder / "installed.sha256"

    def make_ready(self) -> None:
        """Create and fill the folder unless that is done; processes that both try take turns.

        Raises:
            Failure: There is no suitable Python, or a package could not be installed.
        """
        if self._is_ready():
            return
        with self._alone():
            if not self._is_ready():
                self._install()

    def _is_ready(self) -> bool:
        return (
            self.python.exists()
            and self._stamp.exists()
            and self._stamp.read_text() == self._fingerprint()
        )

    def _fingerprint(self) -> str:
        content = b"\0".join(file.read_bytes() for file in self._requirements)
        return hashlib.sha256(content).hexdigest()

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        # SQLite's file lock ends with its process and is the only one that works on every system.
        self.folder.mkdir(exist_ok=True)
        lock = sqlite3.connect(str(self.folder / "dev.lock"), timeout=1, isolation_level=None)
        with contextlib.closing(lock):
            try:
                lock.execute("BEGIN EXCLUSIVE")
            except sqlite3.OperationalError:
                say("Another run is setting up; waiting for it.")
                lock.execute("PRAGMA busy_timeout = 900000")
                lock.execute("BEGIN EXCLUSIVE")
            yield

    def _install(self) -> None:
        wanted = self._fingerprint()
        if self._stamp.exists() and suitable([str(self.python)]):
            self._stamp.unlink()
        else:
            self._create(find_python(besides=self.folder))
        say("Installing the packages; the first time takes about a minute.")
        pip = [str(self.python), "-m", "pip", "install", "--disable-pip-version-check", "-q"]
        if subprocess.call([*pip, "-r", str(self._wanted)], stdout=sys.stderr):
            raise Failure(
                "the packages could not be installed (pip says why above); run it again to retry"
            )
        self._stamp.write_text(wanted)

    def _create(self, python: str) -> None:
        # What an interrupted run left behind is not worth trusting.
        say(f"Creating {self.folder} with {python}")
        for entry in self.folder.iterdir():
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry)
            elif not entry.name.startswith("dev.lock"):
                entry.unlink()
        if subprocess.call([python, "-m", "venv", str(self.folder)], stdout=sys.stderr):
            raise Failure(f"{python} could not create {self.folder} (it says why above)")


def find_python(besides: Path) -> str:
    """Return the path of a supported Python that does not live in the folder `besides`.

    Raises:
        Failure: This machine seems to have none.
    """
    own = [] if Path(sys.prefix) == besides else [[sys.executable]]
    for command in [*own, *pythons(SUPPORTED)]:
        path = suitable(command)
        if path:
            return path
    raise Failure(
        "Countersign needs Python 3.10, 3.11 or 3.12 with venv and pip, and found only "
        f"{sys.version.split()[0]}. Install one (https://www.python.org/downloads/;"
        " on Debian and Ubuntu also its python3-venv package) and try again."
    )


def pythons(versions: Sequence[str]) -> list[list[str]]:
    """Return the commands that may lead to Pythons of these versions, on this machine."""
    launcher = [["py", f"-{version}"] for version in versions] if os.name == "nt" else []
    on_path = [[f"python{version}"] for version in versions]
    # pyenv and pyenv-win
    folder = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    patterns = ("versions/{}.*/bin/python", "pyenv-win/versions/{}.*/python.exe")
    installed = [
        [str(path)]
        for version in versions
        for pattern in patterns
        for path in sorted(folder.glob(pattern.format(version)))
    ]
    return [*launcher, *on_path, *installed]


def suitable(command: Sequence[str], versions: Sequence[str] = SUPPORTED) -> str:
    """Return the interpreter's path that the command leads to, or "" if it is none to use."""
    try:
        answer = subprocess.run(
            [*command, "-c", PROBE, *versions],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return answer.stdout.strip() if answer.returncode == 0 else ""


def start(*options: str) -> int:
    """Run the app until Ctrl-C."""
    return go_on_as(sys.executable, "-m", "local.start", *options)


def demo(*options: str) -> int:
    """Carry an approval, or an order, through a killed host, before the developer's eyes."""
    return go_on_as(sys.executable, "-m", "local.demo", *options)


def doctor(*options: str) -> int:
    """Say whether a Functions host can load the app, and where a host tells why not."""
    return go_on_as(sys.executable, "-m", "local.doctor", *options)


def verify(*options: str) -> int:
    """Check the proof of an operation, without the service."""
    return go_on_as(sys.executable, "-m", "countersign.verify", *options)


def purchasing(*options: str) -> int:
    """Run the sample of a purchasing system until Ctrl-C."""
    return go_on_as(sys.executable, "-m", "samples.purchasing", *options)


def graph(*options: str) -> int:
    """Run the team as a graph, without a host."""
    return go_on_as(sys.executable, "-m", "local.graph", *options)


def token(*options: str) -> int:
    """Print one token, and nothing else, to standard output."""
    folder = [] if "--data" in options else ["--data", str(ROOT / ".data")]
    return go_on_as(sys.executable, "-m", "devhost", "token", *folder, *options)


def test(*options: str) -> int:
    """Run the tests, three at a time unless the options settle that or want the terminal.

    `--thorough` runs only those that need a host, the kills after every effect among them, on one
    that delivers late, twice and out of order (`--weather`). That takes more than half an hour.
    """
    settling = ["-n", "--numprocesses", "--dist", "-p", "-s", "--capture", "--pdb", "--trace"]
    # Two hosts that Core Tools run are too much for a small machine, and so are two models.
    settling += ["--host", "--model"]
    settled = any(option.startswith(tuple(settling)) for option in options)
    parallel = [] if settled else ["-n", "3", "--dist", "worksteal"]
    if "--thorough" in options:
        rest = [option for option in options if option != "--thorough"]
        options = ("--weather", "azure-storage", "tests/e2e", "tests/crash", *rest)
    return go_on_as(sys.executable, "-m", "pytest", *parallel, *options)


def check(*paths: str) -> int:
    """Run every check on these files and folders, or on all, also after one has failed."""
    where = paths or (".",)
    checks = (["ruff", "check"], ["ruff", "format", "--check"], ["pyright"])
    return max([subprocess.call([sys.executable, "-m", *words, *where]) for words in checks])


def bench(*options: str) -> int:
    """Measure what a part can carry; the first option names it."""
    return go_on_as(sys.executable, "-m", "bench", *options)


def screenshots(*options: str) -> int:
    """Take the pictures of the reviewer's page anew."""
    return go_on_as(sys.executable, "-m", "local.screenshots", *options)


def go_on_as(*command: str) -> int:
    """Become another command, or where a system cannot do that, return its exit code."""
    if os.name != "nt":
        os.execv(command[0], command)  # noqa: S606 - no shell is the point
    # The console sends Ctrl-C to the child as well, and the child is the one to tidy up.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Should this process be killed, the child notices by this.
    os.environ.setdefault("COUNTERSIGN_DEV_PROCESS", str(os.getpid()))
    return subprocess.call(command)


def say(text: str) -> None:
    """Tell the person at the terminal, and keep standard output for results."""
    print(text, file=sys.stderr, flush=True)


COMMANDS = {
    command.__name__: command
    for command in (
        start,
        demo,
        doctor,
        verify,
        graph,
        purchasing,
        test,
        check,
        bench,
        screenshots,
        token,
    )
}


def main(argv: Sequence[str]) -> int:
    """Run one command inside the `.venv` and return the exit code."""
    if not argv or argv[0] not in COMMANDS:
        say(__doc__ or "")
        return 0 if argv and argv[0] in ("-h", "--help", "help") else 2
    # Reports hold any character, and Windows would put redirected output in a small code page.
    os.environ.setdefault("PYTHONUTF8", "1")
    virtualenv = Virtualenv(ROOT)
    try:
        virtualenv.make_ready()
        if not virtualenv.folder.samefile(sys.prefix):
            return go_on_as(str(virtualenv.python), str(ROOT / "dev.py"), *argv)
        os.chdir(ROOT)
        return COMMANDS[argv[0]](*argv[1:])
    except (Failure, OSError) as failure:
        say(f"dev.py: {failure}")
        # A 1 is a command's own: of a proof, say, that it does not hold.
        return 2
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
