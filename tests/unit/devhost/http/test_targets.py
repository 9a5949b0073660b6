from __future__ import annotations

import pytest

from devhost.http.targets import BadTarget, joined, read_path, read_query, written


@pytest.mark.parametrize(
    ("raw", "path"),
    [
        ("/api/%6De", "/api/me"),
        ("/a%20b/%C3%BC", "/a b/\u00fc"),
        # A quoted slash is part of a segment, and is no dot segment's end.
        ("/a%2Fb%2fc", "/a%2Fb%2fc"),
        ("/a%2F..%2Fb", "/a%2F..%2Fb"),
        ("/a%0Ab", "/a\nb"),
        # No UTF-8
        ("/%FFx%c3%28", "/%FFx%c3("),
        ("/%E2%82/%ED%A0%80", "/%E2%82/%ED%A0%80"),
        ("/100%", "/100%"),
        # Decoded once
        ("/%2541", "/%41"),
        ("/a/./b/../c", "/a/c"),
        ("/a/%2e%2E/%2e/b", "/b"),
        ("/../../a", "/a"),
        ("/a/b/..", "/a/"),
        ("/a/.", "/a/"),
        ("/a/...", "/a/..."),
        ("//a/", "//a/"),
        ("/", "/"),
        ("http://127.0.0.1:7071/a/../b", "/b"),
    ],
)
def test_a_path_is_read_as_kestrel_reads_it(raw: str, path: str) -> None:
    assert read_path(raw) == path


def test_a_path_with_a_zero_is_no_request() -> None:
    with pytest.raises(BadTarget):
        read_path("/a%00b")


@pytest.mark.parametrize(
    ("raw", "query"),
    [
        ("", {}),
        ("a=1&b=x%20y+z", {"a": "1", "b": "x y z"}),
        ("a=&b=1&c", {"b": "1"}),
        ("a=1&A=3", {"A": "1,3"}),
        ("a=&a=1&a=", {"a": "1"}),
        ("a=1=2&&=3", {"a": "1=2", "": "3"}),
        ("a=%FF&b=%C3%BC&c=%2F", {"a": "%FF", "b": "\u00fc", "c": "/"}),
    ],
)
def test_a_query_is_read_as_the_host_hands_it_on(raw: str, query: dict[str, str]) -> None:
    assert read_query(raw) == query


def test_of_headers_of_one_name_the_empty_ones_are_dropped() -> None:
    headers = [("key", "k"), ("key", ""), ("lone", ""), ("x", "1"), ("x", "2")]
    assert joined(headers) == {"key": "k", "lone": "", "x": "1,2"}


@pytest.mark.parametrize(
    ("path", "address"),
    [
        ("/a b/\u00fc", "/a%20b/%C3%BC"),
        ("/a%2Fb", "/a%2Fb"),
        ("/100%", "/100%25"),
        ("/!$&'()*+,;=:@-._~", "/!$&'()*+,;=:@-._~"),
        ("/a\n?#[]", "/a%0A%3F%23%5B%5D"),
    ],
)
def test_an_address_has_what_it_cannot_hold_encoded(path: str, address: str) -> None:
    assert written(path) == address
