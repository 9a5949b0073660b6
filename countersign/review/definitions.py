"""The definitions of links and footnotes that a report has and nothing in it refers to.

Markdown leaves them out. They are published with the rest, so a reviewer has to see them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it.rules_core import StateCore
    from markdown_it.token import Token

_NOTE_OPENS, _NOTE_CLOSES = "footnote_reference_open", "footnote_reference_close"
"""What stands around the definition of a footnote, until it is moved to the end."""


def unused_definitions(state: StateCore) -> None:
    """Show the definitions of links that no link uses as text where they are written.

    Of those with one label, links use the first.
    """
    inline = [child for block in state.tokens for child in block.children or ()]
    used = {each.meta.get("label") for each in inline if each.type in {"link_open", "image"}}
    tokens: list[Token] = []
    for token in state.tokens:
        if token.type != "definition":
            tokens.append(token)
        elif token.meta["id"] in used:
            used.remove(token.meta["id"])
        else:
            label, url, title = (token.meta[name] for name in ("label", "url", "title"))
            address = state.md.normalizeLinkText(url)
            tokens += _paragraph(f"[{label}]: {address}" + (f' "{title}"' if title else ""))
    state.tokens = tokens


def all_footnotes(state: StateCore) -> None:
    """Show the definitions of footnotes that would be left out as text where they are written.

    Those are what nothing refers to, and all but the last of one label. A definition within
    another one is put after it: within, it would be shown as a part of that one.
    """
    refs = state.env.get("footnotes", {}).get("refs", {})
    last = {token.meta["label"]: token for token in state.tokens if token.type == _NOTE_OPENS}
    notes: list[Token] = []
    open_lists: list[list[Token]] = [[]]
    is_note: list[bool] = []
    for token in state.tokens:
        if token.type == _NOTE_OPENS:
            label = token.meta["label"]
            is_note.append(refs[f":{label}"] >= 0 and last[label] is token)
            if is_note[-1]:
                open_lists.append([token])
            else:
                open_lists[-1] += _paragraph(f"[^{label}]:")
        elif token.type != _NOTE_CLOSES:
            open_lists[-1].append(token)
        elif is_note.pop():
            notes += [*open_lists.pop(), token]
    state.tokens = open_lists[0] + notes


def _paragraph(text: str) -> Iterator[Token]:
    from markdown_it.token import Token

    yield Token("paragraph_open", "p", 1, block=True)
    yield Token("inline", "", 0, content=text, children=[Token("text", "", 0, content=text)])
    yield Token("paragraph_close", "p", -1, block=True)
