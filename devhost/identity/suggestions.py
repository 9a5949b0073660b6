"""Whom the sign-in page suggests to sign in as, and what it says about the app."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape

ABOUT = "DEVHOST_ABOUT"
PEOPLE = "DEVHOST_PEOPLE"


@dataclass(frozen=True, kw_only=True, slots=True)
class Person:
    """Somebody to sign in as, with their roles."""

    name: str
    roles: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Suggestions:
    """What an app has its sign-in page say.

    Attributes:
        about: What the app is.
        people: Whom one can sign in as by one click.
    """

    about: str = ""
    people: tuple[Person, ...] = ()

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> Suggestions:
        """Read them from the settings, where people stand as `Ada=Role.One Role.Two; Grace=…`."""
        pairs = (each.partition("=") for each in environment.get(PEOPLE, "").split(";"))
        people = (Person(name=name.strip(), roles=roles.strip()) for name, _, roles in pairs)
        return cls(
            about=environment.get(ABOUT, ""),
            people=tuple(person for person in people if person.name),
        )

    @property
    def roles(self) -> tuple[str, ...]:
        """All roles that somebody suggested has, in the order in which they are named."""
        return tuple(dict.fromkeys(role for each in self.people for role in each.roles.split()))

    def roles_html(self) -> str:
        """Return the fields for the roles of anybody else: boxes for those that are known."""
        if not self.roles:
            return '<label>Roles, with blanks or commas between them <input name="roles"></label>'
        boxes = "".join(
            f'<label class="role"><input type="checkbox" name="roles" value="{escape(role)}">'
            f" {escape(role)}</label>"
            for role in self.roles
        )
        return f"<fieldset><legend>Roles</legend>{boxes}</fieldset>"

    def html(self, target: str) -> str:
        """Return them as markup, with forms that lead to `target`."""
        about = f"<p>{escape(self.about)}</p>" if self.about else ""
        return about + "\n".join(_form(person, target) for person in self.people)


def _form(person: Person, target: str) -> str:
    hidden = {"name": person.name, "roles": person.roles, "post_login_redirect_uri": target}
    fields = "".join(
        f'<input type="hidden" name="{name}" value="{escape(value)}">'
        for name, value in hidden.items()
    )
    label = f"<strong>{escape(person.name)}</strong> {escape(person.roles.replace(' ', ', '))}"
    return (
        f'<form class="person" method="post" action="/.auth/login/dev">{fields}'
        f"<button>{label}</button></form>"
    )
