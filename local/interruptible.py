"""Run a module as `python -m` does, but let Ctrl-C end it without a stack trace.

    python -m local.interruptible MODULE ARGUMENT …

A person may press it while the module is still imported, and once more while it tidies up.
"""

from __future__ import annotations

import runpy
import sys


def main() -> None:
    """Run the module that the first argument names; the others are its own."""
    module = sys.argv.pop(1)
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
