from __future__ import annotations

import pytest

from devhost.templates import template


@pytest.mark.parametrize(
    ("route", "path", "parameters"),
    [
        ("orders", "/Orders/", {}),
        ("orders/{id}", "orders/1", {"id": "1"}),
        ("orders/{id}", "orders", None),
        ("orders/{id}", "orders/1/2", None),
        ("orders/{id?}", "orders", {}),
        ("orders/{id?}", "orders/1", {"id": "1"}),
        ("orders/{id=7}", "orders", {"id": "7"}),
        ("orders/{id:int}", "orders/12", {"id": "12"}),
        ("orders/{id:int}", "orders/x1", None),
        ("orders/{id:int?}", "orders", {}),
        ("orders/{id:guid}", "orders/6f9619ff-8b86-d011-b42d-00cf4fc964ff", ...),
        ("orders/{id:length(3)}", "orders/abc", {"id": "abc"}),
        ("orders/{id:maxlength(3)}", "orders/abcd", None),
        ("orders/{id:regex(^a[0-9]+$)}", "orders/a1", {"id": "a1"}),
        ("orders/{id:regex(^a[0-9]+$)}", "orders/xa1", None),
        ("orders/{id:regex(a[0-9])}", "orders/xa1x", {"id": "xa1x"}),
        ("orders/{id:regex(^(a|b)$)}/x", "orders/b/x", {"id": "b"}),
        ("{a}-{b}.txt", "x-y.txt", {"a": "x", "b": "y"}),
        ("files/{*path}", "files/a/b", {"path": "a/b"}),
        ("files/{*path}", "files", {}),
        ("{name}", "a%20b", {"name": "a b"}),
        # A quoted slash is part of a value, not the end of a segment.
        ("{name}", "a%2Fb", {"name": "a/b"}),
    ],
)
def test_a_template_matches_as_aspnet_does(route: str, path: str, parameters: object) -> None:
    found = template(route).match(path)
    assert found is not None if parameters is ... else found == parameters


def test_the_more_specific_route_goes_first() -> None:
    routes = ["a/{*rest}", "a/{id}", "a/{id:int}", "a/b"]
    assert sorted(routes, key=lambda text: template(text).weight) == routes[::-1]


def test_an_unknown_constraint_is_refused() -> None:
    with pytest.raises(ValueError, match="nonsense"):
        template("{id:nonsense}")
