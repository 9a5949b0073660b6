"""The replies of models, each kept under exactly what was asked, for the operation that asked."""

from __future__ import annotations

from dataclasses import dataclass

from countersign.approvals.digest import canonical, sha256
from countersign.stores.artifacts import Artifacts
from countersign.team.calls import Reply, Request


@dataclass(frozen=True, kw_only=True, slots=True)
class KeptReplies:
    """The replies to one operation's requests.

    A process that dies in a step loses the call under way and nothing else: whoever repeats the
    step puts the same requests, and finds the replies to those before it.

    Attributes:
        artifacts: where they are kept.
        tenant: whose operation it is.
        operation_id: that operation; replies are never shared between operations.
        model: which model answers; another one is asked anew.
        attempt: what sets a try apart in which a model is asked anew; empty where it isn't.
    """

    artifacts: Artifacts
    tenant: str
    operation_id: str
    model: str
    attempt: str = ""

    async def get(self, request: Request) -> Reply | None:
        """The reply to an equal request, None if there is none.

        Raises:
            ArtifactError: it is missing or damaged.
        """
        reference = await self.artifacts.recall(self.tenant, self._key(request))
        if reference is None:
            return None
        return Reply.model_validate_json(await self.artifacts.get(self.tenant, reference))

    async def put(self, request: Request, reply: Reply) -> None:
        """Keep a reply; the first to a request stands."""
        stored = canonical(reply.model_dump(mode="json"))
        reference = await self.artifacts.put(self.tenant, stored)
        await self.artifacts.remember(self.tenant, self._key(request), reference)

    def _key(self, request: Request) -> str:
        parts = [
            self.tenant,
            self.operation_id,
            "reply",
            self.model,
            request.model_dump(mode="json"),
        ]
        return sha256(canonical([*parts, *([self.attempt] if self.attempt else [])]))
