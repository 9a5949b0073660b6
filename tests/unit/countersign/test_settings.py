"""Settings are read at once, and every fault is named at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from countersign.settings import REQUIRED, SAMPLE_LIBRARY, SettingsError, read_settings

ENOUGH = {
    "COUNTERSIGN_DATA": "data",
    "COUNTERSIGN_TOKEN_ISSUER": "https://issuer.example",
    "COUNTERSIGN_TOKEN_AUDIENCE": "api://countersign",
    "COUNTERSIGN_TOKEN_JWKS": "https://issuer.example/keys",
}


def test_what_is_required_is_enough() -> None:
    settings = read_settings(ENOUGH)
    assert settings.data == Path("data")
    assert settings.library == SAMPLE_LIBRARY
    assert settings.tenants is None
    assert settings.window_seconds == 86_400
    assert settings.model.provider == "extractive"


def test_every_missing_setting_is_named() -> None:
    with pytest.raises(SettingsError) as failure:
        read_settings({})
    assert all(key in str(failure.value) for key in REQUIRED)


@pytest.mark.parametrize("text", ["0", "-1", "soon", "inf", "nan"])
def test_a_window_that_is_no_positive_number_is_refused(text: str) -> None:
    with pytest.raises(SettingsError, match="COUNTERSIGN_WINDOW_SECONDS"):
        read_settings({**ENOUGH, "COUNTERSIGN_WINDOW_SECONDS": text})


def test_tenants_are_separated_by_commas_or_spaces() -> None:
    settings = read_settings({**ENOUGH, "COUNTERSIGN_TENANTS": "a, b c"})
    assert settings.tenants == {"a", "b", "c"}


def test_a_model_that_lacks_settings_is_named_with_them() -> None:
    with pytest.raises(SettingsError, match="COUNTERSIGN_MODEL_URL"):
        read_settings({**ENOUGH, "COUNTERSIGN_MODEL_PROVIDER": "compatible"})


def test_a_key_is_never_shown() -> None:
    env = {
        "COUNTERSIGN_MODEL_PROVIDER": "openai",
        "COUNTERSIGN_MODEL": "gpt",
        "COUNTERSIGN_MODEL_KEY": "sk-secret",
    }
    assert "sk-secret" not in repr(read_settings({**ENOUGH, **env}))
