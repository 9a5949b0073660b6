"""What changed between two versions of a text."""

from __future__ import annotations

MOST_LINES = 5_000
"""Comparing takes quadratic time at worst, so longer texts are not compared line by line."""


def changed_lines(before: str, after: str) -> list[str]:
    """The lines that differ, as a unified diff with two lines of context.

    Returns:
        An empty list for equal texts; one sentence if the texts are too long to compare.
    """
    # Imported here because most processes of the app never compare versions.
    from difflib import unified_diff

    old, new = before.splitlines(), after.splitlines()
    if old != new and max(len(old), len(new)) > MOST_LINES:
        return [f"The texts differ and are too long to compare (over {MOST_LINES} lines)."]
    diff = unified_diff(old, new, lineterm="", n=2)
    return [line for line in diff if not line.startswith(("---", "+++"))]
