"""One word names one thing: no type is defined twice in a program."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PROGRAMS = {
    "the app": ("countersign", "endpoints", "activities", "orchestrators"),
    "the local host": ("devhost",),
    "the commands": ("local",),
    "the purchasing system": ("samples",),
}


def types_of(file: Path) -> Iterator[str]:
    """The names of the public classes, aliases and type variables that a file defines."""
    tree = ast.parse(file.read_text("utf-8"))
    yield from (node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        targets = [node.target] if isinstance(node, ast.AnnAssign) else targets
        names = (target.id for target in targets if isinstance(target, ast.Name))
        yield from (name for name in names if name[0].isupper() and not name.isupper())


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_type_has_a_name_of_its_own(program: str) -> None:
    files = [file for folder in PROGRAMS[program] for file in (ROOT / folder).rglob("*.py")]
    names = Counter(name for file in files for name in {*types_of(file)} if name[0] != "_")
    assert {name for name, times in names.items() if times > 1} == set()
