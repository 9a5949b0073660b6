"""The clock of a storage account, as far as its answers show it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from email.utils import parsedate_to_datetime
from typing import Any

from countersign.platform.clock import Clock, Since
from countersign.platform.skew import Skew


class AccountClock:
    """Compares this machine's clock with that of a storage account.

    Args:
        clock: this machine's (UTC).

    Attributes:
        skew: by the last answer that was measured; None before the first.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.skew: Skew | None = None

    def hooks(self) -> Mapping[str, Callable[[Any], None]]:
        """Return options for one call of Azure's libraries, whose answer is measured then.

        What precedes the sending, such as the request for a token, is not part of the measurement.
        """
        sent = Since(self._clock)

        def sending(_request: object) -> None:
            nonlocal sent
            sent = Since(self._clock)

        def answered(response: Any) -> None:
            # An answer without a date, or with one that nobody can read, shows nothing.
            with suppress(ValueError, TypeError):
                date = parsedate_to_datetime(response.http_response.headers.get("Date"))
                self.skew = Skew.measured(sent, date)

        return {"raw_request_hook": sending, "raw_response_hook": answered}
