"""Environment variables, and how one says that it is not set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

NONE = "none"
"""What a setting says that is not set. An empty one says so too, but Core Tools take an empty
variable for none, and let local.settings.json go before it."""


class SettingsError(Exception):
    """The environment does not say what the app needs to know."""


_MEANS_SOMETHING_ELSE = frozenset({"COUNTERSIGN_PURCHASING_GUARDS"})
"""Settings of which `none` is a value. To take these guards for not set would promise that the
purchasing system has all of them, and an order could be placed twice."""


def said(environment: Mapping[str, str]) -> Mapping[str, str]:
    """An environment without the settings that say they are not set."""
    return _Said(environment)


class _Said(Mapping[str, str]):
    # No copy: on Windows `os.environ` finds a name in any case, and a dictionary would not.
    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment

    def __getitem__(self, name: str) -> str:
        value = self._environment[name]
        if value.strip() == NONE and name not in _MEANS_SOMETHING_ELSE:
            raise KeyError(name)
        return value

    def __iter__(self) -> Iterator[str]:
        return (name for name in self._environment if name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)
