"""Run a module as `python -m` does, but let Ctrl-C or a closed pipe end it without a stack trace.

    python -m local.interruptible MODULE ARGUMENT …

A person may press Ctrl-C while the module is still imported, and once more while it tidies up, and
whoever reads the output may stop before its end, as `head` does.
"""

from __future__ import annotations

import os
import runpy
import sys

INTERRUPTED, UNHEARD = 130, 141


def main() -> None:
    """Run the module that the first argument names; the others are its own."""
    module = sys.argv.pop(1)
    try:
        try:
            runpy.run_module(module, run_name="__main__", alter_sys=True)
        finally:
            if sys.stdout:
                sys.stdout.flush()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        # Python would try to print what is left once more at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.exit(UNHEARD)


if __name__ == "__main__":
    main()
