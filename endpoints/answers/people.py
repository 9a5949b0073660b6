"""Who is asking, as the API tells them, and how one signs in."""

from __future__ import annotations

from typing import Literal, TypeAlias

from countersign.approvals.person import Person
from countersign.kinds.order import ORDER
from countersign.kinds.registry import deciding_roles, known_kinds
from countersign.kinds.report import REPORT
from endpoints.answers.response_body import ResponseBody


class MayAtAll(ResponseBody):
    """What the caller's roles allow; each operation has its own `may`.

    `kinds`: the kinds of operations that the caller may request. `request` and `purchase` tell the
    same of reports and of orders alone. `decide`: whether there can be versions to decide on.
    """

    kinds: list[str]
    request: bool
    purchase: bool
    decide: bool

    @classmethod
    def of(cls, person: Person) -> MayAtAll:
        """Return what a person may do, of all kinds that this process knows."""
        kinds = [kind.name for kind in known_kinds() if kind.roles.request in person.roles]
        return cls(
            kinds=kinds,
            request=REPORT.name in kinds,
            purchase=ORDER.name in kinds,
            decide=not person.program and not person.roles.isdisjoint(deciding_roles()),
        )


class Me(ResponseBody):
    """Who the caller is, as the app knows them from their sign-in."""

    id: str
    name: str
    tenant: str
    roles: list[str]
    may: MayAtAll

    @classmethod
    def of(cls, person: Person) -> Me:
        """Return a person as they are told about themselves."""
        return cls(
            id=person.id,
            name=person.name,
            tenant=person.tenant,
            roles=sorted(person.roles),
            may=MayAtAll.of(person),
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
