from __future__ import annotations

import pytest

from devhost.functions.templates import template


@pytest.mark.parametrize(
    ("route", "path", "parameters"),
    [
        ("orders", "/Orders/", {}),
        ("orders", "//orders", None),
        ("orders", "/orders//", None),
        ("orders/{id}", "/orders/1", {"id": "1"}),
        ("orders/{id}", "/orders", None),
        ("orders/{id}", "/orders/1/2", None),
        ("orders/{id?}", "/orders", {}),
        ("orders/{id?}", "/orders/1", {"id": "1"}),
        ("orders/{id=7}", "/orders", {"id": "7"}),
        ("orders/{id:int?}", "/orders", {}),
        ("{a?}/{b?}", "/1", {"a": "1"}),
        ("{a?}/{b?}", "/1/2", {"a": "1", "b": "2"}),
        # Only the end of a path can be left out.
        ("{a=1}/b", "/b", None),
        ("{a}-{b}.txt", "/x-y.txt", {"a": "x", "b": "y"}),
        ("{{a}}/{b}", "/{a}/1", {"b": "1"}),
        ("files/{*path}", "/files/a/b", {"path": "a/b"}),
        ("files/{*path}", "/files/a//b/", {"path": "a//b/"}),
        ("files/{*path}", "/files//a", None),
        ("files/{*path}", "/files/", {}),
        ("files/{**path}", "/files", {}),
        ("{name}", "/a%2Fb", {"name": "a%2Fb"}),
        ("{name}", "/a\nb", {"name": "a\nb"}),
        ("{x:int}", "/12", {"x": "12"}),
        ("{x:int:min(3)}", "/2", None),
        (r"{x:regex(^\d{{3}}$)}", "/123", {"x": "123"}),
        (r"{x:regex(^\d{{3}}$)}", "/1234", None),
        ("{x:regex(^a:b[=?]/c$)}/y", "/a:b=/y", None),
        ("{x:regex(^a:b[=?]$)}/y", "/a:b=/y", {"x": "a:b="}),
        ("{x:regex(^(a|b)$)}/x", "/b/x", {"x": "b"}),
        ("{x:regex(^(a)?b$)?}", "/", {}),
        ("{x:regex(^(a)?b$)?}", "/ab", {"x": "ab"}),
    ],
)
def test_a_template_matches_as_aspnet_does(
    route: str, path: str, parameters: dict[str, str] | None
) -> None:
    assert template(route).match(path) == parameters


@pytest.mark.parametrize(
    ("route", "reason"),
    [
        ("{id:nonsense}", "nonsense"),
        ("{id:regex([)}", "regex"),
        ("{id:length(1,2,3)}", "length"),
        ("{id:min(x)}", "min"),
        ("{id", "brace"),
        ("id}", "brace"),
        ("{:int}", "can't be read"),
        ("{a}/{A}", "two parameters of one name"),
        ("a//b", "two slashes"),
    ],
)
def test_a_route_that_cannot_be_read_is_refused(route: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        template(route)
