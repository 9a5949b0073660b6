#!/usr/bin/env python3
"""Set up, run, test and demonstrate Countersign.

  python3 dev.py start [--func] [--storage azurite] [--model small] [--port N] [--data DIR]
                       [--library DIR]
  python3 dev.py demo  [--purchase]
  python3 dev.py doctor [--data DIR]
  python3 dev.py verify FILE [--key KEY ...] [--report FILE] [--anchors FILE]
  python3 dev.py anchor FILE --tenant TENANT [--tenant TENANT ...] [--data DIR]
  python3 dev.py erase {PERSON --rule WHY | --due} --tenant TENANT [--data DIR]
  python3 dev.py hold OPERATION --tenant TENANT --reason WHY [--lift] [--data DIR]
  python3 dev.py rebuild [--tenant TENANT ...] [--data DIR]
  python3 dev.py backup DIR  [--data DIR]
  python3 dev.py restore DIR [--data DIR] [--without-lost-texts]
  python3 dev.py reconcile --after-restore [--looked-up] [--tenant TENANT ...] [--data DIR]
  python3 dev.py takeover HUB [--stopped] [--data DIR]
  python3 dev.py test  [--thorough] [--host func] [--weather azure-storage] [--model small]
                       [PYTEST OPTIONS]
  python3 dev.py check [PATHS]
  python3 dev.py lock  [--upgrade]
  python3 dev.py audit
  python3 dev.py fuzz  [--seconds N] [--seed N] [--role ROLE ...] [--properties]
  python3 dev.py explore [--seconds N] [--hours N] [--seed N] [--one]
  python3 dev.py bench {host,start,gate,cost} [--quick]
  python3 dev.py bench evidence [--model MODEL ...] [--questions N] [--results DIR]
  python3 dev.py graph [--json] [--yaml] [--data DIR] run TOPIC | list | show ID | answer ID ...
                       | resume ID | retry ID | withdraw ID | history ID
                       | proof ID [--output FILE] | key
  python3 dev.py purchasing --data DIR [--port N] [--without {key,lookup}] [--token TOKEN]
  python3 dev.py screenshots
  python3 dev.py token --as NAME --role ROLE [--role ROLE ...] [--tenant TENANT] [--data DIR]

The first command creates `.venv` with Python 3.12, 3.11 or 3.10 and installs the locked packages
into it. If none of these Pythons is installed, it downloads Python 3.12 with uv; --no-download
forbids that. Relative paths start at the folder of this file.
"""

# Every Python, however old, has to understand this file, so that it can say what is missing.
import sys

if sys.version_info < (3, 8):  # noqa: UP036 - ruff looks at what the app runs on
    sys.stderr.write(
        "dev.py: Python 3.8 or newer is required, and this is " + sys.version.split()[0] + ":"
        " install 3.12 from https://www.python.org/downloads/ and run `python3.12 dev.py start`.\n"
    )
    sys.exit(2)

if __name__ == "__main__":
    try:
        from local.commands import main

        sys.exit(main(sys.argv[1:], str(__doc__)))
    except KeyboardInterrupt:
        sys.exit(130)
