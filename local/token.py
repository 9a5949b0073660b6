"""`dev.py token`: a token of the local sign-in, for roles that the app has."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from countersign.kinds.registry import reading_roles
from devhost.__main__ import main as devhost


def main(argv: Sequence[str]) -> int:
    """Print a token and return the exit code; a role that the app doesn't have is refused."""
    reader = argparse.ArgumentParser(add_help=False)
    reader.add_argument("--role", dest="roles", action="append", default=[])
    known = reading_roles()
    for role in reader.parse_known_args(argv)[0].roles:
        if role not in known:
            sys.stderr.write(
                f"dev.py token: there is no role {role!r}; use one of {', '.join(known)}\n"
            )
            return 2
    return devhost(["token", *argv], program="dev.py")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
