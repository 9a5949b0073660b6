"""`dev.py token`: a token of the local sign-in, for roles that the app has."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from countersign.kinds.registry import reading_roles
from devhost.__main__ import main as devhost
from local.data_folder import refuse_slip
from local.errors import NoFolder
from local.settings import DATA


def main(argv: Sequence[str]) -> int:
    """Print a token and return the exit code.

    A role that the app doesn't have is refused, and so is a folder that isn't there: no app knows
    the key of a new one.
    """
    reader = argparse.ArgumentParser(add_help=False)
    reader.add_argument("--role", dest="roles", action="append", default=[])
    reader.add_argument("--data", type=Path, default=DATA)
    options, known = reader.parse_known_args(argv)[0], reading_roles()
    for role in options.roles:
        if role not in known:
            sys.stderr.write(
                f"dev.py token: there is no role {role!r}; use one of {', '.join(known)}\n"
            )
            return 2
    try:
        refuse_slip(options.data)
    except NoFolder as error:
        sys.stderr.write(f"dev.py token: {error}\n")
        return 2
    return devhost(["token", *argv], program="dev.py")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
