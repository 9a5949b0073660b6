"""Which fields of a body can't be taken, and why, in the words of this product."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

_WORDS: Mapping[str, str] = {
    "missing": "it is required",
    "extra_forbidden": "there is no such field",
    "string_type": "it must be text",
    "string_unicode": "it must be valid Unicode text",
    "string_too_short": "it must have at least {min_length:,} characters",
    "string_too_long": "it must have at most {max_length:,} characters",
    "string_pattern_mismatch": "it must be {form}",
    "bool_type": "it must be true or false",
    "int_type": "it must be a whole number",
    "int_from_float": "it must be a whole number",
    "float_type": "it must be a number",
    "finite_number": "it must be a number",
    "decimal_parsing": "it must be a number",
    "decimal_max_digits": "it must have at most {max_digits} digits",
    "decimal_max_places": "it must have at most {decimal_places} decimals",
    "decimal_whole_digits": "it must have at most {whole_digits} digits before the point",
    "greater_than": "it must be greater than {gt:,}",
    "greater_than_equal": "it must be at least {ge:,}",
    "less_than": "it must be less than {lt:,}",
    "less_than_equal": "it must be at most {le:,}",
    "literal_error": "it must be {expected}",
    "list_type": "it must be a list",
    "too_short": "it must have at least {min_length:,} entries",
    "too_long": "it must have at most {max_length:,} entries",
    "dict_type": "it must be an object",
    "model_type": "it must be an object",
    "model_attributes_type": "it must be an object",
    "union_tag_not_found": "it must have the field {discriminator}",
    "union_tag_invalid": "{discriminator} must be one of {expected_tags}",
    "value_error": "{error}",
}
"""What is wrong, for each of pydantic's error types that our models can give.

Source: https://docs.pydantic.dev/latest/errors/validation_errors/
"""


FORMS: Mapping[str, str] = {
    r"^[0-9a-f]{64}$": "a SHA-256 of 64 hexadecimal digits, in lower case",
    r"^[A-Z]{3}$": "a currency code of three capital letters, such as EUR",
    r"^[A-Za-z0-9][A-Za-z0-9._/-]{0,63}$": "1 to 64 letters, digits and . _ / -, of which the first"
    " is a letter or a digit",
    r"^[A-Za-z0-9_-]+$": "bytes in Base64url (RFC 4648, section 5) without padding",
    r"^https?://[^\s]+$": "an address that begins with https:// or http://",
}
"""What each pattern of our models asks for."""


def wrong_fields(error: ValidationError, *, whole: str) -> dict[str, str]:
    """Name each wrong field with the reason; what it held is not repeated.

    Args:
        error: What pydantic found.
        whole: The name of the body as a whole, for a fault that is in no field of its own.

    Returns:
        From the path of a field, such as `lines.0.quantity`, to the reason.
    """
    found = error.errors(include_url=False, include_input=False)
    return {".".join(map(str, each["loc"])) or whole: _reason(each) for each in found}


def _reason(fault: ErrorDetails) -> str:
    context: Mapping[str, Any] = fault.get("ctx", {})
    if context.get("min_length") == 1:
        return "it must not be empty"
    if "pattern" in context:
        pattern = context["pattern"]
        context = {"form": FORMS.get(pattern, f"in the form {pattern}")}
    words = _WORDS.get(fault["type"])
    # A library's own words are for programmers.
    return words.format_map(context) if words else "it does not have the required form"
