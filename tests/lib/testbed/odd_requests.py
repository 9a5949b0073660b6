"""Odd requests, and how each is answered on the local host and on the Functions host alike.

A status is given where both agree; where what the app is not asked about may differ between web
servers, there are several. `{operation}` stands for a report whose first version waits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

Statuses = frozenset[int]
Headers = tuple[tuple[str, str], ...]

JSON: Headers = (("Content-Type", "application/json"),)
CHUNKED: Headers = (*JSON, ("Transfer-Encoding", "chunked"))
DECISION = "/api/operations/{operation}/proposals/1/decision"


class Odd(NamedTuple):
    """A request, and what may become of it.

    Attributes:
        person: whose token it carries: a person of the desk, or nobody.
        code: of the problem document that answers, if one has to.
    """

    method: str
    target: str
    statuses: Statuses
    code: str | None = None
    headers: Headers = ()
    body: bytes = b""
    person: str | None = None

    def __str__(self) -> str:
        told = [
            self.method,
            self.target[:60],
            *(f"{name}={value[:20]}" for name, value in self.headers),
        ]
        return " ".join(told + ([repr(self.body[:40])] if self.body else []))


def _of(*statuses: int) -> Statuses:
    return frozenset(statuses)


def _gets(person: str | None, cases: dict[str, int | tuple[int, str]]) -> Iterator[Odd]:
    for target, expected in cases.items():
        status, code = expected if isinstance(expected, tuple) else (expected, None)
        yield Odd("GET", target, _of(status), code, person=person)


PATHS = _gets(
    None,
    {
        "/api/health": 200,
        "/API/HEALTH": 200,
        "/api/Health/": 200,
        "/api/%68ealth": 200,
        "/api/./health": 200,
        "/api/x/../health": 200,
        "/api/x/%2e%2e/health": 200,
        "/x/../../api/health": 200,
        "/api/health?": 200,
        "/api/health?code=1&code=2": 200,
        "/api/health;x=1": (404, "not_found"),
        "/api/health%00": 400,
        "/api/health%2F": 404,
        "/api/health%20": (404, "not_found"),
        "/api/health%0A": (404, "not_found"),
        "//api/health": 404,
        "/api//health": 404,
        "/api/health//": 404,
        "/api": 404,
        "/api/": 404,
        "/health": 404,
        "/api/healthz": (404, "not_found"),
        "/api/%E4": (404, "not_found"),
        "/api/%F0%9F%98%80": (404, "not_found"),
        "/api/..%2F..%2Fetc%2Fpasswd": (404, "not_found"),
        "/api/../../../etc/passwd": 404,
        "/.env": 404,
        "/host.json": 404,
        "/local.settings.json": 404,
        "/function_app.py": 404,
        "/.git/config": 404,
        "/api/review": 200,
        "/api/review/": 308,
        "/api/review/main.js": 200,
        "/api/review/MAIN.JS": (404, "not_found"),
        "/api/review/index.html": 308,
        "/api/review/none.js": (404, "not_found"),
        "/api/review/..%2Frender.py": (404, "not_found"),
        "/api/review/%2e%2e/health": 200,
        "/api/review/..%5Crender.py": (404, "not_found"),
        "/api/review/main.js%00.css": 400,
        "/api/review/a%0Ab": (404, "not_found"),
        "/api/review/main.js/x": 404,
        "/api/openapi.json": 200,
        "/api/OpenAPI.JSON": 200,
        "/api/openapi.json/x": 404,
        "/api/proof-key": 200,
    },
)

WITHOUT_TOKEN = _gets(
    None,
    dict.fromkeys(
        (
            "/api/me",
            "/api/operations",
            "/api/operations/none",
            "/api/operations/{operation}",
            "/api/operations/{operation}/history",
            "/api/operations/{operation}/report",
            "/api/operations/{operation}/proof",
            "/api/operations/{operation}/attestation",
            "/api/operations/{operation}/proposals/1",
            "/api/operations/{operation}/proposals/1/questions",
            "/api/proposals",
            "/api/documents",
        ),
        (401, "unauthenticated"),
    ),
)

LOOKING = _gets(
    "reviewer",
    {
        "/api/operations?limit=": 200,
        "/api/operations?limit=1": 200,
        "/api/operations?LIMIT=1": 200,
        "/api/operations?limit=0": (422, "malformed"),
        "/api/operations?limit=101": (422, "malformed"),
        "/api/operations?limit=-1": (422, "malformed"),
        "/api/operations?limit=1e1": (422, "malformed"),
        "/api/operations?limit=%D9%A1": (422, "malformed"),
        "/api/operations?limit=1&limit=2": (422, "malformed"),
        "/api/operations?limit=1&LIMIT=2": (422, "malformed"),
        "/api/operations?limit=%00": (422, "malformed"),
        "/api/operations?state=nonsense": (422, "malformed"),
        "/api/operations?state=awaiting_approval": 200,
        "/api/operations?cursor=made-up": (422, "malformed"),
        "/api/operations?cursor=%FF": (422, "malformed"),
        "/api/operations?cursor=e30": (422, "malformed"),
        "/api/operations?a=&b=1&c": (422, "malformed"),
        "/api/operations?=&&==": (422, "malformed"),
        "/api/operations?x=%zz": (422, "malformed"),
        "/api/operations/none": (404, "not_found"),
        "/api/operations/research-000000000000000000000000": (404, "not_found"),
        "/api/operations/{operation}%20": (404, "not_found"),
        "/api/operations/{operation}%0A": (404, "not_found"),
        "/api/operations/{operation}'": (404, "not_found"),
        "/api/operations/{operation}%2F": (404, "not_found"),
        "/api/operations/%FF": (404, "not_found"),
        "/api/operations/..%2F..": (404, "not_found"),
        "/api/operations/*": (404, "not_found"),
        "/api/operations/@approvalgate@x": (404, "not_found"),
        "/api/operations/{operation}": 200,
        "/API/Operations/{operation}": 200,
        "/api/operations/{operation}/": 200,
        "/api/operations/{operation}/report": (404, "not_published"),
        "/api/operations/{operation}/proposals": 404,
        "/api/operations/{operation}/proposals/0": (404, "not_found"),
        "/api/operations/{operation}/proposals/-1": (404, "not_found"),
        "/api/operations/{operation}/proposals/01": (404, "not_found"),
        "/api/operations/{operation}/proposals/1.0": (404, "not_found"),
        "/api/operations/{operation}/proposals/%31": 200,
        "/api/operations/{operation}/proposals/%D9%A1": (404, "not_found"),
        "/api/operations/{operation}/proposals/999": (404, "not_found"),
        "/api/operations/{operation}/proposals/99999999999999999999": (404, "not_found"),
        "/api/operations/{operation}/proposals/1?since=": 200,
        "/api/operations/{operation}/proposals/1?since=0": (422, "malformed"),
        "/api/operations/{operation}/proposals/1?since=x": (422, "malformed"),
        "/api/operations/{operation}/proposals/1?since=7": (422, "malformed"),
        "/api/proposals?status=decided": (422, "malformed"),
        "/api/proposals?operation=": 200,
        "/api/proposals?operation=none": (404, "not_found"),
        "/api/proposals?limit=x": (422, "malformed"),
        "/api/proposals?state=published": (422, "malformed"),
        "/api/operations?stat=published": (422, "malformed"),
        "/api/operations?sort=best": (422, "malformed"),
        "/api/operations?amount_from=-1": (422, "malformed"),
        "/api/operations?amount_to=%D9%A1": (422, "malformed"),
        "/api/operations?asked_from=2026-11-30": (422, "malformed"),
        "/api/operations?asked_from=0001-01-01T00:00:00%2B14:00": (422, "malformed"),
        "/api/operations?decided_to=9999-12-31T23:59:59Z&requester=me&decider=me": 200,
        "/api/operations?text=%00%FF&role=nobody&requester=nobody": 200,
        "/api/operations?approvals_from=0": (422, "malformed"),
        "/api/me?x=1": (422, "malformed"),
        "/api/documents": (403, "not_authorised"),
    },
)

_ROUTES = {
    "/api/health": ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"),
    "/api/me": ("POST", "PUT", "DELETE", "PROPFIND"),
    "/api/research": ("GET", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS"),
    "/api/purchases": ("GET", "HEAD", "PUT"),
    "/api/operations": ("POST", "PUT", "DELETE"),
    "/api/operations/{operation}": ("POST", "PUT", "DELETE", "PATCH"),
    "/api/operations/{operation}/proposals/1/decision": ("GET", "HEAD", "PUT", "DELETE"),
    "/api/operations/{operation}/withdraw": ("GET", "DELETE"),
    "/api/review": ("POST", "PUT", "DELETE"),
}
METHODS = [
    *(
        Odd(method, target, _of(404, 405), person="reviewer")
        for target, methods in _ROUTES.items()
        for method in methods
    ),
    Odd("get", "/api/health", _of(200)),
    Odd("hEaD", "/api/health", _of(200, 404)),
    Odd("HEAD", "/api/health", _of(200)),
    Odd("HEAD", "/api/me", _of(401)),
    Odd("HEAD", "/api/review/main.js", _of(200)),
    Odd("G T", "/api/health", _of(400)),
    Odd("GET", "api/health", _of(400, 404)),
    Odd("GET", "*", _of(400, 404)),
    Odd("GET", "http://elsewhere.example/api/health", _of(200, 400)),
    Odd("GET", "/api/" + "x" * 7_000, _of(404)),
    Odd("GET", "/api/" + "x" * 20_000, _of(400, 404, 414)),
]

HEADERS = [
    *(
        Odd("GET", "/api/me", _of(401), "unauthenticated", headers=(("Authorization", value),))
        for value in (
            *("", "Bearer", "Bearer ", "Bearer x", "Bearer a.b.c", "Bearer ..", "Basic cm9vdDo="),
            *("Bearer e30.e30.e30", "Bearer eyJhbGciOiJub25lIn0.e30.", "Bearer null", "x" * 4_000),
        )
    ),
    *(
        Odd("GET", "/api/me", _of(401), "unauthenticated", headers=(pair,))
        for pair in (
            ("X-MS-CLIENT-PRINCIPAL", "e30="),
            ("X-MS-CLIENT-PRINCIPAL", "not base64"),
            ("X-MS-CLIENT-PRINCIPAL-ID", "root"),
            ("X-MS-TOKEN-AAD-ID-TOKEN", "a.b.c"),
            ("Cookie", "AppServiceAuthSession=made-up"),
            ("X-HTTP-Method-Override", "DELETE"),
            ("X-Original-URL", "/api/health"),
            ("X-Forwarded-Host", "elsewhere.example"),
            ("X-Forwarded-Proto", "javascript"),
            ("X-Countersign", "%FF%00"),
            ("Range", "bytes=0-1"),
            ("Accept", "application/xml"),
            ("Accept-Encoding", "br;q=2"),
            ("If-Match", "*"),
            ("traceparent", "00-zz-zz-zz"),
            ("traceparent", "00-" + "0" * 32 + "-" + "0" * 16 + "-01"),
            ("tracestate", "=,=,="),
            ("Content-Type", "application/json; charset=nonsense"),
            ("Expect", "100-continue"),
        )
    ),
    Odd("GET", "/api/health", _of(400), headers=(("Content-Length", "-1"),)),
    Odd("GET", "/api/health", _of(400), headers=(("Content-Length", "x"),)),
    Odd("GET", "/api/health", _of(400), headers=(("bad name", "x"),)),
    Odd("GET", "/api/health", _of(400, 401, 200, 431), headers=(("X-Long", "x" * 40_000),)),
    Odd("GET", "/api/review/main.js", _of(304), headers=(("If-None-Match", "*"),)),
    Odd("GET", "/api/review/main.js", _of(200), headers=(("If-None-Match", '"'),)),
]

_BODIES: Iterable[bytes] = (
    *(b"", b"{", b"[]", b"null", b"1", b'"text"', b"{}", b"{} {}", b"{'topic': 'x'}", b"\xff\xfe"),
    *(b"\x00", b'{"topic": "a\x00b"}', b'{"topic": "\xff"}', b'{"topic": "\\ud800"}'),
    *(b'{"topic": "a", "topic": "b"}', b'{"topic": NaN}', b'{"topic": Infinity}', b"[" * 100_000),
    *(b'{"topic": ' + b"1" * 10_000 + b"}", b'{"topic": null}', b'{"topic": ["a"]}'),
    *(b'{"topic": ""}', b'{"topic": " \\t "}', b'{"topic": "' + b"x" * 301 + b'"}'),
    *(b'{"topic": "a\\u202eb"}', b'{"topic": "a\\nb"}', b'{"topic": "a\\u0000b"}'),
    *(b'{"Topic": "a"}', b'{"topic": "a", "admin": true}', b'{"topic": "a", "__class__": "x"}'),
    *(b'{"topic": "a", "subtopics": "b"}', b'{"topic": "a", "subtopics": [1]}'),
    b'{"topic": "a", "subtopics": [' + b",".join([b'"b"'] * 100) + b"]}",
    b'{"topic": "a", "approval": {"quorum": 0}}',
    b'{"topic": "a", "approval": {"quorum": 1.5}}',
    b'{"topic": "a", "approval": {"quorum": true}}',
    b'{"topic": "a", "approval": {"window_seconds": 0}}',
    b'{"topic": "a", "approval": {"window_seconds": 1e400}}',
    b'{"topic": "a", "approval": {"window_seconds": "1"}}',
    b'{"topic": "a", "approval": {"role": "Root"}}',
    b'{"topic": "a", "documents": {}}',
    b'{"topic": "a", "documents": [{"title": "t"}]}',
    b'{"topic": "a", "documents": [{"title": "t", "text": "x", "url": "file:///etc/passwd"}]}',
    b"topic=a",
    b"<topic>a</topic>",
)
BODIES = [
    *(
        Odd("POST", "/api/research", _of(422), "malformed", JSON, body, "requester")
        for body in _BODIES
    ),
    Odd("POST", "/api/research", _of(401), "unauthenticated", JSON, b'{"topic": "a"}'),
    Odd("POST", "/api/research", _of(403), "not_authorised", JSON, b'{"topic": "a"}', "reviewer"),
    Odd("POST", "/api/purchases", _of(403), "not_authorised", JSON, b"{}", "reviewer"),
    Odd("POST", "/api/research", _of(413), "too_large", JSON, b" " * 20_900_000, "requester"),
    *(
        Odd(
            "POST",
            "/api/research",
            _of(422),
            "malformed",
            (*JSON, key),
            b'{"topic": "a"}',
            "requester",
        )
        for key in (("Idempotency-Key", "a" * 201), ("Idempotency-Key", "a b"))
    ),
    *(
        Odd(
            "POST",
            target,
            _of(411),
            "length_required",
            CHUNKED,
            b"2\r\n{}\r\n0\r\n\r\n",
            who,
        )
        for target, who in (("/api/research", "requester"), (DECISION, "reviewer"))
    ),
    *(
        Odd("POST", DECISION, _of(422), "malformed", JSON, body, "reviewer")
        for body in (
            *(b"", b"{}", b'{"decision": "approve"}', b'{"decision": "APPROVE", "digest": "x"}'),
            *(b'{"decision": "approve", "digest": 1}', b'{"decision": "", "digest": ""}'),
            b'{"decision": "approve", "decision": "reject", "digest": "' + b"0" * 64 + b'"}',
            b'{"decision": "approve", "digest": "' + b"0" * 64 + b'", "by": "Grace"}',
        )
    ),
    Odd(
        "POST",
        DECISION,
        _of(409),
        "digest_mismatch",
        JSON,
        b'{"decision": "approve", "digest": "' + b"0" * 64 + b'"}',
        "reviewer",
    ),
    Odd("POST", "/api/documents", _of(422), "malformed", (), b"x", "requester"),
    *(
        Odd(
            "POST", "/api/documents", _of(status), code, (("X-File-Name", name),), b"x", "requester"
        )
        for name, status, code in (
            ("a.exe", 415, "unsupported_type"),
            ("%FF.txt", 422, "malformed"),
            ("..%2F..%2Fetc%2Fpasswd", 415, "unsupported_type"),
            ("a.pdf", 422, "unreadable"),
            ("a.docx", 422, "unreadable"),
        )
    ),
]

ALL = [*PATHS, *WITHOUT_TOKEN, *LOOKING, *METHODS, *HEADERS, *BODIES]
