"""Who a model is asked as: the roles of the team, and the request that is put to one of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

PROMPTS = Path(__file__).parent / "prompts"


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

    def asked(self, question: str, form: type[BaseModel]) -> Request:
        """Return the request that puts a question in a conversation of its own."""
        return Request(
            role=self.name,
            prompt=self.prompt,
            question=question,
            form=form.model_json_schema(),
        )


PLANNER = Role(name="Planner", file="plan")
RESEARCHER = Role(name="Researcher", file="research")
FACT_CHECKER = Role(name="FactChecker", file="check")
REVISER = Role(name="Researcher", file="revise")
WRITER = Role(name="Writer", file="write")
PROOFREADER = Role(name="Proofreader", file="proofread")
CONSULTANT = Role(name="FactChecker", file="consult")


@cache
def _prompt(file: str) -> str:
    text = (PROMPTS / f"{file}.md").read_text(encoding="utf-8")
    _, _, instructions = text.partition("-->\n")
    return instructions.strip()


class Request(BaseModel):
    """All that a model is asked with in one call.

    Attributes:
        role: who it is to be.
        prompt: the role's instructions.
        question: what it is asked.
        form: the JSON schema of the answer.
    """

    model_config = ConfigDict(strict=True, frozen=True, defer_build=True)

    role: str
    prompt: str
    question: str
    form: dict[str, Any]

    @property
    def prompt_digest(self) -> str:
        """Which instructions these are: the SHA-256 of their text."""
        return sha256(self.prompt.encode()).hexdigest()
