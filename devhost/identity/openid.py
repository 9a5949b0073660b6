"""The local sign-in as an OpenID provider, for pages that sign people in themselves.

Authorization code with PKCE for public clients: RFC 6749, RFC 7636, RFC 9207, OpenID Connect Core
1.0. Whoever has a session of the local sign-in is not asked again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlencode

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from devhost.guards import from_own_page
from devhost.identity.grants import Grant, Grants
from devhost.identity.loopback import loopback_only
from devhost.identity.session import session_of, without_session
from devhost.identity.signout import asking, wanted_after
from devhost.identity.tokens import Tokens

AUTHORITY = "/.auth/dev"
ACCESS_SECONDS = 3600.0
"""As long as Entra ID's, about, so that a page has to renew them here too."""

_LOOPBACK_PAGE = re.compile(r"https?://(localhost|127\.0\.0\.1|\[::1\])(:\d+)?/[!-\[\]-~]*")
_START = "/.auth/login/dev"
_NOT_STORED = {"Cache-Control": "no-store"}
# Pages at other ports of this machine ask too. Who may is decided by the server's guard.
_ANY_ORIGIN = {**_NOT_STORED, "Access-Control-Allow-Origin": "*"}


class RefusedSignIn(Exception):
    """A request that gets an error of RFC 6749 for an answer."""


