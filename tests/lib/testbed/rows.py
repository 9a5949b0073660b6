"""Rows of an index: how they get into it, and out again."""

from __future__ import annotations

from countersign.stores.index import Index
from countersign.stores.search import Search
from countersign.stores.summary import Summary


async def put(index: Index, *summaries: Summary) -> None:
    for summary in summaries:
        token = await index.announce(summary.tenant, summary.operation_id, summary.updated_at)
        await index.put(summary, token)


async def ids(index: Index, tenant: str = "home", state: str | None = None) -> list[str]:
    found: list[str] = []
    cursor = None
    while True:
        page = await index.search(tenant, Search(state=state), limit=2, cursor=cursor)
        found += [row.operation_id for row in page.rows]
        if (cursor := page.cursor) is None:
            return found
