from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from countersign.team.chat import ModelChoice, chat_client, choose, model_name
from countersign.team.colophon import colophon
from countersign.team.errors import ModelNotConfigured

ROOT = Path(__file__).parents[3]
AZURE = {
    "COUNTERSIGN_MODEL_PROVIDER": "azure",
    "COUNTERSIGN_MODEL": "drafts",
    "COUNTERSIGN_MODEL_URL": "https://ours.openai.azure.com/",
}


@pytest.mark.parametrize(
    "env",
    [
        {},  # nothing is set
        {"COUNTERSIGN_MODEL_PROVIDER": ""},  # set to nothing
        {
            "OPENAI_API_KEY": "sk-stray",
            "AZURE_OPENAI_ENDPOINT": "https://stray",
        },  # others' settings
    ],
)
def test_the_embedded_model_is_the_default(env: dict[str, str]) -> None:
    choice = choose(env)
    assert choice == ModelChoice(provider="extractive")
    assert model_name(choice) == "extractive"
    assert "nothing generated" in colophon(choice)


def test_all_that_is_missing_is_named_at_once() -> None:
    with pytest.raises(ModelNotConfigured) as caught:
        choose({"COUNTERSIGN_MODEL_PROVIDER": "openai", "OPENAI_API_KEY": "sk-stray"})
    assert len(caught.value.problems) == 2
    assert "COUNTERSIGN_MODEL is missing" in str(caught.value)
    assert "COUNTERSIGN_MODEL_KEY is missing" in str(caught.value)


def test_the_bounds_of_a_model_are_settings() -> None:
    choice = choose(
        {
            **AZURE,
            "COUNTERSIGN_MODEL_SECONDS": "900",
            "COUNTERSIGN_MODEL_ANSWER_TOKENS": "1000",
            "COUNTERSIGN_MODEL_SHOWN_CHARACTERS": "4000",
        }
    )
    bounds = (choice.request_seconds, choice.answer_tokens, choice.shown_characters)
    assert bounds == (900, 1000, 4000)


@pytest.mark.parametrize("text", ["soon", "-1", "0", "nan", "1e9"])
def test_a_bound_that_makes_no_sense_is_named_with_the_others(text: str) -> None:
    with pytest.raises(ModelNotConfigured) as caught:
        choose({**AZURE, "COUNTERSIGN_MODEL_SECONDS": text, "COUNTERSIGN_MODEL_ANSWER_TOKENS": "1"})
    told = [problem.split()[0] for problem in caught.value.problems]
    assert told == ["COUNTERSIGN_MODEL_SECONDS", "COUNTERSIGN_MODEL_ANSWER_TOKENS"]


def test_an_unknown_provider_is_named_with_those_that_are_known() -> None:
    with pytest.raises(ModelNotConfigured, match=r"'gpt'.*extractive, openai, azure, compatible"):
        choose({"COUNTERSIGN_MODEL_PROVIDER": "gpt"})


def test_a_key_is_never_shown() -> None:
    choice = choose({**AZURE, "COUNTERSIGN_MODEL_KEY": "very-secret"})
    assert choice.api_key == "very-secret"
    assert "very-secret" not in repr(choice)


def test_a_report_names_the_model_that_wrote_it() -> None:
    assert "Written by the model drafts." in colophon(choose(AZURE))
    assert model_name(choose(AZURE)) == "drafts"


def address(choice: ModelChoice, **more: Any) -> str:
    client: Any = chat_client(choice, **more)
    return str(client.client.base_url)


@pytest.mark.parametrize(
    "url", ["https://ours.openai.azure.com", f"{AZURE['COUNTERSIGN_MODEL_URL']}openai/v1/"]
)
def test_azure_is_asked_at_its_own_endpoint(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-stray")
    choice = choose({**AZURE, "COUNTERSIGN_MODEL_URL": url, "COUNTERSIGN_MODEL_KEY": "key"})
    assert address(choice) == "https://ours.openai.azure.com/openai/v1/"


def test_openai_is_asked_at_its_own_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "https://stray.example/v1")
    choice = ModelChoice(provider="openai", model="gpt-5-mini", api_key="key")
    assert address(choice) == "https://api.openai.com/v1/"


async def token() -> str:
    return "a fresh token"


@pytest.mark.parametrize("provider", ["openai", "compatible"])
async def test_the_identity_s_token_is_shown_to_azure_alone(provider: Any) -> None:
    url = "https://models.example/v1"
    client: Any = chat_client(ModelChoice(provider=provider, model="m", base_url=url), token=token)
    assert await client.client._refresh_api_key() == client.client.api_key == "none"


def test_azure_takes_an_identity_in_place_of_a_key() -> None:
    assert address(choose(AZURE), token=token).startswith("https://ours.openai.azure.com/")
    with pytest.raises(ModelNotConfigured, match="COUNTERSIGN_MODEL_KEY"):
        chat_client(choose(AZURE))


@pytest.mark.parametrize(
    ("modules", "absent"),
    [
        ("countersign.team.models, countersign.team.claims", "openai"),
        ("countersign.team.quotes, countersign.sources.folder", "openai"),
        ("countersign.team.models, countersign.sources.library", "agent_framework_openai"),
        (
            "countersign.team.chat, countersign.team.report, countersign.team.extractive.client",
            "openai",
        ),
        ("countersign.team.writer, countersign.team.researcher, countersign.team.chat", "azure"),
    ],
)
def test_importing_brings_in_no_model_sdk(modules: str, absent: str) -> None:
    script = f"import sys, {modules}; sys.exit({absent!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=False).returncode == 0


@pytest.mark.parametrize(
    "url",
    [
        "https://me:hidden@ours.openai.azure.com",
        "https://:hidden@ours.openai.azure.com",
        "https://[hidden",
        "https://me:hidden\u2100@ours.openai.azure.com",
        "hidden",
        "ftp://hidden.openai.azure.com",
    ],
)
def test_an_address_that_is_none_or_holds_a_password_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(ModelNotConfigured, match="COUNTERSIGN_MODEL_URL") as refused:
        choose({**AZURE, "COUNTERSIGN_MODEL_URL": url, "COUNTERSIGN_MODEL_KEY": "key"})
    assert "hidden" not in str(refused.value)


@pytest.mark.parametrize(
    "url",
    [
        "http://ours.openai.azure.com",
        "https://elsewhere.example",
        "https://ours.openai.azure.com.elsewhere.example",
        "https://elsewhere.example/ours.openai.azure.com",
        "https://notopenai.azure.com",
        "http://127.0.0.1:9000",
    ],
)
def test_the_app_s_identity_is_shown_to_no_other_host_than_azure_s(url: str) -> None:
    with pytest.raises(ModelNotConfigured, match="COUNTERSIGN_MODEL_URL"):
        choose({**AZURE, "COUNTERSIGN_MODEL_URL": url})
    assert choose({**AZURE, "COUNTERSIGN_MODEL_URL": url, "COUNTERSIGN_MODEL_KEY": "key"})
