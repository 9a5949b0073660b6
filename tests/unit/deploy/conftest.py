"""Bicep files as syntax trees, and what can be told about them without a compiler."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest
import tree_sitter_bicep
from tree_sitter import Language, Node, Parser

INFRA = Path(__file__).parents[3] / "infra"

_PARSER = Parser(Language(tree_sitter_bicep.language()))

# The grammar is older than this statement.
_EXTENSION = re.compile(r"^extension (\w+)$", re.MULTILINE)
_DECORATOR = re.compile(r"^@(\w+)\((.*)\)$", re.MULTILINE)
_MODULE_OUTPUT = re.compile(r"\b(\w+)!?\.outputs\.(\w+)")

_DECLARATIONS = {
    "parameter_declaration",
    "variable_declaration",
    "resource_declaration",
    "module_declaration",
}
_BINDERS = {"for_statement", "lambda_expression"}
_LABELLED = {"object_property", "output_declaration", "metadata_declaration"}


@dataclass(frozen=True, kw_only=True)
class Module:
    """A template's use of another one."""

    path: str
    passed: Mapping[str, str]
    """Names of the other one's parameters, and the expressions that they get."""

    def target(self, user: str) -> str:
        """The path of the other one among all templates, by that of the one that uses it."""
        return posixpath.normpath(posixpath.join(posixpath.dirname(user), self.path))


class Template:
    """A Bicep file.

    Args:
        text: what is in it.
    """

    def __init__(self, text: str) -> None:
        self.extensions = _EXTENSION.findall(text)
        self.root = _PARSER.parse(_EXTENSION.sub("", text).encode()).root_node

    @cached_property
    def flaws(self) -> list[str]:
        """Where it is no Bicep."""
        return [
            f"line {node.start_point.row + 1} is no Bicep: {text_of(node)[:60]!r}"
            for node in walk(self.root)
            if node.is_error or node.is_missing
        ]

    @cached_property
    def parameters(self) -> dict[str, bool]:
        """Names of parameters, and whether they have to be passed."""
        return {name_of(each): _is_required(each) for each in self.all("parameter_declaration")}

    @cached_property
    def types(self) -> dict[str, str]:
        """Names of parameters, and their types."""
        declared = self.all("parameter_declaration")
        return {name_of(each): text_of(each.named_children[1]) for each in declared}

    @cached_property
    def decorators(self) -> dict[str, dict[str, str]]:
        """Names of parameters, and what their decorators (by name) say in parentheses."""
        return {name_of(each): _decorators(each) for each in self.all("parameter_declaration")}

    @cached_property
    def variables(self) -> dict[str, Node]:
        """Names of variables, and their values."""
        return {name_of(each): each.named_children[-1] for each in self.all("variable_declaration")}

    @cached_property
    def outputs(self) -> set[str]:
        """Names of outputs."""
        return {name_of(each) for each in self.all("output_declaration")}

    @cached_property
    def modules(self) -> dict[str, Module]:
        """Modules by the names that the template has for them."""
        return {name_of(each): _module(each) for each in self.all("module_declaration")}

    @cached_property
    def module_outputs(self) -> set[tuple[str, str]]:
        """Outputs of modules that the template reads: its name for the module, and the output."""
        return set(_MODULE_OUTPUT.findall(text_of(self.root)))

    @cached_property
    def declared(self) -> set[str]:
        """Names that the template gives to something."""
        return {name_of(each) for each in self.all(*_DECLARATIONS, *_BINDERS)}

    @cached_property
    def mentioned(self) -> list[str]:
        """Names, as often as they stand in the template; keys of objects are none."""
        return [
            text_of(node)
            for node in walk(self.root)
            if node.type == "identifier" and not _is_label(node)
        ]

    def values(self, path: str) -> list[str]:
        """The values at a path of keys and names of resources, anywhere in the template.

        Those of a list are told one by one, and texts without their quotation marks.

        Args:
            path: as in `outer.inner`.
        """
        keys = path.split(".")
        found = (
            each.named_children[-1]
            for each in self.all("object_property")
            if _path_to(each)[-len(keys) :] == keys
        )
        return [
            text_of(item).strip("'")
            for value in found
            for item in (value.named_children if value.type == "array" else [value])
        ]

    def all(self, *kinds: str) -> Iterator[Node]:
        """All nodes of some kinds."""
        return (node for node in walk(self.root) if node.type in kinds)


def walk(node: Node) -> Iterator[Node]:
    """A node and all below it; decorators are left out, they have names of their own."""
    if node.type != "decorator":
        yield node
        for child in node.children:
            yield from walk(child)


def text_of(node: Node) -> str:
    return (node.text or b"").decode()


def name_of(declaration: Node) -> str:
    return text_of(declaration.named_children[0])


def properties_of(node: Node) -> dict[str, Node]:
    """The values of an object by their keys."""
    pairs = (each.named_children for each in node.named_children if each.type == "object_property")
    return {text_of(pair[0]).strip("'"): pair[-1] for pair in pairs if len(pair) > 1}


def _path_to(property: Node) -> list[str]:
    """The keys, and the names of resources, that lead to a property; its own is the last."""
    path: list[str] = []
    node: Node | None = property
    while node is not None:
        if node.type in {"object_property", "resource_declaration"}:
            path.insert(0, name_of(node).strip("'"))
        node = node.parent
    return path


def _is_label(node: Node) -> bool:
    parent = node.parent
    return parent is not None and parent.type in _LABELLED and parent.named_children[0] == node


def _is_required(parameter: Node) -> bool:
    _, kind, *default = parameter.named_children
    return not default and all(node.type != "nullable_type" for node in walk(kind))


def _decorators(parameter: Node) -> dict[str, str]:
    above = parameter.prev_named_sibling
    if above is None or above.type != "decorators":
        return {}
    return dict(_DECORATOR.findall(text_of(above)))


def _module(declaration: Node) -> Module:
    _, path, body = declaration.named_children
    while body.type != "object":
        body = body.named_children[-1]
    passed = properties_of(body).get("params")
    names = properties_of(passed) if passed else {}
    values = {name: text_of(value) for name, value in names.items()}
    return Module(path=text_of(path).strip("'"), passed=values)


@pytest.fixture(scope="session")
def texts() -> Mapping[str, str]:
    """The Bicep files by their paths in `infra`."""
    files = sorted(INFRA.rglob("*.bicep"))
    return {file.relative_to(INFRA).as_posix(): file.read_text("utf-8") for file in files}


@pytest.fixture(scope="session")
def templates(texts: Mapping[str, str]) -> Mapping[str, Template]:
    """The Bicep files, read."""
    return {path: Template(text) for path, text in texts.items()}


@pytest.fixture(scope="session")
def changed(
    texts: Mapping[str, str], templates: Mapping[str, Template]
) -> Callable[[str, str, str], Mapping[str, Template]]:
    """Reads them again with one piece of one of them replaced."""

    def change(path: str, before: str, after: str) -> Mapping[str, Template]:
        assert before in texts[path]
        return {**templates, path: Template(texts[path].replace(before, after, 1))}

    return change
