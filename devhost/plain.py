"""Text that a terminal or a log shows as it is: what others wrote in it steers nothing."""

from __future__ import annotations

import re

# Controls but for tabs and line ends, ends of lines that only some know, and what turns the
# direction of reading: with the first a terminal can be made to set the clipboard.
_STEERING = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
_LINE_END = re.compile(r"\r\n|\n")


def plain(text: str) -> str:
    """Return a text with its controls written out; lines after the first are indented.

    So nobody can have a line begin as those of the host do.
    """
    written = _STEERING.sub(lambda found: _escaped(found[0]), _LINE_END.sub("\n", text))
    return written.replace("\n", "\n    ")


def _escaped(control: str) -> str:
    code = ord(control)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
