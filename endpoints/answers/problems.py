"""Problem documents (RFC 9457): a record for each code, with the facts that it names."""

from __future__ import annotations

from typing import Any, Literal, get_args

from pydantic import ConfigDict

from endpoints.answers.changes import Changes
from endpoints.answers.response_body import ResponseBody


def _with_its_type(schema: dict[str, Any]) -> None:
    properties = schema["properties"]
    properties["type"]["const"] = _type_of(properties["code"]["const"])


class ProblemDocument(ResponseBody):
    """What every problem contains, besides its `status` and the `code` for programs."""

    model_config = ConfigDict(json_schema_extra=_with_its_type)

    type: str
    title: str
    detail: str


class UnauthenticatedProblem(ProblemDocument):
    """The request has no valid token."""

    status: Literal[401]
    code: Literal["unauthenticated"]


class InsufficientScopeProblem(ProblemDocument):
    """The token lacks this scope."""

    status: Literal[403]
    code: Literal["insufficient_scope"]
    scope: str


class NotAuthorisedProblem(ProblemDocument):
    """The caller lacks the required role, or is not the requester."""

    status: Literal[403]
    code: Literal["not_authorised"]
    needs: str


class OwnRequestProblem(ProblemDocument):
    """The caller requested this, so someone else has to decide."""

    status: Literal[403]
    code: Literal["own_request"]


class PeopleOnlyProblem(ProblemDocument):
    """The token belongs to a program, and only a person can decide."""

    status: Literal[403]
    code: Literal["people_only"]


class PasskeyRequiredProblem(ProblemDocument):
    """The caller has to sign this approval with one of their passkeys."""

    status: Literal[403]
    code: Literal["passkey_required"]


class PasskeyRefusedProblem(ProblemDocument):
    """What was signed with a passkey, or what is to be done with one, does not count."""

    status: Literal[403]
    code: Literal["passkey_refused"]


class ForgerySuspectedProblem(ProblemDocument):
    """A browser's request that changes something lacks the header `X-Countersign`."""

    status: Literal[403]
    code: Literal["forgery_suspected"]


class NotFoundProblem(ProblemDocument):
    """The caller's tenant has no such resource."""

    status: Literal[404]
    code: Literal["not_found"]


class NoReportProblem(ProblemDocument):
    """The operation is of a kind that has no report."""

    status: Literal[404]
    code: Literal["no_report"]


class NotPublishedProblem(ProblemDocument):
    """Nothing has been published for the operation."""

    status: Literal[404]
    code: Literal["not_published"]


class ReportMissingProblem(ProblemDocument):
    """The report was published, but its file has been removed."""

    status: Literal[404]
    code: Literal["report_missing"]


class AlreadyDecidedProblem(ProblemDocument):
    """Something else was recorded first and stands: a decision, a withdrawal, or an end."""

    status: Literal[409]
    code: Literal["already_decided"]
    by: str
    at: str
    decision: str


class SupersededProblem(ProblemDocument):
    """A newer version has taken this version's place.

    The answer to a decision says where it is, and what changed in it; `changes` is null if that
    can't be told.
    """

    status: Literal[409]
    code: Literal["superseded"]
    current: int
    proposal_url: str = ""
    review_url: str = ""
    changes: Changes | None = None


class DigestMismatchProblem(ProblemDocument):
    """The digest is not that of this version, which is `current`."""

    status: Literal[409]
    code: Literal["digest_mismatch"]
    current: str


class IdempotencyConflictProblem(ProblemDocument):
    """The `Idempotency-Key` was used for another request, which began this operation."""

    status: Literal[409]
    code: Literal["idempotency_conflict"]
    operation_id: str
    review_url: str


class ReportAlteredProblem(ProblemDocument):
    """The report at the destination differs from the one that was published."""

    status: Literal[409]
    code: Literal["report_altered"]


class LedgerBrokenProblem(ProblemDocument):
    """The ledger is damaged from the row with this sequence on."""

    status: Literal[409]
    code: Literal["ledger_broken"]
    sequence: int


class TextLostProblem(ProblemDocument):
    """A stored text is missing or damaged, and stays so until an operator restores it."""

    status: Literal[409]
    code: Literal["text_lost"]


class UnknownKindProblem(ProblemDocument):
    """The app does not know this kind of operation, so its proposal can't be shown."""

    status: Literal[409]
    code: Literal["unknown_kind"]


