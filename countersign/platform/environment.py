"""Environment variables, and how one says that it is not set."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

NONE = "none"
"""What a setting says that is not set. An empty one says so too, but Core Tools take an empty
variable for none, and let local.settings.json go before it."""


class SettingsError(Exception):
    """The environment does not say what the app needs to know."""


_MEANS_SOMETHING_ELSE = frozenset({"COUNTERSIGN_PURCHASING_GUARDS"})
"""Settings of which `none` is a value. To take these guards for not set would promise that the
purchasing system has all of them, and an order could be placed twice."""


def required(environment: Mapping[str, str], key: str, meaning: str) -> str:
    """Return a setting without which nothing goes.

    Args:
        environment: the settings.
        key: which one.
        meaning: what it says, for whoever has to set it.

    Raises:
        ValueError: it is missing.
    """
    text = environment.get(key, "").strip()
    if not text:
        raise ValueError(f"{key} is missing: {meaning}")
    return text


def read_each(
    readers: Mapping[str, Callable[[Mapping[str, str]], Any]],
    environment: Mapping[str, str],
    *errors: type[Exception],
) -> tuple[dict[str, Any], str]:
    """Read several things from the settings, and find all that is wrong with them at once.

    Args:
        readers: how each is read, by its name.
        environment: the settings.
        *errors: what a reader raises besides `ValueError` where something is missing or malformed.

    Returns:
        What was read, by its name; and a sentence for each that could not be, empty if all could.
    """
    values: dict[str, Any] = {}
    faults: list[str] = []
    for name, read in readers.items():
        try:
            values[name] = read(environment)
        except (ValueError, *errors) as error:
            faults.append(f"{str(error).rstrip('.')}.")
    # Two may need the same setting.
    return values, " ".join(dict.fromkeys(faults))


def said(environment: Mapping[str, str]) -> Mapping[str, str]:
    """Return an environment without the settings that say they are not set."""
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
