"""Who is asking, as the API tells them, and how one signs in."""

from __future__ import annotations

from typing import Literal, TypeAlias

from countersign.approvals.person import Person
from countersign.kinds.registry import deciding_roles
from countersign.roles import PURCHASE_REQUESTER, RESEARCH_REQUESTER
from endpoints.answers.response_body import ResponseBody


class MayAtAll(ResponseBody):
    """What somebody's roles let them do at all; each operation has its own say."""

    request: bool
    purchase: bool
    decide: bool


class Me(ResponseBody):
    """Who the caller is, as the app knows them from their sign-in."""

    id: str
    name: str
    tenant: str
    roles: list[str]
    may: MayAtAll

    @classmethod
    def of(cls, person: Person) -> Me:
        """A person as they are told about themselves."""
        return cls(
            id=person.id,
            name=person.name,
            tenant=person.tenant,
            roles=sorted(person.roles),
            may=MayAtAll(
                request=RESEARCH_REQUESTER in person.roles,
                purchase=PURCHASE_REQUESTER in person.roles,
                decide=not person.program and not person.roles.isdisjoint(deciding_roles()),
            ),
        )


class SignInElsewhere(ResponseBody):
    """People sign in before they reach the app (`platform`), or paste a token (`token`)."""

    way: Literal["platform", "token"]


class SignInAtProvider(ResponseBody):
    """The page signs people in at an OpenID provider."""

    way: Literal["page"]
    authority: str
    client_id: str
    scope: str


SignInWay: TypeAlias = SignInElsewhere | SignInAtProvider