class OpenIdProvider:
    """The provider's routes.

    Args:
        tokens: Those of the sign-in, whose sessions count here too.
        clock: Tells the present moment, with a time zone.
    """

    def __init__(self, tokens: Tokens, clock: Callable[[], datetime]) -> None:
        self._tokens = tokens
        self._codes = Grants(clock, timedelta(minutes=1))
        self._refreshing = Grants(clock, timedelta(days=1))

    def routes(self) -> list[Route]:
        """Return the routes: its description, and where codes and tokens are asked for."""
        description = f"{AUTHORITY}/.well-known/openid-configuration"
        return [
            Route(description, loopback_only(self._description)),
            Route(f"{AUTHORITY}/authorize", loopback_only(self._authorize)),
            Route(f"{AUTHORITY}/token", loopback_only(self._token), methods=["POST"]),
            Route(f"{AUTHORITY}/logout", loopback_only(self._ask)),
            Route(f"{AUTHORITY}/logout", loopback_only(self._sign_out), methods=["POST"]),
        ]

    async def _description(self, request: Request) -> Response:
        issuer = _issuer(request)
        told = {
            "issuer": issuer,
            "authorization_endpoint": f"{issuer}/authorize",
            "token_endpoint": f"{issuer}/token",
            "end_session_endpoint": f"{issuer}/logout",
            "jwks_uri": f"{issuer}/jwks",
            "response_types_supported": ["code"],
            "response_modes_supported": ["query", "fragment"],
            "grant_types_supported": ["authorization_code", "refresh_token"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "token_endpoint_auth_methods_supported": ["none"],
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": True,
        }
        return JSONResponse(told, headers=_ANY_ORIGIN)

    async def _authorize(self, request: Request) -> Response:
        asked = request.query_params
        target = asked.get("redirect_uri", "")
        if not _LOOPBACK_PAGE.fullmatch(target):
            return PlainTextResponse("redirect_uri must be an address of this machine.", 400)
        session = session_of(request, self._tokens)
        if answer := self._answer(asked, session and session.claims):
            return _back(request, answer)
        # The question is answered by then: it must not be asked again.
        again = {name: value for name, value in asked.items() if name != "prompt"}
        wanted = urlencode({"post_login_redirect_uri": f"{AUTHORITY}/authorize?{urlencode(again)}"})
        return _redirect(f"/.auth/login/dev?{wanted}")

    def _answer(
        self, asked: Mapping[str, str], person: Mapping[str, Any] | None
    ) -> dict[str, str] | None:
        """Return what the client is told at once; None if somebody has to be asked who they are."""
        prompt = asked.get("prompt", "").split()
        if fault := _fault(asked):
            return {"error": fault}
        if person is not None and not {"login", "select_account"} & {*prompt}:
            return {"code": self._code(asked, person)}
        return {"error": "login_required"} if "none" in prompt else None

    def _code(self, asked: Mapping[str, str], claims: Mapping[str, Any]) -> str:
        return self._codes.add(
            Grant(
                claims=claims,
                client_id=asked["client_id"],
                nonce=asked.get("nonce", ""),
                redirect_uri=asked["redirect_uri"],
                challenge=asked["code_challenge"],
            )
        )

    async def _token(self, request: Request) -> Response:
        sent = parse_qs((await request.body()).decode("utf-8", "replace"))
        form = {name: values[0] for name, values in sent.items() if len(values) == 1}
        try:
            grant = self._grant(form)
        except RefusedSignIn as error:
            return JSONResponse({"error": str(error)}, 400, headers=_ANY_ORIGIN)
        return JSONResponse(self._granted(grant, _issuer(request)), headers=_ANY_ORIGIN)

    def _grant(self, form: Mapping[str, str]) -> Grant:
        match form.get("grant_type"):
            case "authorization_code":
                grant = self._codes.take(form.get("code", ""))
                if grant is None or form.get("redirect_uri") != grant.redirect_uri:
                    raise RefusedSignIn("invalid_grant")
                if not grant.is_proved_by(form.get("code_verifier", "")):
                    raise RefusedSignIn("invalid_grant")
            case "refresh_token":
                grant = self._refreshing.take(form.get("refresh_token", ""))
            case _:
                raise RefusedSignIn("unsupported_grant_type")
        if grant is None or form.get("client_id") != grant.client_id:
            raise RefusedSignIn("invalid_grant")
        return grant

    def _granted(self, grant: Grant, issuer: str) -> dict[str, Any]:
        person = grant.claims
        of = {"iss": issuer, "aud": grant.client_id, "nonce": grant.nonce}
        access = self._tokens.token(
            name=person["name"],
            roles=person["roles"],
            tenant=person["tid"],
            subject=person["sub"],
            lifetime=ACCESS_SECONDS,
        )
        return {
            "token_type": "Bearer",
            "expires_in": int(ACCESS_SECONDS),
            "access_token": access,
            "id_token": self._tokens.id_token(person, of, ACCESS_SECONDS),
            "refresh_token": self._refreshing.add(grant),
        }

    async def _ask(self, request: Request) -> Response:
        target = request.query_params.get("post_logout_redirect_uri", _START)
        return asking(f"{AUTHORITY}/logout", target) if _leads_here(target) else _unfit()

    async def _sign_out(self, request: Request) -> Response:
        target = await wanted_after(request) or _START
        if not from_own_page(request.headers, request.scope["scheme"]):
            return PlainTextResponse("Sign out from this host's own page.", 403)
        return without_session(_redirect(target)) if _leads_here(target) else _unfit()


def _leads_here(target: str) -> bool:
    return bool(_LOOPBACK_PAGE.fullmatch(target)) or target == _START


def _unfit() -> Response:
    return PlainTextResponse("post_logout_redirect_uri must be an address of this machine.", 400)


def _issuer(request: Request) -> str:
    return f"{request.scope['scheme']}://{request.headers['host']}{AUTHORITY}"


def _fault(asked: Mapping[str, str]) -> str | None:
    """Return the error of RFC 6749, section 4.1.2.1, if a request has one."""
    if asked.get("response_type") != "code":
        return "unsupported_response_type"
    proves = asked.get("code_challenge_method") == "S256" and asked.get("code_challenge")
    openid = "openid" in asked.get("scope", "").split()
    return None if proves and openid and asked.get("client_id") else "invalid_request"


def _back(request: Request, answer: Mapping[str, str]) -> Response:
    asked = request.query_params
    told = {**answer, "state": asked.get("state", ""), "iss": _issuer(request)}
    target = asked["redirect_uri"].partition("#")[0]
    if asked.get("response_mode") == "fragment":
        return _redirect(f"{target}#{urlencode(told)}")
    return _redirect(f"{target}{'&' if '?' in target else '?'}{urlencode(told)}")


def _redirect(target: str) -> Response:
    return Response(status_code=303, headers={**_NOT_STORED, "Location": target})
