"""Find out which source and which words a finding means, where code knows better than the model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from countersign.team.folded import FoldedText
from countersign.team.meant import Passages, is_beside_the_point
from countersign.team.models import Finding
from countersign.team.questions import Shown


def attributed(
    findings: Sequence[Finding], shown: Sequence[Shown], texts: Mapping[str, str]
) -> list[Finding]:
    """Return the findings with the sources that they mean, leaving out those that mean none.

    A quote that stands in exactly one of the sources that were shown is from there, whatever the
    finding says. A quote that stands in none, or shows something else than its claim, gives way to
    the words of a passage that it copies badly, or that say what is claimed. Otherwise the source
    has to be one that was shown, named by its id or its title.

    Args:
        findings: What the researcher found.
        shown: The passages that it was shown.
        texts: The texts of their sources, by id.
    """
    folded = {source: FoldedText(text) for source, text in texts.items()}
    return list(_attributed(findings, shown, folded))


def _attributed(
    findings: Sequence[Finding], shown: Sequence[Shown], texts: Mapping[str, FoldedText]
) -> Iterator[Finding]:
    names = {_name(each.title): each.source for each in shown}
    names |= {_name(each.source): each.source for each in shown}
    passages = Passages(shown)
    for finding in findings:
        named = names.get(_name(finding.source))
        holders = _holders(finding.quote, named, texts)
        if meant := _meant(finding, passages, found=bool(holders)):
            yield meant
        elif source := holders[0] if len(holders) == 1 else named:
            yield finding.model_copy(update={"source": source})


def _holders(quote: str, named: str | None, texts: Mapping[str, FoldedText]) -> list[str]:
    """Return the sources that have a quote: the named one alone, if it is one of them."""
    if named and texts[named].has(quote):
        return [named]
    return [source for source, text in texts.items() if text.has(quote)]


def _meant(finding: Finding, passages: Passages, *, found: bool) -> Finding | None:
    """Return the finding with a better quote; None if it needs none or none is found."""
    if found and not is_beside_the_point(finding.claim, finding.quote):
        return None
    copied = None if found else passages.copied(finding.quote)
    words = copied or passages.saying(finding.claim)
    return words and finding.model_copy(update={"quote": words.text, "source": words.source})


def _name(text: str) -> str:
    return " ".join(text.casefold().strip("<>[](){}\"' .").split())
