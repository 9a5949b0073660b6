"""Explores for so long, and prints the seed of each world in which a promise was broken.

Exit codes: 0, none was; 1, one was; 2, the options make no sense.
"""

from __future__ import annotations

import argparse
import secrets
import sys
import time
from collections import Counter

from testbed.explorer.explorer import explore, play


def main() -> int:
    """Explore, and return the exit code."""
    parser = argparse.ArgumentParser(prog="dev.py explore")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--hours", type=float)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**9))
    parser.add_argument("--one", action="store_true", help="only the world of this seed")
    args = parser.parse_args()
    seconds = args.seconds if args.hours is None else args.hours * 3600
    if not seconds > 0:
        sys.stderr.write("Exploring takes some time: --seconds and --hours are above 0.\n")
        return 2
    say(f"explores from --seed {args.seed} on")
    began, worlds, steps, broken = time.monotonic(), 0, 0, 0
    outcomes: Counter[str] = Counter()
    found = [play(args.seed)] if args.one else explore(args.seed, seconds)
    for each in found:
        worlds, steps = worlds + 1, steps + each.steps
        outcomes += each.outcomes
        if each.broken:
            broken += 1
            say(f"--seed {each.seed} --one\n{each.broken}")
    took = time.monotonic() - began
    say(
        f"{counted(worlds, 'world')}, {counted(steps, 'step')} in {took:.0f} s,"
        f" {broken} with a broken promise. Operations ended as:"
        f" {', '.join(f'{outcome} {times}' for outcome, times in outcomes.most_common())}."
    )
    return int(broken > 0)


def counted(number: int, what: str) -> str:
    """A number of things in words that fit it."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
