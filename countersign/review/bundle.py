"""The page's modules as one script and its style sheets as one, so that few requests bring all.

The app starts from a clone without Node.js, so nothing is built beforehand: a process joins the
files when it is first asked for them, and again after one was edited. Each module becomes a
function that runs once, after those that it imports from, and returns the names that it exports.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from graphlib import TopologicalSorter
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

MAIN = "main.js"
LIBRARY = "library/"
"""The folder of what the page loads by itself, once somebody needs it."""

_IMPORT = re.compile(r'^import (?:\{([^}]*)\} from )?"([^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?function\*?|class|const) (\w+)", re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*/\*.*?\*/[ \t]*\n?", re.MULTILINE | re.DOTALL)


class PageBundle(NamedTuple):
    """What a page loads: one file of each kind, and a name that tells whether they changed."""

    script: bytes
    style: bytes
    name: str


def bundle_of(files: Mapping[str, Path], sheets: Iterable[str]) -> PageBundle:
    """Join the modules and style sheets of a page.

    Args:
        files: where each file of the page is, by its path there.
        sheets: the paths of the style sheets; of rules that weigh the same the last one wins.

    Raises:
        CycleError: modules import each other in a circle.
        ValueError: one has a form of import or export that can't be joined.
    """
    modules = [path for path in files if path.endswith(".js") and not path.startswith(LIBRARY)]
    wanted = [*modules, *sheets]
    stamps = tuple((path, files[path], files[path].stat().st_mtime_ns) for path in wanted)
    return _joined(stamps)


@lru_cache(maxsize=2)
def _joined(stamps: tuple[tuple[str, Path, int], ...]) -> PageBundle:
    texts = {path: file.read_text("utf-8") for path, file, _ in stamps}
    script = _script({path: text for path, text in texts.items() if path.endswith(".js")})
    style = "".join(text for path, text in texts.items() if path.endswith(".css"))
    name = sha256(f"{script}\0{style}".encode()).hexdigest()[:16]
    return PageBundle(script.encode(), style.encode(), name)


def _script(modules: Mapping[str, str]) -> str:
    needs = {path: _imported(path, text) for path, text in modules.items()}
    order = [*TopologicalSorter(needs).static_order()]
    # The page itself comes after the scripts that nothing imports, such as those of the kinds.
    order.sort(key=lambda path: path == MAIN)
    return "".join(_function(path, modules[path]) for path in order if path in modules)


def _imported(path: str, text: str) -> list[str]:
    return [_resolved(path, source) for _, source in _IMPORT.findall(text)]


def _function(path: str, text: str) -> str:
    """Return a module as a constant that holds what it exports."""
    body = _IMPORT.sub(lambda found: _taken(path, found), _COMMENT.sub("", text))
    exported = [name for _, name in _EXPORT.findall(body)]
    body = _EXPORT.sub(r"\1 \2", body)
    if left := re.search(r"^(?:import|export)\b.*", body, re.MULTILINE):
        raise ValueError(f"{path}: {left[0]!r} can't be joined")
    waits = "async " if re.search(r"^[^/\n]*\bawait ", body, re.MULTILINE) and path == MAIN else ""
    made = f"{'await ' if waits else ''}({waits}() => {{\n{body}return {{ {', '.join(exported)} }};"
    return f"const {_constant(path)} = {made}\n}})();\n"


def _taken(path: str, found: re.Match[str]) -> str:
    names, source = found.groups()
    if not names:
        return ""
    taken = re.sub(r"(\w+) as (\w+)", r"\1: \2", " ".join(names.split()))
    return f"const {{ {taken} }} = {_constant(_resolved(path, source))};\n"


def _resolved(path: str, source: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), source))


def _constant(path: str) -> str:
    return "m_" + re.sub(r"\W", "_", path.removesuffix(".js"))
