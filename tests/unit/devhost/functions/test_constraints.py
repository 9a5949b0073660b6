from __future__ import annotations

import pytest

from devhost.functions.constraints import constraint


@pytest.mark.parametrize(
    ("text", "allowed", "refused"),
    [
        ("int", ["0", "-12", "+7", "2147483647", "-2147483648"], ["2147483648", "1.0", "x", ""]),
        ("long", ["2147483648", "9223372036854775807"], ["9223372036854775808", "9" * 5000]),
        ("bool", ["true", "False"], ["1", "yes"]),
        ("alpha", ["Abc"], ["a1", "\u00e4"]),
        (
            "guid",
            ["6F9619FF-8B86-d011-b42d-00cf4fc964ff", "6f9619ff8b86d011b42d00cf4fc964ff"],
            ["6"],
        ),
        ("decimal", ["1", "-1.50"], ["1e3", "x"]),
        ("double", ["1e3", ".5"], ["x"]),
        ("float", ["-1.5E-2"], ["1.5.2"]),
        (
            "datetime",
            ["2026-11-30", "2026-11-30T12:00:00Z", "11/30/2026 9:15"],
            ["soon", "30/11/2026"],
        ),
        ("required", ["x"], [""]),
        ("length(3)", ["abc"], ["ab", "abcd"]),
        ("length(2,3)", ["ab", "abc"], ["a", "abcd"]),
        ("minlength(3)", ["abc"], ["ab"]),
        ("maxlength(3)", ["abc"], ["abcd"]),
        ("min(18)", ["18", "9223372036854775807"], ["17", "x"]),
        ("max(18)", ["18", "-5"], ["19"]),
        ("range(18, 120)", ["18", "120"], ["17", "121", "18.5"]),
        (r"regex(^\d{3}$)", ["123"], ["12", "1234"]),
        # Looked for anywhere, whatever the case
        ("regex(b[0-9])", ["aB1c"], ["b"]),
    ],
)
def test_a_constraint_allows_what_aspnet_allows(
    text: str, allowed: list[str], refused: list[str]
) -> None:
    allows = constraint(text)
    assert [value for value in allowed if not allows(value)] == []
    assert [value for value in refused if allows(value)] == []
