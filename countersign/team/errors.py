"""What can go wrong when a team works.

TeamError
├── NeedsOperator             somebody has to put something right; then the same request can succeed
│   ├── ModelNotConfigured    settings are missing or contradict each other
│   ├── AccessRefused         the key is wrong, expired, or may not use this model
│   ├── UnknownModel          no such model or deployment at this address
│   ├── QuotaSpent            no credit or quota is left, which waiting a moment won't change
│   ├── ContextTooSmall       the request is longer than the model can read
│   ├── NotAModel             another service answers at this address
│   ├── TooSlow               no whole answer within the time that is set
│   └── RequestRefused        the provider refuses the request for another reason
├── ModelUnavailable          transient: worth another try soon
│   ├── Unreachable           no connection
│   ├── Busy                  too many requests
│   ├── ProviderFailed        a fault of the provider's
│   └── NoIdentity            the app's own identity has no token
├── UnusableAnswer            the model answered, but nothing that can be used
│   ├── AnswerCut             the answer ends at the limit on its length
│   │   └── AnswerUnfinished  or anywhere, and the provider doesn't say why
│   ├── AnswerRefused         the model declines
│   ├── Filtered              the provider's filter stopped the question or the answer
│   ├── AnswerEmpty           there is no text
│   ├── NotInForm             what is asked for can't be read out of the text
│   └── Uncited               a report that cites no supported claim
├── NothingSupported          there is no supported claim to write about
└── BudgetSpent               the run has used all its tokens

Each has a `cause`, which stays the same for ever and which code may compare. No message holds a
key, a prompt or a provider's own words, which can repeat both; a short code of the provider's is
kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar


class TeamError(Exception):
    """The team can't do its work.

    Args:
        sentence: What to say in place of the sentence of the class.
        status: The HTTP status of the provider's answer.
        code: The provider's own short code, such as `context_length_exceeded`.
        tokens: What the call cost all the same, estimated.

    Attributes:
        cause: What went wrong, in snake_case.
    """

    cause: ClassVar[str] = "team_failed"
    sentence: ClassVar[str] = "the team can't do its work"

    def __init__(
        self,
        sentence: str | None = None,
        *,
        status: int | None = None,
        code: str | None = None,
        tokens: int = 0,
    ) -> None:
        told = [f"HTTP status {status}"] if status else []
        told += [code] if code else []
        after = f" ({', '.join(told)})" if told else ""
        super().__init__(f"{sentence or self.sentence}{after}")
        self.status, self.code, self.tokens = status, code, tokens


class NeedsOperator(TeamError):
    """Nothing that the team can do helps: an operator has to put something right first."""


class ModelNotConfigured(NeedsOperator):
    """Settings of the model are missing or contradict each other.

    Args:
        problems: One sentence for each setting at fault, so that all can be put right at once.
    """

    cause = "model_not_configured"

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = tuple(problems)


class AccessRefused(NeedsOperator):
    """The key is wrong, expired, or may not use this model."""

    cause = "model_access_refused"
    sentence = "the model's provider rejects the key, or the key may not use this model"


class UnknownModel(NeedsOperator):
    """There is no such model or deployment at this address."""

    cause = "model_not_found"
    sentence = "there is no such model or deployment at the model's address"


class QuotaSpent(NeedsOperator):
    """No credit or quota is left."""

    cause = "model_quota_spent"
    sentence = "the quota or credit at the model's provider is used up"


class ContextTooSmall(NeedsOperator):
    """The request is longer than the model can read."""

    cause = "model_context_too_small"
    sentence = "the request is longer than the model's context"


class NotAModel(NeedsOperator):
    """Something answers at the model's address that doesn't speak the chat completions API."""

    cause = "model_address_wrong"
    sentence = "the service at the model's address doesn't offer the chat completions API"


class TooSlow(NeedsOperator):
    """The model gave no whole answer within the time that is set."""

    cause = "model_too_slow"
    sentence = "the model didn't finish its answer in time (COUNTERSIGN_MODEL_SECONDS)"


class RequestRefused(NeedsOperator):
    """The provider refuses the request for a reason of its own."""

    cause = "model_request_refused"
    sentence = "the model's provider refused the request"


class ModelUnavailable(TeamError):
    """The model can't be had now, and may be a moment later."""

    cause = "model_unavailable"
    sentence = "the model isn't available now"


class Unreachable(ModelUnavailable):
    """No connection, or one that broke."""

    cause = "model_unreachable"
    sentence = "the model can't be reached"


class Busy(ModelUnavailable):
    """Too many requests."""

    cause = "model_busy"
    sentence = "the model's provider accepts no more requests at the moment"


class ProviderFailed(ModelUnavailable):
    """A fault of the provider's."""

    cause = "model_provider_failed"
    sentence = "the model's provider reported an internal error"


class NoIdentity(ModelUnavailable):
    """The app's own identity has no token for the model now."""

    cause = "model_identity_unavailable"
    sentence = "the app's own identity can't get a token for the model now"


class UnusableAnswer(TeamError):
    """The model answered, but nothing that can be used.

    Attributes:
        advice: What the model is told before it is asked once more; never what it wrote.
    """

    cause = "answer_unusable"
    sentence = "the model's answer can't be used"
    advice: str = "it could not be used"


class AnswerCut(UnusableAnswer):
    """The answer ends at the limit on its length; reasoning counts too.

    Args:
        begun: What came of it.
    """

    cause = "answer_cut"
    sentence = "the model's answer was too long and was cut off (COUNTERSIGN_MODEL_ANSWER_TOKENS)"
    advice = "it was too long and was cut off; say less"

    def __init__(self, begun: str = "") -> None:
        super().__init__()
        self.begun = begun


class AnswerUnfinished(AnswerCut):
    """The answer stops without an end."""

    cause = "answer_unfinished"
    sentence = "the model's answer broke off before its end"
    advice = "it broke off before its end"


class AnswerRefused(UnusableAnswer):
    """The model declines to answer."""

    cause = "answer_refused"
    sentence = "the model declined to answer"


class Filtered(UnusableAnswer):
    """The provider's content filter stopped the question or the answer."""

    cause = "content_filtered"
    sentence = "the provider's content filter stopped the question or the answer"


class AnswerEmpty(UnusableAnswer):
    """There is no text in the answer."""

    cause = "answer_empty"
    sentence = "the model's answer was empty"
    advice = "it was empty"


class NotInForm(UnusableAnswer):
    """What was asked for can't be read out of the text.

    Args:
        wanted: What was asked for, as people call it.
        faults: What is wrong, by the names of fields.
    """

    cause = "answer_not_in_form"

    def __init__(self, wanted: str, faults: str = "") -> None:
        super().__init__(f"the model's answer contains no readable {wanted}")
        self.advice = faults or self.advice


class Uncited(UnusableAnswer):
    """A report in which nothing that is left cites a supported claim."""

    cause = "answer_uncited"
    sentence = "the model's report cites no supported claim in its summary, or none in its sections"
    advice = (
        "nothing in the summary, or nothing in the sections, cites a claim by its number, like [1]"
    )


class NothingSupported(TeamError):
    """No supported claim, so there is nothing to write."""

    cause = "nothing_supported"
    sentence = "no claim is supported, so there is nothing to write"


class BudgetSpent(TeamError):
    """All tokens of the run are used.

    Args:
        used: Tokens used so far, in all calls.
        limit: Tokens that may be used.
    """

    cause = "budget_spent"

    def __init__(self, used: int, limit: int) -> None:
        super().__init__(f"{used:,} tokens have been used; the limit is {limit:,}")
        self.used = used
        self.limit = limit
