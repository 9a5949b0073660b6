"""Find out which source a finding means, where code knows better than the model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from countersign.team.folded import FoldedText
from countersign.team.models import Finding


def attributed(
    findings: Sequence[Finding], shown: Mapping[str, str], texts: Mapping[str, str]
) -> list[Finding]:
    """Return the findings with the sources that they mean, leaving out those that mean none.

    A quote that stands in exactly one of the sources that were shown is from there, whatever the
    finding says. Otherwise the source has to be one that was shown, named by its id or its title.

    Args:
        findings: What the researcher found.
        shown: The titles of the sources that it was shown, by id.
        texts: The texts of those, by id.
    """
    folded = {source: FoldedText(text) for source, text in texts.items()}
    return list(_attributed(findings, shown, folded))


def _attributed(
    findings: Sequence[Finding], shown: Mapping[str, str], texts: Mapping[str, FoldedText]
) -> Iterator[Finding]:
    names = {_name(title): source for source, title in shown.items()}
    names |= {_name(source): source for source in shown}
    for finding in findings:
        named = names.get(_name(finding.source))
        if not named or not texts[named].has(finding.quote):
            holders = [source for source, text in texts.items() if text.has(finding.quote)]
            named = holders[0] if len(holders) == 1 else named
        if named:
            yield finding.model_copy(update={"source": named})


def _name(text: str) -> str:
    return " ".join(text.casefold().strip("<>[](){}\"' .").split())
