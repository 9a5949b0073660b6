"""Which place the settings name for anchors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from countersign.stores.account import SERVICE, StorageAccount, read_account

SETTING = "COUNTERSIGN_ANCHORS"


def read_anchors_place(
    environment: Mapping[str, str], *, in_azure: bool
) -> Path | StorageAccount | None:
    """Return the file or the account that anchors are written to, None if the app writes none.

    The app signs in to the account with the identity that it has for its own.

    Args:
        environment: all settings.
        in_azure: whether the app runs where a file is not kept.

    Raises:
        ValueError: it is neither.
    """
    text = environment.get(SETTING, "").strip()
    if not text:
        return None
    if SERVICE.fullmatch(text):
        own = read_account(environment) or StorageAccount()
        return replace(own, connection_string=None, blob_uri=text.rstrip("/"), table_uri=None)
    if in_azure or not Path(text).is_absolute():
        file = "" if in_azure else ", or the absolute path of a file"
        raise ValueError(
            f"{SETTING} must be the address of a blob service such as"
            f" https://ACCOUNT.blob.core.windows.net{file}"
        )
    return Path(text)
