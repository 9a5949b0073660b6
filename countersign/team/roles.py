"""Who is asked: a name, and instructions that are kept as a file of `prompts`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "prompts"


@dataclass(frozen=True, kw_only=True, slots=True)
class Role:
    """One of the team.

    Attributes:
        name: as traces show it.
        file: of its instructions, without the `.md`.
    """

    name: str
    file: str

    @property
    def prompt(self) -> str:
        """The instructions, without the comment at their head that names their version."""
        return _prompt(self.file)


PLANNER = Role(name="Planner", file="plan")
RESEARCHER = Role(name="Researcher", file="research")
FACT_CHECKER = Role(name="FactChecker", file="check")
REVISER = Role(name="Researcher", file="revise")
WRITER = Role(name="Writer", file="write")
PROOFREADER = Role(name="Proofreader", file="proofread")
CONSULTANT = Role(name="FactChecker", file="consult")


@cache
def _prompt(file: str) -> str:
    text = (FOLDER / f"{file}.md").read_text(encoding="utf-8")
    _, _, instructions = text.partition("-->\n")
    return instructions.strip()
