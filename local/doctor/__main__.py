"""Describe this machine; the exit code is 1 if `dev.py start` cannot work here."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from local.doctor.environment import examine_packages, examine_python
from local.doctor.finding import Finding

WHERE = """
If every route is 404, a host reports the reason here:

  dev.py start  in its last lines
  func start    func start --verbose, at "Worker failed to index functions", or
                http://127.0.0.1:7071/admin/functions, for one function
                http://127.0.0.1:7071/admin/functions/NAME/status
  Azure         the same addresses of the app with its master key, or in Application Insights
                union traces, exceptions | where * has "cannot load the"
                (docs/deploy.md has the commands)
"""


def main(argv: Sequence[str]) -> int:
    """Print what was found and return the exit code."""
    args = _arguments(argv)
    findings = [examine_python(), examine_packages(), *_others(args.data)]
    print(*findings, sep="\n")
    broken = [finding.name for finding in findings if finding.state == "broken"]
    if "app" in broken:
        print(WHERE, end="")
    told = (
        f"Fix {', '.join(broken)} before you run `dev.py start`."
        if broken
        else "Everything is ready."
    )
    print(f"\n{told} Only some options need the programs marked `without`.")
    return 1 if broken else 0


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="dev.py doctor", description=__doc__)
    parser.add_argument(
        "--data",
        type=lambda path: Path(path).resolve(),
        metavar="DIR",
        help="data folder, as for `dev.py start` (default: .data)",
    )
    return parser.parse_args(argv)


def _others(data: Path | None) -> Sequence[Finding]:
    try:
        # Where packages are missing, the advice about them must not be lost with them.
        from local.doctor.everything import examine_everything
    except ImportError as error:
        return [Finding(name="app", told=f"it cannot be imported: {error}", state="broken")]
    return examine_everything(data)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
