"""The API's description is valid, and names what is answered.

Every answer that any test gets through `Host.call` is held to it as well.
"""

from __future__ import annotations

from openapi_spec_validator import OpenAPIV31SpecValidator

from testbed import described


def test_it_is_a_valid_document_of_openapi_3_1() -> None:
    assert [*OpenAPIV31SpecValidator(described.document()).iter_errors()] == []
