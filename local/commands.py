"""The commands of `dev.py`, each with the Python of the `.venv`, which is made ready first.

This file runs on whatever Python there is: see `local.setup`.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Sequence

from local.setup import locks
from local.setup.failure import DEV, Failure, say
from local.setup.virtualenv import Virtualenv

ROOT = locks.ROOT
VIRTUALENV = Virtualenv(ROOT / ".venv", locks.APP)
PYTHON = str(VIRTUALENV.python)
NO_DOWNLOAD = "--no-download"


def start(*options: str) -> int:
    """Run the app until Ctrl-C."""
    return _become("local.start", *options)


def demo(*options: str) -> int:
    """Carry an approval, or an order, through a killed host, before the developer's eyes."""
    return _become("local.demo", *options)


def doctor(*options: str) -> int:
    """Say whether a Functions host can load the app, and where a host tells why not."""
    return _become("local.doctor", *options)


def verify(*options: str) -> int:
    """Check the proof of an operation, without the service."""
    return _become("countersign.proof.verify", *options)


def anchor(*options: str) -> int:
    """Write today's anchor of a tenant's ledgers, and name what is lost since the last one."""
    return _become("local.anchor", *options)


def rebuild(*options: str) -> int:
    """Write the index anew from the ledgers."""
    return _become("local.rebuild", *options)


def backup(*options: str) -> int:
    """Copy the embedded stores while the app may run."""
    return _become("local.backup", *options)


def restore(*options: str) -> int:
    """Put a backup in place, and ask the destinations what was written since it was made."""
    return _become("local.restore", *options)


def reconcile(*options: str) -> int:
    """Ask the destinations what was written that restored ledgers know nothing of."""
    return _become("local.reconcile", *options)


def takeover(*options: str) -> int:
    """Have another task hub serve the storage from now on."""
    return _become("local.takeover", *options)


def erase(*options: str) -> int:
    """Erase what a person is called and wrote, in all operations of a tenant that have ended."""
    return _become("local.erase", *options)


def hold(*options: str) -> int:
    """Keep an operation as it is, whatever is to be erased, or no longer."""
    return _become("local.hold", *options)


def purchasing(*options: str) -> int:
    """Run the sample of a purchasing system until Ctrl-C."""
    return _become("samples.purchasing", *options)


def graph(*options: str) -> int:
    """Run the team as a graph, without a host."""
    return _become("local.graph", *options)


def token(*options: str) -> int:
    """Print one token, and nothing else, to standard output."""
    folder = [] if "--data" in options else ["--data", str(ROOT / ".data")]
    return _become("local.token", *folder, *options)


def test(*options: str) -> int:
    """Run the tests, three at a time unless the options settle that or want the terminal.

    `--thorough` runs only those that need a host, the kills after every effect among them, on one
    that delivers late, twice and out of order (`--weather`). That takes about as long again.
    """
    settling = ["-n", "--numprocesses", "--dist", "-p", "-s", "--capture", "--pdb", "--trace"]
    # Two hosts that Core Tools run are too much for a small machine, and so are two models.
    settling += ["--host", "--model"]
    settled = any(option.startswith(tuple(settling)) for option in options)
    parallel = [] if settled else ["-n", "3", "--dist", "worksteal"]
    if "--thorough" in options:
        rest = [option for option in options if option != "--thorough"]
        options = ("--weather", "azure-storage", "tests/e2e", "tests/crash", *rest)
    return _become("pytest", *parallel, *options)


def check(*paths: str) -> int:
    """Run every check on these files and folders, or on all, also after one has failed."""
    where = paths or (".",)
    checks = (["ruff", "check"], ["ruff", "format", "--check"], ["pyright"], ["local.page_check"])
    return max([subprocess.call([PYTHON, "-m", *words, *where]) for words in checks])


def lock(*options: str) -> int:
    """Write the lock files anew, from the requirements files."""
    return _become("local.lock", *options)


def audit(*options: str) -> int:
    """Name the known vulnerabilities of what is locked."""
    return _become("local.audit", *options)


def fuzz(*options: str) -> int:
    """Send the app what its description allows and forbids, as each kind of person."""
    return _become("local.fuzz", *options)


def explore(*options: str) -> int:
    """Play the app in worlds of chance, and see whether it keeps its promises there."""
    return _become("local.explore", *options)


def bench(*options: str) -> int:
    """Measure what a part can carry; the first option names it."""
    return _become("bench", *options)


def screenshots(*options: str) -> int:
    """Take the pictures of the reviewer's page anew."""
    return _become("local.screenshots", *options)


def _become(module: str, *options: str) -> int:
    """Run a module in place of this process, or where a system can't do that, wait for its end."""
    command = [PYTHON, "-m", "local.interruptible", module, *options]
    if os.name != "nt":
        os.execv(PYTHON, command)  # noqa: S606 - no shell is the point
    # The console sends Ctrl-C to the child as well, and the child is the one to tidy up.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Should this process be killed, the child notices by this.
    os.environ.setdefault("COUNTERSIGN_DEV_PROCESS", str(os.getpid()))
    return subprocess.call(command)


COMMANDS = {
    command.__name__: command
    for command in (
        start,
        demo,
        doctor,
        verify,
        anchor,
        erase,
        hold,
        rebuild,
        backup,
        restore,
        reconcile,
        takeover,
        graph,
        purchasing,
        test,
        check,
        lock,
        audit,
        fuzz,
        explore,
        bench,
        screenshots,
        token,
    )
}


def main(argv: Sequence[str], usage: str) -> int:
    """Run one command with the Python of the `.venv`.

    Args:
        argv: The command and its options.
        usage: What to say if it is no command.

    Returns:
        The exit code: the command's own, or 2 if it could not be run.
    """
    words = [word for word in argv if word != NO_DOWNLOAD]
    if words[:1] in (["-h"], ["--help"], ["help"]):
        say(usage)
        return 0
    if not words or words[0] not in COMMANDS:
        say(f"{usage}\ndev.py: there is no command {words[0]!r}" if words else usage)
        return 2
    # Reports hold any character, and Windows would put redirected output in a small code page.
    os.environ.setdefault("PYTHONUTF8", "1")
    try:
        VIRTUALENV.make_ready(download=NO_DOWNLOAD not in argv)
        os.chdir(ROOT)
        return COMMANDS[words[0]](*words[1:])
    except (Failure, OSError) as failure:
        advice = "" if isinstance(failure, Failure) else "; fix that"
        say(f"dev.py: {failure}{advice}, and then run `{DEV} {words[0]}` again")
        # A 1 is a command's own: of a proof, say, that it does not hold.
        return 2
