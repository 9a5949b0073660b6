"""Errors that have a tree are drawn where they are declared, and the drawing is whole."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
ROOMS = ("countersign", "devhost", "endpoints", "local")


def trees() -> Iterator[tuple[str, str, set[str]]]:
    """Each module that declares errors under one another: its path, docstring, and their names."""
    for room in ROOMS:
        for file in sorted((ROOT / room).rglob("*.py")):
            tree = ast.parse(file.read_text("utf-8"))
            classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
            bases = {
                node.name: {base.id for base in node.bases if isinstance(base, ast.Name)}
                for node in classes
            }
            errors = {name for name, of in bases.items() if "Exception" in of}
            below = {name for name, of in bases.items() if of & errors}
            if len(below) > 1:
                parents = {base for name in below for base in bases[name] & errors}
                path = file.relative_to(ROOT).as_posix()
                yield path, ast.get_docstring(tree) or "", below | parents


def test_a_tree_of_errors_is_drawn_at_the_head_of_its_module() -> None:
    found = list(trees())
    assert len(found) > 4
    missing = {
        path: sorted(name for name in names if name not in docstring)
        for path, docstring, names in found
    }
    assert {path: names for path, names in missing.items() if names} == {}
