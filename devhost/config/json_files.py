"""Files of JSON that may have comments, as those of a Functions app may."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from devhost.errors import UsageError

_TEXT_OR_COMMENT = re.compile(r'("(?:\\.|[^"\\\n])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_TEXT_OR_LAST_COMMA = re.compile(r'("(?:\\.|[^"\\\n])*")|,(?=\s*[}\]])', re.DOTALL)


def read_object(path: Path) -> dict[str, Any]:
    """Return the object in a file; an empty one if there is no such file.

    Comments and a comma after the last of several things are passed over.

    Raises:
        UsageError: The file can't be read, or holds something else.
    """
    if not path.is_file():
        return {}
    try:
        content = json.loads(_plain(path.read_text(encoding="utf-8-sig")))
    except OSError as error:
        raise UsageError(f"{path} can't be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path} is not JSON: {error}") from error
    if not isinstance(content, dict):
        raise UsageError(f"{path} must hold a JSON object")
    return content


def _plain(text: str) -> str:
    # Each line stays where it is, so that a fault is told with its place.
    text = _TEXT_OR_COMMENT.sub(lambda found: found[1] or "\n" * found[0].count("\n"), text)
    return _TEXT_OR_LAST_COMMA.sub(lambda found: found[1] or "", text)
