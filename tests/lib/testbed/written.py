"""The sentences that people read: in documents, in what the app and `dev.py` say, on the page."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[3]

_LINES_OF_CODE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_CLASS = r"\[(?:\\.|[^\]\\\n])*\]"
_TOKEN = re.compile(
    r"//[^\n]*|/\*.*?\*/"
    r"|(?P<literal>\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)"
    # A regular expression may hold quotes; it stands where a value may begin.
    rf"|(?<=[=(,:&|!?])\s*/(?:\\.|{_CLASS}|[^/\\\n*])(?:\\.|{_CLASS}|[^/\\\n])*/",
    re.DOTALL,
)


@cache
def documents() -> dict[str, str]:
    """The text of each Markdown file that is about the product, by its path."""
    files = [ROOT / "README.md", ROOT / "devhost" / "README.md", *(ROOT / "docs").rglob("*.md")]
    return {file.relative_to(ROOT).as_posix(): file.read_text("utf-8") for file in sorted(files)}


def prose(document: str) -> str:
    """A document without its blocks of code."""
    return _LINES_OF_CODE.sub("", document)


def said(*folders: str) -> Iterator[tuple[str, str]]:
    """Each text that the Python in these folders or files may show, with its place.

    Docstrings are left out, but for that of a command, which is printed as its description. What
    a template fills in is shown as `{}`.
    """
    for folder in folders:
        path = ROOT / folder
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            tree = ast.parse(file.read_text("utf-8"))
            skipped = {id(node) for node in _docstrings(tree)}
            for node, text in _texts(tree):
                if id(node) not in skipped:
                    yield f"{file.relative_to(ROOT)}:{node.lineno}", text


def shown(folder: str) -> Iterator[tuple[str, str]]:
    """Each text that the JavaScript and HTML in a folder may show, with its place."""
    for file in sorted((ROOT / folder).rglob("*.js")):
        text = file.read_text("utf-8")
        for found in _TOKEN.finditer(text):
            if literal := found["literal"]:
                line = text.count("\n", 0, found.start()) + 1
                place = f"{file.relative_to(ROOT)}:{line}"
                yield place, re.sub(r"\$\{[^{}]*\}", "{}", literal[1:-1])
    for file in sorted((ROOT / folder).rglob("*.html")):
        yield str(file.relative_to(ROOT)), file.read_text("utf-8")


def _docstrings(tree: ast.Module) -> Iterator[ast.expr]:
    nodes = list(ast.walk(tree))
    printed = any(isinstance(node, ast.Name) and node.id == "__doc__" for node in nodes)
    for node in nodes:
        if isinstance(node, ast.Expr) and not (printed and node in tree.body[:1]):
            yield node.value


def _texts(tree: ast.Module) -> Iterator[tuple[ast.expr, str]]:
    templates = [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
    inner = {id(part) for template in templates for part in template.values}
    for template in templates:
        yield template, "".join(map(_part, template.values))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in inner:
            yield node, str(node.value)


def _part(part: ast.expr) -> str:
    return part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else "{}"
