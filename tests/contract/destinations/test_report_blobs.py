"""What only the blobs promise: names, a content type, receipts without secrets, clear faults."""

from datetime import datetime, timedelta, timezone

import pytest

from countersign.destinations.destination import DestinationUnavailable
from countersign.destinations.report_blobs import ReportBlobs
from countersign.stores.account import StorageAccount


@pytest.fixture
def name() -> str:
    return "azure"


@pytest.fixture
def reports(account: StorageAccount) -> ReportBlobs:
    return ReportBlobs(account)


@pytest.mark.parametrize(
    ("tenant", "operation_id", "path"),
    [
        ("home", "op-1", "home/op-1.md"),
        ("Home", "op_1", "%48ome/op_1.md"),
        ("..", "..", "%2E%2E/%2E%2E.md"),
    ],
)
async def test_a_report_has_its_name_of_tenant_and_operation(
    account: StorageAccount, reports: ReportBlobs, tenant: str, operation_id: str, path: str
) -> None:
    receipt = await reports.write(tenant=tenant, operation_id=operation_id, data=b"otters")
    assert receipt["destination"] == "blob storage"
    assert receipt["location"] == f"{account.prefix}-reports/{path}"
    container = account.container("reports")
    assert list(container.list_blob_names()) == [path]
    settings = container.get_blob_client(path).get_blob_properties().content_settings
    assert settings.content_type == "text/markdown; charset=utf-8"


async def test_a_report_s_moment_is_that_of_its_one_write(reports: ReportBlobs) -> None:
    receipt = await reports.write(tenant="home", operation_id="op-1", data=b"otters")
    moment = datetime.strptime(str(receipt["written_at"]), "%Y-%m-%dT%H:%M:%S.%f%z")
    assert abs(datetime.now(timezone.utc) - moment) < timedelta(minutes=1)


async def test_a_receipt_holds_no_secret(account: StorageAccount, reports: ReportBlobs) -> None:
    receipt = await reports.write(tenant="home", operation_id="op-1", data=b"otters")
    assert "AccountKey" in str(account.connection_string)
    secrets = str(account.connection_string).split(";")
    assert not [each for each in secrets if each and each.partition("=")[2] in str(receipt)]


async def test_an_account_that_is_not_there_is_a_clear_error() -> None:
    nowhere = "AccountName=a;AccountKey=AAAA;BlobEndpoint=http://127.0.0.1:9/a;"
    account = StorageAccount(connection_string=nowhere, retry_seconds=0.1)
    with pytest.raises(DestinationUnavailable, match=r"published reports: .* can't be reached"):
        await ReportBlobs(account).write(tenant="home", operation_id="op-1", data=b"otters")
