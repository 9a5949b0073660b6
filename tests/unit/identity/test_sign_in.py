"""How people sign in, read from the settings."""

from __future__ import annotations

import pytest

from countersign.identity.sign_in import SignIn, read_sign_in

PAGE = {
    "COUNTERSIGN_SIGN_IN": "page",
    "COUNTERSIGN_SIGN_IN_AUTHORITY": "https://login.example/home/v2.0",
    "COUNTERSIGN_SIGN_IN_CLIENT_ID": "client",
    "COUNTERSIGN_SIGN_IN_SCOPE": "client/user_impersonation",
}


def test_without_a_word_of_it_nobody_signs_in_and_tokens_are_pasted() -> None:
    assert read_sign_in({}) == read_sign_in({"COUNTERSIGN_SIGN_IN": ""}) == SignIn(way="token")
    assert read_sign_in({"COUNTERSIGN_SIGN_IN": "platform"}) == SignIn(way="platform")


def test_the_page_is_told_where_it_signs_people_in() -> None:
    read = read_sign_in(PAGE)
    assert (read.authority, read.origin) == (
        PAGE["COUNTERSIGN_SIGN_IN_AUTHORITY"],
        "https://login.example",
    )
    local = {**PAGE, "COUNTERSIGN_SIGN_IN_AUTHORITY": "http://127.0.0.1:7072/.auth/dev"}
    assert read_sign_in(local).origin == "http://127.0.0.1:7072"
    assert SignIn(way="platform").origin == ""


@pytest.mark.parametrize("missing", [name for name in PAGE if name != "COUNTERSIGN_SIGN_IN"])
def test_a_part_that_is_missing_is_named(missing: str) -> None:
    with pytest.raises(ValueError, match=f"{missing} is missing"):
        read_sign_in({**PAGE, missing: " "})


@pytest.mark.parametrize(
    "authority",
    [
        "http://login.example",
        "https://login.example; script-src *",
        "https://login.example,https://evil.example",
        "https://user@login.example",
        "https://login.example/?tenant=home",
        "login.example",
        "file:///keys",
    ],
)
def test_an_authority_that_could_say_more_than_where_it_is_is_refused(authority: str) -> None:
    with pytest.raises(ValueError, match="COUNTERSIGN_SIGN_IN_AUTHORITY must be"):
        read_sign_in({**PAGE, "COUNTERSIGN_SIGN_IN_AUTHORITY": authority})


def test_another_word_is_no_way_to_sign_in() -> None:
    with pytest.raises(ValueError, match="page, platform or token, not 'cookie'"):
        read_sign_in({"COUNTERSIGN_SIGN_IN": "cookie"})
