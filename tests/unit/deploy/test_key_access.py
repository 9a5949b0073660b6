"""The key that signs in a vault, and who may use it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from countersign.signing.vault_key import ADDRESS, PUBLIC, ROLE

if TYPE_CHECKING:
    from conftest import Template

INFRA = Path(__file__).parents[3] / "infra"
URI = f"https://vault.example/keys/proof/{'0' * 32}"


def test_the_app_gets_the_role_on_the_key_that_it_is_told_to_sign_with(
    templates: Mapping[str, Template],
) -> None:
    text = (INFRA / "modules" / "key-access.bicep").read_text("utf-8")
    assert f"roles['{ROLE}']" in text
    assert "scope: key\n" in text
    main = templates["main.bicep"]
    passed = main.modules["keyAccess"].passed
    assert passed["vaultName"] == "proofVaultHost[0]"
    assert passed["keyName"] == "proofVaultParts[4]"
    assert {"proofVaultHost", "proofVaultParts"} <= main.variables.keys()
    assert URI.split("/")[2].split(".")[0] == "vault"
    assert URI.split("/")[4] == "proof"


def test_the_template_sets_what_is_read() -> None:
    text = (INFRA / "modules" / "function-app.bicep").read_text("utf-8")
    assert f"  {ADDRESS}: proofVaultKeyUri\n  {PUBLIC}: proofVaultPublicKey\n" in text
