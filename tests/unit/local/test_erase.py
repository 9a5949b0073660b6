"""`dev.py erase` and `dev.py hold`: what an operator has done, and what is kept."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from countersign.approvals import rules
from countersign.approvals.events import OperationStarted
from countersign.approvals.operation import Operation
from countersign.approvals.person import Person
from countersign.approvals.policy import Policy
from countersign.approvals.sealing import ERASED
from countersign.passkeys import ring as rings
from countersign.passkeys.ring import Passkey
from countersign.services import Services
from countersign.wiring import services
from local import erase, hold
from local.service_command import FAILED

TENANT = "home"
RITA = Person(id="id-rita", name="Rita", tenant=TENANT, roles=frozenset())
OLGA = replace(RITA, id="id-olga", name="Olga")


async def begin(app: Services, operation_id: str, *, ended: bool) -> None:
    event = OperationStarted(
        at=app.clock(),
        actor=RITA.actor,
        kind="research",
        title="Otters",
        request="0" * 64,
        policy=Policy(reviewer_role="Report.Reviewer"),
        erasable=True,
    )
    operations = app.operations
    await operations.start(TENANT, operation_id, event, by=RITA)
    if ended:
        await operations.change(
            TENANT, operation_id, lambda state, now: rules.withdraw(state, RITA, "", now)
        )
        await operations.change(
            TENANT,
            operation_id,
            lambda state, now: rules.close(state, None, "", now, written="published"),
        )


def run_erase(folder: Path) -> int:
    return erase.main(
        ["id-rita", "--tenant", TENANT, "--rule", "asked on 1 May", "--data", str(folder)]
    )


def test_whoever_is_no_person_erases_nothing(
    app: Services, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(begin(app, "research-1", ended=True))
    title = read(app).title
    for slip in ("Rita", title, "id-nobody"):
        options = [slip, "--tenant", TENANT, "--rule", "asked", "--data", str(tmp_path)]
        assert erase.main(options) == FAILED
        assert "nothing was erased" in capsys.readouterr().err
    assert (read(app).title, read(app).requester.name) == (title, "Rita")


def run_hold(folder: Path, *options: str) -> int:
    given = ["research-1", "--tenant", TENANT, "--reason", "a lawsuit", "--data", str(folder)]
    return hold.main([*given, *options])


def read(app: Services, operation_id: str = "research-1") -> Operation:
    operation = asyncio.run(app.operations.trusted(TENANT, operation_id))
    assert operation
    return operation


def test_a_person_is_erased_from_what_has_ended_and_the_rest_is_named(
    app: Services, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(begin(app, "research-1", ended=True))
    assert run_erase(tmp_path) == erase.ERASED
    assert "research-1: erased" in capsys.readouterr().out
    assert read(app).requester.id.startswith("erased-")
    asyncio.run(begin(app, "research-2", ended=False))
    assert run_erase(tmp_path) == erase.KEPT
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == "research-2 is kept: operation: it has not ended.\n"
    assert read(app, "research-2").requester.name == "Rita"


def add_passkey(app: Services, owner: Person, confirmed_by: Person) -> None:
    added, confirmed = (rings.step(each, app.clock()) for each in (owner, confirmed_by))
    passkey = Passkey(
        id="AAAA", public_key="AAAA", label="Laptop", added=added, confirmed=confirmed
    )
    seal = app.passkeys.seal
    assert seal
    signature = seal.sign(passkey.signed_data(TENANT))
    text = rings.to_text(rings.KeyRing(passkeys=(replace(passkey, signature=signature),)))
    assert asyncio.run(app.passkeys.store.put(TENANT, owner.id, text, ""))


def test_a_person_has_no_passkeys_afterwards(
    app: Services, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    add_passkey(app, RITA, confirmed_by=OLGA)
    assert run_erase(tmp_path) == erase.ERASED
    assert capsys.readouterr().out == "erased 1 passkey\n"
    assert asyncio.run(app.passkeys.store.people(TENANT)) == []


def test_whoever_did_no_more_than_confirm_a_passkey_is_erased_from_it(
    app: Services, tmp_path: Path
) -> None:
    add_passkey(app, OLGA, confirmed_by=RITA)
    assert run_erase(tmp_path) == erase.ERASED
    [kept] = asyncio.run(app.passkeys.of(TENANT, OLGA.id))
    assert kept.confirmed
    assert (kept.confirmed.by, kept.confirmed.name) == (ERASED, ERASED)


def test_what_is_due_is_erased_also_if_it_ended_before_the_rule(
    app: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asyncio.run(begin(app, "research-1", ended=True))
    asyncio.run(begin(app, "research-2", ended=False))
    monkeypatch.setenv("COUNTERSIGN_RETENTION_DAYS", "research/withdrawn=0")
    services.cache_clear()
    assert erase.main(["--due", "--tenant", TENANT, "--data", str(tmp_path)]) == erase.ERASED
    assert read(app).erased
    assert not read(app, "research-2").erased


@pytest.mark.parametrize(
    "options", [[], ["--due", "id-rita"], ["id-rita"], ["--due", "id-rita", "--rule", "x"]]
)
def test_either_a_person_with_the_rule_is_erased_or_what_is_due(options: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        erase.main([*options, "--tenant", TENANT])
    assert ended.value.code == FAILED


def test_a_hold_is_placed_recorded_and_lifted(
    app: Services, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_hold(tmp_path) == hold.REFUSED
    asyncio.run(begin(app, "research-1", ended=True))
    assert run_hold(tmp_path) == hold.DONE
    placed = read(app).legal_hold
    assert placed
    assert placed.reason == "a lawsuit"
    assert placed.actor.id.startswith("command-line:")
    assert run_erase(tmp_path) == erase.KEPT
    assert run_hold(tmp_path, "--lift") == hold.DONE
    assert run_erase(tmp_path) == erase.ERASED
    assert "research-1 is under no legal hold." in capsys.readouterr().out