class LastVersionProblem(ProblemDocument):
    """No other version can take the place of this one, so it takes no correction."""

    status: Literal[409]
    code: Literal["last_version"]
    most: int


class QuestionOpenProblem(ProblemDocument):
    """The caller's last question has no answer yet."""

    status: Literal[409]
    code: Literal["question_open"]
    question_id: str


class QuestionsSpentProblem(ProblemDocument):
    """The limit of questions about the operation is reached."""

    status: Literal[409]
    code: Literal["questions_spent"]
    most: int


class AnotherPersonProblem(ProblemDocument):
    """`X-Countersign` names someone other than the signed-in person, whose name is given."""

    status: Literal[409]
    code: Literal["another_person"]
    name: str


class ErasedProblem(ProblemDocument):
    """The operation's names and texts were erased at `at` under `rule`; its ledger remains."""

    status: Literal[410]
    code: Literal["erased"]
    at: str
    rule: str


class ExpiredProblem(ProblemDocument):
    """The deadline has passed; `escalated_to` is the role that was notified, if any."""

    status: Literal[410]
    code: Literal["expired"]
    at: str
    escalated_to: str | None


class LengthRequiredProblem(ProblemDocument):
    """The request does not give the length of its body."""

    status: Literal[411]
    code: Literal["length_required"]


class TooLargeProblem(ProblemDocument):
    """The body has more bytes, or the text in a file more characters, than are allowed."""

    status: Literal[413]
    code: Literal["too_large"]
    most_bytes: int = 0
    most_characters: int = 0


class UnsupportedTypeProblem(ProblemDocument):
    """Files with this extension can't be read; `suffixes` lists those that can."""

    status: Literal[415]
    code: Literal["unsupported_type"]
    suffixes: list[str]


class MalformedProblem(ProblemDocument):
    """Fields, parameters or headers of the request are invalid; `fields` gives each reason."""

    status: Literal[422]
    code: Literal["malformed"]
    fields: dict[str, str]


class UnreadableProblem(ProblemDocument):
    """The file's text can't be extracted."""

    status: Literal[422]
    code: Literal["unreadable"]


class TooManyOpenProblem(ProblemDocument):
    """The caller has as many open requests as one person may have, which is `most`."""

    status: Literal[429]
    code: Literal["too_many_open"]
    most: int


class TokensSpentProblem(ProblemDocument):
    """The caller's requests of this day have used `most` model tokens or more."""

    status: Literal[429]
    code: Literal["tokens_spent"]
    most: int


class KeysUnavailableProblem(ProblemDocument):
    """The token issuer's keys are unavailable at the moment."""

    status: Literal[503]
    code: Literal["keys_unavailable"]


class NotConfiguredProblem(ProblemDocument):
    """The app lacks a setting for this."""

    status: Literal[503]
    code: Literal["not_configured"]


class StoreUnavailableProblem(ProblemDocument):
    """The storage can't be read or written at the moment."""

    status: Literal[503]
    code: Literal["store_unavailable"]


class BusyProblem(ProblemDocument):
    """Other files are being converted at the moment."""

    status: Literal[503]
    code: Literal["busy"]


class InternalProblem(ProblemDocument):
    """An unexpected error occurred; the app's log has the cause."""

    status: Literal[500]
    code: Literal["internal"]


def document(code: str, detail: str, facts: dict[str, Any]) -> ProblemDocument:
    """Return the document of a problem.

    Args:
        code: which one it is.
        detail: a sentence for people.
        facts: the further fields of its record.

    Raises:
        KeyError: there is no such problem.
        ValueError: these are not the facts of this problem.
    """
    model = PROBLEMS[code]
    said = {
        "type": _type_of(code),
        "title": code.replace("_", " ").capitalize(),
        "status": status_of(model),
        "detail": detail,
        "code": code,
    }
    return model.model_validate({**said, **facts})


def status_of(problem: type[ProblemDocument]) -> int:
    """Return the HTTP status of a problem."""
    return _only(problem, "status")


def _type_of(code: str) -> str:
    return f"urn:countersign:problem:{code}"


def _only(problem: type[ProblemDocument], field: str) -> Any:
    [value] = get_args(problem.model_fields[field].annotation)
    return value


PROBLEMS = {_only(each, "code"): each for each in ProblemDocument.__subclasses__()}
"""Each problem by its code."""
