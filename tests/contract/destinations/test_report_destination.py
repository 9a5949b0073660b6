"""What destinations of reports promise besides: to tell what is there, and to refuse more."""

from datetime import timedelta

import pytest

from countersign.destinations.destination import AlreadyThere, ReportDestination

REPORT = "# Otters\n\nThey hold hands: „Ötter“.\n".encode()


@pytest.fixture(params=["report-folder", "azure"])
def name(request: pytest.FixtureRequest) -> str:
    return request.param


async def test_nothing_can_be_read_before_a_write(destination: ReportDestination) -> None:
    assert await destination.read(tenant="home", operation_id="op-1") is None


async def test_what_is_read_is_what_was_written(destination: ReportDestination) -> None:
    await destination.write(tenant="home", operation_id="op-1", data=REPORT)
    assert await destination.read(tenant="home", operation_id="op-1") == REPORT


@pytest.mark.parametrize("second", [REPORT, b"", b"something else"])
@pytest.mark.parametrize("tried_for", [None, timedelta(hours=1)])
async def test_a_second_write_is_refused_whatever_and_whenever(
    destination: ReportDestination, second: bytes, tried_for: timedelta | None
) -> None:
    await destination.write(tenant="home", operation_id="op-1", data=REPORT, tried_for=tried_for)
    with pytest.raises(AlreadyThere):
        await destination.write(
            tenant="home", operation_id="op-1", data=second, tried_for=tried_for
        )
    assert await destination.read(tenant="home", operation_id="op-1") == REPORT


async def test_an_empty_report_is_there_too(destination: ReportDestination) -> None:
    await destination.write(tenant="home", operation_id="op-1", data=b"")
    assert await destination.read(tenant="home", operation_id="op-1") == b""
    assert await destination.find(tenant="home", operation_id="op-1")


@pytest.mark.parametrize(
    ("tenant", "operation_id"),
    [("other", "op-1"), ("home", "op-2"), ("HOME", "op-1"), ("home", "OP-1"), ("home.", "op-1")],
)
async def test_each_operation_of_each_tenant_has_its_own_place(
    destination: ReportDestination, tenant: str, operation_id: str
) -> None:
    await destination.write(tenant="home", operation_id="op-1", data=REPORT)
    assert await destination.read(tenant=tenant, operation_id=operation_id) is None
    receipt = await destination.write(tenant=tenant, operation_id=operation_id, data=b"theirs")
    there = await destination.find(tenant="home", operation_id="op-1")
    assert there
    assert str(there["location"]).casefold() != str(receipt["location"]).casefold()


@pytest.mark.parametrize("illegal", ["", "a/b", "ä", "op-1\n", "x" * 65])
async def test_a_name_that_could_mean_something_else_is_not_read(
    destination: ReportDestination, illegal: str
) -> None:
    for tenant, operation_id in ((illegal, "op-1"), ("home", illegal)):
        with pytest.raises(ValueError, match="not a valid"):
            await destination.read(tenant=tenant, operation_id=operation_id)


async def test_nothing_is_listed_before_a_write(destination: ReportDestination) -> None:
    assert await destination.operations() == []


async def test_each_operation_of_each_tenant_is_listed_as_it_was_named(
    destination: ReportDestination,
) -> None:
    written = [(t, o) for t in ("home", "HOME", "a.b") for o in ("op-1", "OP-1", "op.1", "x.md")]
    for tenant, operation_id in written:
        await destination.write(tenant=tenant, operation_id=operation_id, data=REPORT)
    assert sorted(await destination.operations()) == sorted(written)
