"""The settings that the templates make are the ones that the app and its host need."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from azure.identity import DefaultAzureCredential, ManagedIdentityCredential

from activities.entities import MOST_AT_ONCE
from countersign.identity.sign_in import read_sign_in
from countersign.platform.environment import SettingsError
from countersign.proof.keys import SETTING as PROOF_KEY
from countersign.settings import read_settings
from countersign.sources import uploads
from countersign.stores import blobs
from local.backend import AZURE_STORAGE
from local.func import func_environment
from local.settings import complete

if TYPE_CHECKING:
    from conftest import Template
    from tree_sitter import Node

ROOT = Path(__file__).parents[3]
TENANT, CLIENT, IDENTITY = "11111111-aaaa", "22222222-bbbb", "33333333-cccc"

VALUES = {
    "environment().authentication.loginEndpoint": "https://login.microsoftonline.com/",
    "tenant().tenantId": TENANT,
    "clientId": CLIENT,
    "identityClientId": IDENTITY,
    "hostAccountName": "sthost",
    "recordsAccountName": "strec",
    "schedulerConnection": "Endpoint=https://scheduler.example;Authentication=ManagedIdentity",
    "taskHubName": "countersign",
    "telemetryConnection": "InstrumentationKey=none",
    "modelProvider": "extractive",
    "modelDeployment": "gpt",
    "modelEndpoint": "https://models.openai.azure.com/",
    "purchasingUrl": "https://purchasing.example/api",
    "purchasingGuards": "lookup",
    "purchasingTimeoutSeconds": "30",
    "purchasingSettlingSeconds": "600",
    "purchaseLimits": "EUR 500 5000",
    "purchasingTokenSecretUri": "https://vault.example/secrets/token",
    "proofKeySecretUri": "https://vault.example/secrets/proof",
    "proofVaultKeyUri": f"https://vault.example/keys/proof/{'0' * 32}",
    # The generator of the curve: SEC 2, section 2.4.2.
    "proofVaultPublicKey": "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfY"
    "Et6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9Q==",
}

ALWAYS = (
    "hostSettings",
    "identitySettings",
    "concurrencySettings",
    "durableSettings",
    "telemetrySettings",
    "signInSettings",
    "countersignSettings",
)

BY_CHOICE = (
    "schedulerSettings",
    "storageProviderSettings",
    "modelSettings",
    "purchasingSettings",
    "purchasingTokenSettings",
    "proofSettings",
    "proofVaultSettings",
)

# https://learn.microsoft.com/azure/azure-functions/functions-app-settings, "Flex Consumption plan
# deprecations": what the plan ignores, refuses, or takes from `functionAppConfig` instead.
NOT_ON_FLEX_CONSUMPTION = {
    *("ENABLE_ORYX_BUILD", "SCM_DO_BUILD_DURING_DEPLOYMENT", "WEBSITE_RUN_FROM_PACKAGE"),
    *(
        "FUNCTIONS_EXTENSION_VERSION",
        "FUNCTIONS_WORKER_RUNTIME",
        "FUNCTIONS_WORKER_RUNTIME_VERSION",
    ),
    *("FUNCTIONS_MAX_HTTP_CONCURRENCY", "FUNCTIONS_WORKER_PROCESS_COUNT"),
    *("FUNCTIONS_WORKER_DYNAMIC_CONCURRENCY_ENABLED", "WEBSITE_MAX_DYNAMIC_APPLICATION_SCALE_OUT"),
    *(
        "WEBSITE_CONTENTAZUREFILECONNECTIONSTRING",
        "WEBSITE_CONTENTOVERVNET",
        "WEBSITE_CONTENTSHARE",
    ),
    *("WEBSITE_SKIP_CONTENTSHARE_VALIDATION", "WEBSITE_DNS_SERVER", "WEBSITE_VNET_ROUTE_ALL"),
    *("WEBSITE_NODE_DEFAULT_VERSION", "WEBSITE_TIME_ZONE", "TZ"),
}


class Environment(dict[str, str]):
    """An environment that remembers what it was asked for."""

    def __init__(self, *settings: Mapping[str, str]) -> None:
        super().__init__({key: value for each in settings for key, value in each.items()})
        self.asked: set[str] = set()

    def get(self, key: str, default: Any = None) -> Any:
        self.asked.add(key)
        return super().get(key, default)

    def __getitem__(self, key: str) -> str:
        self.asked.add(key)
        return super().__getitem__(key)


class Settings:
    """The settings of the function app, with values in place of what is known at deployment."""

    def __init__(self, template: Template, values: Mapping[str, str]) -> None:
        self._variables = template.variables
        self._values = values

    def __getitem__(self, variable: str) -> dict[str, str]:
        return self._object(self._variables[variable])

    def value(self, node: Node) -> str:
        text = (node.text or b"").decode()
        if node.type == "string":
            return "".join(self._part(each) for each in node.named_children)
        if text in self._variables:
            return self.value(self._variables[text])
        return self._values[text]

    def _part(self, node: Node) -> str:
        if node.type == "interpolation":
            return self.value(node.named_children[0])
        return (node.text or b"").decode()

    def _object(self, node: Node) -> dict[str, str]:
        pairs = [each.named_children for each in node.named_children if each.type != "comment"]
        return {(key.text or b"").decode(): self.value(value) for key, value in pairs}


@pytest.fixture
def settings(templates: Mapping[str, Template]) -> Settings:
    return Settings(templates["modules/function-app.bicep"], VALUES)


@pytest.fixture
def common(settings: Settings) -> dict[str, str]:
    """What is set whichever backend and model are chosen, in an app that runs in Azure."""
    return Environment(*(settings[each] for each in ALWAYS), {"WEBSITE_INSTANCE_ID": "one"})


def test_the_app_reads_what_the_templates_set(common: dict[str, str]) -> None:
    read = read_settings(common)
    assert read.account is not None
    assert read.account.table_uri == "https://strec.table.core.windows.net"
    assert read.account.client_id == IDENTITY
    assert read.tokens.issuer == f"https://login.microsoftonline.com/{TENANT}/v2.0"
    assert read.tokens.jwks == f"https://login.microsoftonline.com/{TENANT}/discovery/v2.0/keys"
    assert (read.tokens.audiences, read.tokens.tenants) == ((CLIENT,), {TENANT})
    assert (read.tokens.subject, read.tokens.clients) == ("oid", {CLIENT})
    assert read.model.provider == "extractive"


def test_the_app_reads_a_model_that_needs_no_key(templates: Mapping[str, Template]) -> None:
    template = templates["modules/function-app.bicep"]
    settings = Settings(template, {**VALUES, "modelProvider": "azure"})
    read = read_settings(Environment(*(settings[each] for each in (*ALWAYS, "modelSettings"))))
    assert (read.model.model, read.model.base_url) == ("gpt", "https://models.openai.azure.com/")
    assert read.model.api_key is None


def test_the_app_reads_where_orders_go_and_who_has_to_approve_them(
    settings: Settings, common: dict[str, str]
) -> None:
    read = read_settings({**common, **settings["purchasingSettings"]})
    assert read.purchasing is not None
    assert read.purchasing.url == "https://purchasing.example/api"
    assert read.purchasing.guards == {"lookup"}
    assert read.purchasing.timeout_seconds == 30
    assert read.purchasing.settling_seconds == 600
    assert {currency: each.one_approver for currency, each in read.limits.items()} == {"EUR": 500}


def test_an_app_that_is_given_no_purchasing_system_takes_no_orders(common: dict[str, str]) -> None:
    assert read_settings(common).purchasing is None


def test_who_chooses_nothing_about_orders_gets_what_the_app_has_by_itself(
    templates: Mapping[str, Template], common: dict[str, str]
) -> None:
    url = {"COUNTERSIGN_PURCHASING_URL": VALUES["purchasingUrl"]}
    unchosen = {**VALUES, **defaults(), "purchasingUrl": VALUES["purchasingUrl"]}
    group = Settings(templates["modules/function-app.bicep"], unchosen)["purchasingSettings"]
    read, usual = read_settings({**common, **group}), read_settings({**common, **url})
    assert (read.purchasing, read.limits) == (usual.purchasing, usual.limits)


def defaults() -> dict[str, str]:
    """What parameters are where the azd environment says nothing."""
    document = json.loads((ROOT / "infra" / "main.parameters.json").read_text("utf-8"))
    values = {name: str(each["value"]) for name, each in document["parameters"].items()}
    found = {name: re.fullmatch(r"\$\{\w+=(.*)\}", value) for name, value in values.items()}
    return {name: match[1] for name, match in found.items() if match}


def test_secrets_of_others_are_only_referred_to(settings: Settings) -> None:
    referred = {**settings["purchasingTokenSettings"], **settings["proofSettings"]}
    assert referred == {
        "COUNTERSIGN_PURCHASING_TOKEN": "@Microsoft.KeyVault(SecretUri=https://vault.example/secrets/token)",
        "COUNTERSIGN_PROOF_KEY": "@Microsoft.KeyVault(SecretUri=https://vault.example/secrets/proof)",
    }


def test_nothing_is_set_for_the_app_that_it_does_not_read(settings: Settings) -> None:
    secrets = {"COUNTERSIGN_PURCHASING_TOKEN": "token", "COUNTERSIGN_PROOF_KEY": ""}
    groups = (*ALWAYS, "modelSettings", "purchasingSettings")
    environment = Environment(*(settings[each] for each in groups), secrets)
    assert {*secrets} == {*settings["purchasingTokenSettings"], *settings["proofSettings"]}
    read_settings(environment)
    ours = {key for key in environment if key.startswith("COUNTERSIGN_")}
    assert ours <= environment.asked


def test_every_group_of_settings_is_known_here(templates: Mapping[str, Template]) -> None:
    groups = {
        name for name in templates["modules/function-app.bicep"].variables if "Settings" in name
    }
    assert groups == {*ALWAYS, *BY_CHOICE}


def test_what_host_json_refers_to_is_set(settings: Settings, common: dict[str, str]) -> None:
    text = (ROOT / "host.json").read_text("utf-8")
    connection = json.loads(text)["extensions"]["durableTask"]["storageProvider"]
    referred = {*re.findall(r"%(\w+)%", text), connection["connectionStringName"]}
    assert referred <= {*common, *settings["schedulerSettings"]}


def test_the_other_backend_replaces_what_host_json_says(
    settings: Settings, common: dict[str, str]
) -> None:
    host = json.loads((ROOT / "host.json").read_text("utf-8"))
    replaced = settings["storageProviderSettings"]
    provider = "AzureFunctionsJobHost__extensions__durableTask__storageProvider__"
    said = {setting.removeprefix(provider): value for setting, value in replaced.items()}
    assert said.keys() >= host["extensions"]["durableTask"]["storageProvider"].keys()
    assert {said[f"{queue}QueueVisibilityTimeout"] for queue in ("control", "workItem")} == {
        "00:01:00"
    }
    connection = next(value for key, value in replaced.items() if key.endswith("ionStringName"))
    assert f"{connection}__accountName" in common


def test_where_host_json_names_another_backend_than_the_settings_an_instance_stays(
    templates: Mapping[str, Template],
) -> None:
    # The scale controller reads the file: https://github.com/Azure/azure-functions-host, in
    # FunctionsSyncManager.ReadDurableTaskConfig.
    host = json.loads((ROOT / "host.json").read_text("utf-8"))
    assert host["extensions"]["durableTask"]["storageProvider"]["type"] == "azureManaged"
    [ready] = templates["modules/function-app.bicep"].values("alwaysReady")
    assert " ".join(ready.split()) == (
        "empty(schedulerConnection) ? [ { name: 'durable' instanceCount: 1 } ] : []"
    )


def test_the_container_that_can_be_locked_is_the_one_of_the_reports(
    templates: Mapping[str, Template], common: dict[str, str]
) -> None:
    account = read_settings(common).account
    assert account is not None
    locked = Settings(templates["main.bicep"], {}).value(
        templates["main.bicep"].variables["reportsContainer"]
    )
    assert locked == blobs.Container(account, "reports").name


def test_nothing_is_set_that_flex_consumption_does_not_take(
    settings: Settings, templates: Mapping[str, Template]
) -> None:
    groups = [
        each for each in templates["modules/function-app.bicep"].variables if "Settings" in each
    ]
    assert {key for group in groups for key in settings[group]}.isdisjoint(NOT_ON_FLEX_CONSUMPTION)


def test_the_host_reads_the_largest_body_that_the_app_takes_and_little_more(
    common: dict[str, str],
) -> None:
    limit = common["FUNCTIONS_REQUEST_BODY_SIZE_LIMIT"]
    assert uploads.MOST_BYTES < int(limit) < 1.1 * uploads.MOST_BYTES
    # With Core Tools as in Azure.
    sample = json.loads((ROOT / "local.settings.sample.json").read_text("utf-8"))["Values"]
    assert sample["FUNCTIONS_REQUEST_BODY_SIZE_LIMIT"] == limit
    core_tools = func_environment({}, storage="", hub="", backend=AZURE_STORAGE)
    assert core_tools["FUNCTIONS_REQUEST_BODY_SIZE_LIMIT"] == limit


def test_nothing_stands_at_the_root_of_the_address(common: dict[str, str]) -> None:
    # As `HomepageMiddleware` of https://github.com/Azure/azure-functions-host reads it.
    assert common["AzureWebJobsDisableHomepage"].lower() == "true"
    sample = json.loads((ROOT / "local.settings.sample.json").read_text("utf-8"))["Values"]
    core_tools = func_environment({}, storage="", hub="", backend=AZURE_STORAGE)
    for here in (sample, core_tools):
        assert here["AzureWebJobsDisableHomepage"].lower() == "true"


def test_telemetry_gets_what_a_developer_s_console_is_spared(common: dict[str, str]) -> None:
    levels = json.loads((ROOT / "host.json").read_text("utf-8"))["logging"]["logLevel"]
    # It would be the level of the host's own logs with Core Tools, too: `LoggingFilterHelper` of
    # https://github.com/Azure/azure-functions-core-tools.
    assert "default" not in {name.lower() for name in levels}
    assert common["AzureFunctionsJobHost__logging__logLevel__default"] == "Information"


def test_no_turn_of_an_orchestrator_waits_for_a_thread(common: dict[str, str]) -> None:
    durable = json.loads((ROOT / "host.json").read_text("utf-8"))["extensions"]["durableTask"]
    threads = common["PYTHON_THREADPOOL_THREAD_COUNT"]
    assert durable["maxConcurrentOrchestratorFunctions"] == int(threads)
    # At home as in Azure.
    sample = json.loads((ROOT / "local.settings.sample.json").read_text("utf-8"))["Values"]
    assert sample["PYTHON_THREADPOOL_THREAD_COUNT"] == threads
    at_home = complete({PROOF_KEY: ""}, port=1, data=ROOT)
    assert at_home["PYTHON_THREADPOOL_THREAD_COUNT"] == threads


def test_no_entity_waits_for_a_thread() -> None:
    durable = json.loads((ROOT / "host.json").read_text("utf-8"))["extensions"]["durableTask"]
    assert durable["maxConcurrentEntityFunctions"] == MOST_AT_ONCE


def test_a_worker_that_was_started_again_finds_what_sends_telemetry(common: dict[str, str]) -> None:
    assert common["PYTHON_APPLICATIONINSIGHTS_ENABLE_TELEMETRY"] == "true"
    assert common["PYTHON_ISOLATE_WORKER_DEPENDENCIES"] == "0"


def test_an_update_lets_end_what_runs(templates: Mapping[str, Template]) -> None:
    app = templates["modules/function-app.bicep"]
    assert app.values("functionAppConfig.siteUpdateStrategy.type") == ["RollingUpdate"]


def test_the_page_signs_people_in_where_the_app_s_tokens_come_from_and_needs_no_secret(
    templates: Mapping[str, Template], common: dict[str, str]
) -> None:
    sign_in = read_sign_in(common)
    assert (sign_in.way, sign_in.authority) == ("page", common["COUNTERSIGN_TOKEN_ISSUER"])
    assert sign_in.client_id == common["COUNTERSIGN_TOKEN_AUDIENCE"]
    registration = templates["modules/registration.bicep"]
    [scope] = registration.values("oauth2PermissionScopes.value")
    assert sign_in.scope == f"{CLIENT}/{scope}"
    assert registration.values("spa.redirectUris") == ["https://${hostName}/api/review"]
    assert registration.values("passwordCredentials") == []


def test_azures_libraries_sign_in_as_the_identity_and_try_nothing_else(
    common: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("AZURE_CLIENT_ID", "AZURE_TOKEN_CREDENTIALS"):
        monkeypatch.setenv(name, common[name])
    credential = DefaultAzureCredential()
    assert [type(each) for each in credential.credentials] == [ManagedIdentityCredential]
    assert common["AZURE_CLIENT_ID"] == IDENTITY


def test_no_code_is_published_by_password(templates: Mapping[str, Template]) -> None:
    app = templates["modules/function-app.bicep"]
    assert app.values("publishingByPassword.properties.allow") == ["false"]


@pytest.mark.parametrize("setting", ["COUNTERSIGN_NOTIFY", "COUNTERSIGN_NOTIFY__Report_Reviewer"])
def test_a_vault_that_does_not_answer_is_said_and_not_taken_for_a_channel(
    common: dict[str, str], setting: str
) -> None:
    # What the platform leaves in a setting whose reference it can't follow.
    unanswered = "@Microsoft.KeyVault(SecretUri=https://vault.example/secrets/channels)"
    with pytest.raises(SettingsError, match=setting):
        read_settings({**common, setting: unanswered})


def test_no_template_asks_azure_for_a_key(texts: Mapping[str, str]) -> None:
    asking = re.compile(r"\blist(Keys|AccountSas|ServiceSas|Secrets?)\b|AccountKey=", re.IGNORECASE)
    assert [path for path, text in texts.items() if asking.search(text)] == []
