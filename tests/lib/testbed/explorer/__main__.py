"""Explores for so long, and prints the seed of each world in which a promise was broken."""

from __future__ import annotations

import argparse
import secrets
import sys
import time
from collections import Counter

from testbed.explorer.explorer import explore, play


def main() -> int:
    """Explore, and return 1 if anything was found."""
    parser = argparse.ArgumentParser(prog="dev.py explore", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--hours", type=float, default=0.0)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**9))
    parser.add_argument("--one", action="store_true", help="only the world of this seed")
    args = parser.parse_args()
    say(f"explores from --seed {args.seed} on")
    began, worlds, steps, broken = time.monotonic(), 0, 0, 0
    outcomes: Counter[str] = Counter()
    found = [play(args.seed)] if args.one else explore(args.seed, args.hours * 3600 or args.seconds)
    for each in found:
        worlds, steps = worlds + 1, steps + each.steps
        outcomes += each.outcomes
        if each.broken:
            broken += 1
            say(f"--seed {each.seed} --one\n{each.broken}")
    took = time.monotonic() - began
    say(f"{worlds} worlds, {steps} steps in {took:.0f} s, {broken} broken; {dict(outcomes)}")
    return int(broken > 0)


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
