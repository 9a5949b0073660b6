"""The reviewer's page as it is served: what is sent, how it is guarded, and what is not sent."""

from __future__ import annotations

import gzip
import os
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

import azure.functions as func
import pytest

import countersign.review.files
import endpoints.review
from countersign.review.files import add_kind, page_files

Get = Callable[..., Awaitable[func.HttpResponse]]


def policy_of(response: func.HttpResponse) -> dict[str, str]:
    """The directives of an answer's Content-Security-Policy."""
    policy = response.headers["Content-Security-Policy"]
    parts = [directive.split(maxsplit=1) for directive in policy.split(";")]
    return dict(parts)


async def test_scripts_reach_the_provider_that_signs_people_in_and_nobody_else(
    get: Get, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert policy_of(await get())["connect-src"] == "'self'"
    for name, value in {
        "": "page",
        "_AUTHORITY": "https://login.example/home/v2.0",
        "_CLIENT_ID": "client",
        "_SCOPE": "client/user_impersonation",
    }.items():
        monkeypatch.setenv(f"COUNTERSIGN_SIGN_IN{name}", value)
    assert policy_of(await get())["connect-src"] == "'self' https://login.example"
    monkeypatch.setenv("COUNTERSIGN_SIGN_IN_AUTHORITY", "https://login.example; script-src *")
    policy = policy_of(await get())
    assert (policy["connect-src"], policy["script-src"]) == ("'self'", "'self'")


async def test_every_file_that_the_page_names_is_served(get: Get) -> None:
    page = (await get()).get_body().decode()
    named = re.findall(r'(?:href|src)="review/([^"]+)"', page)
    assert {name.rpartition(".")[2] for name in named} == {"css", "js", "svg"}
    for file in named:
        assert (await get(file)).status_code == 200


async def bundled(get: Get, ending: str) -> func.HttpResponse:
    """The one file of its kind that the page loads."""
    [name] = re.findall(rf'"review/(page-\w+\.{ending})"', (await get()).get_body().decode())
    return await get(name)


async def test_what_the_page_loads_may_be_kept_for_ever_under_its_name(get: Get) -> None:
    for ending in ("js", "css"):
        headers = (await bundled(get, ending)).headers
        assert headers["Cache-Control"] == "public, max-age=31536000, immutable"


async def test_a_page_of_another_release_gets_this_one_and_may_not_keep_it(get: Get) -> None:
    old = await get(f"page-{'0' * 16}.js")
    assert old.get_body() == (await bundled(get, "js")).get_body()
    assert old.headers["Cache-Control"] == "no-cache"


async def test_who_takes_it_packed_is_sent_it_packed(get: Get) -> None:
    [name] = re.findall(r'"review/(page-\w+\.js)"', (await get()).get_body().decode())
    plain = await get(name)
    packed = await get(name, Accept_Encoding="gzip, br")
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.get_body()) == plain.get_body()
    assert len(packed.get_body()) < len(plain.get_body()) / 3


async def test_the_last_style_sheet_is_the_one_for_paper(get: Get) -> None:
    style = (await bundled(get, "css")).get_body().decode()
    assert style.rindex("/*") == style.index("/* On paper")


async def test_the_script_of_another_kind_is_served_and_loaded(
    get: Get, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(countersign.review.files, "_added", {})
    before = (await get()).headers["ETag"]
    script = tmp_path / "payment.js"
    script.write_text("// a payment")
    add_kind(script)
    assert b"m_kinds_payment" in (await bundled(get, "js")).get_body()
    assert (await get("kinds/payment.js")).get_body() == b"// a payment"
    assert (await get()).headers["ETag"] != before


def test_no_script_takes_the_place_of_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(countersign.review.files, "_added", {})
    with pytest.raises(ValueError, match=r"another script 'order\.js'"):
        add_kind(tmp_path / "order.js")


async def test_the_page_is_served_under_one_address_alone(get: Get) -> None:
    response = await get("index.html")
    assert (response.status_code, response.headers["Location"]) == (308, "../../api/review")


@pytest.mark.parametrize("name", sorted({*page_files()} - {"index.html"}))
async def test_a_file_has_its_own_type_and_is_never_guessed_at(get: Get, name: str) -> None:
    response = await get(name)
    types = {
        "css": "text/css",
        "js": "text/javascript",
        "svg": "image/svg+xml",
    }
    assert response.mimetype == types[name.rpartition(".")[2]]
    assert response.charset == "utf-8"
    assert response.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    "name",
    [
        "nothing.js",
        "..%2frender.py",
        "..\\render.py",
        "__init__.py",
        "MAIN.JS",
        "kind.d.ts",
        "words",
        "words/none.js",
        "../render.py",
        "main.js ",
    ],
)
async def test_nothing_but_the_files_of_the_page_can_be_had(get: Get, name: str) -> None:
    assert (await get(name)).status_code == 404


async def test_the_page_may_run_and_load_only_what_is_its_own(get: Get) -> None:
    policy = policy_of(await get())
    assert policy.pop("default-src") == "'none'"
    assert {policy.pop(f"{kind}-src") for kind in ("script", "style", "connect", "img")} == {
        "'self'"
    }
    assert policy == {
        "form-action": "'none'",
        "base-uri": "'none'",
        "frame-ancestors": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "countersign-report",
    }


async def test_the_page_tells_no_other_site_where_its_reader_came_from(get: Get) -> None:
    headers = (await get()).headers
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert "Set-Cookie" not in headers


@pytest.mark.parametrize("known", ["{}", "W/{}", '"other", {}', "*"])
async def test_who_has_a_file_already_is_not_sent_it_again(get: Get, known: str) -> None:
    etag = (await get("main.js")).headers["ETag"]
    again = await get("main.js", If_None_Match=known.format(etag))
    assert again.status_code == 304
    assert again.get_body() == b""
    assert again.mimetype == "text/javascript"
    assert again.headers["ETag"] == etag
    assert again.headers["Cache-Control"] == "no-cache"


async def test_a_file_that_a_developer_edits_is_sent_as_it_is_now(
    get: Get, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = tmp_path / "main.js"
    module.write_text("before")
    monkeypatch.setattr(endpoints.review, "page_files", lambda: {"main.js": module})
    before = await get("main.js")
    module.write_text("after")
    os.utime(module, ns=(0, module.stat().st_mtime_ns + 1_000_000_000))
    after = await get("main.js")
    assert (before.get_body(), after.get_body()) == (b"before", b"after")
    assert before.headers["ETag"] != after.headers["ETag"]


@pytest.mark.parametrize("known", ["", '"other"', 'W/"other"', "main.js"])
async def test_who_has_another_version_is_sent_this_one(get: Get, known: str) -> None:
    response = await get("main.js", If_None_Match=known)
    assert response.status_code == 200
    assert response.get_body()
