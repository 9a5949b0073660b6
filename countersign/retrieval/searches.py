"""The settings of the searches that are turned on."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from countersign.retrieval.azure_search import AzureSearch, SearchIndex, Token
from countersign.retrieval.finder import Finder
from countersign.retrieval.mcp_search import McpSearch, McpServer
from countersign.retrieval.web_search import WebSearch
from countersign.retrieval.wikipedia import Wikipedia
from countersign.web.fetching import Fetcher

USUAL_FIELDS = "key=id title=title text=content url=url"

_LANGUAGE = re.compile(r"[a-z]{2,3}(-[a-z]{2,8})*|simple")
_SERVICE = re.compile(
    r"https://[^\s/?#@]+(/[^\s?#]*)?|http://(127\.0\.0\.1|localhost)(:\d+)?(/\S*)?"
)
_PRIVATE = re.compile(r"https?://[^\s/?#@]+(/[^\s?#]*)?")
_INDEX = re.compile(r"[a-z0-9][a-z0-9_-]{0,127}")
_FIELD = re.compile(r"(key|title|text|url)=([A-Za-z][A-Za-z0-9_/]{0,127})")


@dataclass(frozen=True, kw_only=True, slots=True)
class Searches:
    """Each search that is turned on; None for those that are not.

    Attributes:
        wikipedia: the address of the Wikipedia.
        mcp: the MCP server.
        azure: the index of Azure AI Search.
        web: the address of the SearXNG instance.
    """

    wikipedia: str | None = None
    mcp: McpServer | None = None
    azure: SearchIndex | None = None
    web: str | None = None

    def finders(self, fetcher: Fetcher, token: Token) -> dict[str, Finder]:
        """Return the searches, by the words that requests have for them.

        Args:
            fetcher: asks what is on the public internet.
            token: the app's own identity, for Azure AI Search.
        """
        return {finder.place: finder for finder in self._finders(fetcher, token)}

    def _finders(self, fetcher: Fetcher, token: Token) -> Iterator[Finder]:
        if self.wikipedia:
            yield Wikipedia(fetcher=fetcher, site=self.wikipedia)
        if self.mcp:
            yield McpSearch(server=self.mcp)
        if self.azure:
            yield AzureSearch(index=self.azure, token=token)
        if self.web:
            yield WebSearch(url=self.web)


def read_searches(environment: Mapping[str, str], names: tuple[str, ...]) -> Searches:
    """Read what the searches with these names need; the others' settings are not looked at.

    Raises:
        ValueError: a setting is missing or malformed.
    """
    return Searches(
        wikipedia=_wikipedia(environment) if "wikipedia" in names else None,
        mcp=_mcp(environment) if "mcp" in names else None,
        azure=_azure(environment) if "azure_search" in names else None,
        web=_address(environment, "COUNTERSIGN_WEB_SEARCH_URL", _PRIVATE)
        if "web_search" in names
        else None,
    )


def _wikipedia(environment: Mapping[str, str]) -> str:
    language = environment.get("COUNTERSIGN_WIKIPEDIA_LANGUAGE") or "en"
    if not _LANGUAGE.fullmatch(language):
        raise ValueError(
            f"COUNTERSIGN_WIKIPEDIA_LANGUAGE must be a language code such as en, not {language!r}"
        )
    return f"https://{language}.wikipedia.org"


def _mcp(environment: Mapping[str, str]) -> McpServer:
    command = environment.get("COUNTERSIGN_MCP_COMMAND", "").strip()
    address = environment.get("COUNTERSIGN_MCP_URL", "").strip()
    if bool(command) == bool(address):
        raise ValueError("mcp needs either COUNTERSIGN_MCP_URL or COUNTERSIGN_MCP_COMMAND")
    return McpServer(
        url=_address(environment, "COUNTERSIGN_MCP_URL", _PRIVATE) if address else "",
        command=_words("COUNTERSIGN_MCP_COMMAND", command),
        token=environment.get("COUNTERSIGN_MCP_TOKEN", ""),
        tool=environment.get("COUNTERSIGN_MCP_TOOL") or "search",
    )


def _words(key: str, command: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(command))
    except ValueError as error:
        raise ValueError(f"{key} must be a valid shell command: {error}") from error


def _azure(environment: Mapping[str, str]) -> SearchIndex:
    index = environment.get("COUNTERSIGN_AZURE_SEARCH_INDEX", "")
    if not _INDEX.fullmatch(index):
        raise ValueError(
            f"COUNTERSIGN_AZURE_SEARCH_INDEX must be the name of an index, not {index!r}"
        )
    return SearchIndex(
        url=_address(environment, "COUNTERSIGN_AZURE_SEARCH_URL", _SERVICE),
        index=index,
        key=environment.get("COUNTERSIGN_AZURE_SEARCH_KEY", ""),
        fields=_fields(environment.get("COUNTERSIGN_AZURE_SEARCH_FIELDS") or USUAL_FIELDS),
    )


def _fields(text: str) -> Mapping[str, str]:
    named = [_FIELD.fullmatch(each) for each in text.replace(",", " ").split()]
    fields = {each[1]: each[2] for each in named if each}
    if not all(named) or not {"key", "title", "text"} <= fields.keys():
        raise ValueError(
            f"COUNTERSIGN_AZURE_SEARCH_FIELDS must be a list such as {USUAL_FIELDS!r}, not {text!r}"
        )
    return fields


def _address(environment: Mapping[str, str], key: str, form: re.Pattern[str]) -> str:
    address = environment.get(key, "").strip()
    if not form.fullmatch(address):
        raise ValueError(f"{key} must be an address such as https://host, without a password")
    return address
