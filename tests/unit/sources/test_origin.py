"""An address that somebody states is shown only if it can be taken for what it is."""

from __future__ import annotations

import pytest

from countersign.sources.origin import LONGEST_ADDRESS, stated_address


@pytest.mark.parametrize(
    "address",
    [
        "https://www.who.int/bees",
        "http://example.org",
        "HTTPS://EXAMPLE.ORG/A?b=c#d",
        "https://example.org:8443/@name",  # an @ after the host is a part of the path
        "https://example.org?mail=a@b",
        "https://[2001:db8::1]/x",
        "https://b\u00fccher.example/",
    ],
)
def test_an_address_of_the_web_is_shown_as_it_is(address: str) -> None:
    assert stated_address(address) == address


@pytest.mark.parametrize(
    "address",
    [
        "https://who.int@evil.example/",  # a user name that looks like a host
        "https://who.int:443@evil.example/",
        "https://@evil.example/",
        "https://who.int\\@evil.example/",  # some programs read \ as /
        "https://who.int/\\..",
        "https://",
        "https:///path",
        "//who.int/",
        "ftp://who.int/",
        "javascript:alert(1)",
        "file:///etc/passwd",
        "data:text/html,x",
        "https://who.int/ and more",
        "https://who.int/<b>",
        'https://who.int/"x',
        "https://who.int/\n",
        "https://who.int/" + "x" * LONGEST_ADDRESS,
        "",
        None,
    ],
)
def test_what_is_none_or_deceives_is_not_shown(address: str | None) -> None:
    assert stated_address(address) is None
