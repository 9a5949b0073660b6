"""`python -m countersign.graph`."""

import os
import sys

MISSING = "A package is missing ({}): run `python3 dev.py graph`, which installs it."


def main() -> int:
    """Run the command line; a Python without the packages is wrong usage (2), not a refusal (1)."""
    try:
        from countersign.graph.cli import main as run
    except ImportError as error:
        sys.stderr.write(f"{MISSING.format(error)}\n")
        return 2
    if os.name != "nt":
        # What a graph keeps is its user's alone.
        os.umask(0o077)
    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
