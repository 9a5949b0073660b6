"""Any checkpoint storage, held to what one operation saved in it."""

from __future__ import annotations

from agent_framework import CheckpointStorage, WorkflowCheckpoint

from countersign.approvals.digest import canonical, sha256
from countersign.graph.checkpoint_files import CheckpointFiles
from countersign.graph.encoding import to_json
from countersign.graph.errors import (
    AnotherStore,
    CheckpointError,
    DamagedCheckpoint,
    MissingCheckpoint,
    StrangeCheckpoint,
    way_on,
)
from countersign.graph.journal import LOST, Journal, JournalEntry


class SealedCheckpoints:
    """A `CheckpointStorage` that only gives back what this very operation has put in.

    What is stored in files is read once, compared, and decoded from what was read: a file that was
    planted or changed is named in an error and never reaches a decoder, which for the framework's
    form means a pickle.

    The framework's runner goes on without a checkpoint that could not be saved. So the failure is
    kept, for whoever drives the graph to `check` after each superstep.

    Args:
        inner: the storage, for this operation alone.
        journal: what the operation saved.
        kind: which kind of storage it is; what was saved in one of another kind isn't in there.
    """

    def __init__(
        self,
        inner: CheckpointStorage,
        journal: Journal,
        kind: str,
    ) -> None:
        self.journal = journal
        self._inner = inner
        self._kind = kind
        self._files = inner if isinstance(inner, CheckpointFiles) else None
        self._failure: Exception | None = None

    def check(self) -> None:
        """Raise what kept a checkpoint from being saved, if anything did."""
        if self._failure:
            raise self._failure

    async def save(self, checkpoint: WorkflowCheckpoint) -> str:
        """Store a checkpoint; returns its id.

        Raises:
            CheckpointError: it can't be saved, whatever the reason.
        """
        try:
            return await self._save(checkpoint)
        except CheckpointError as error:
            self._failure = error
            raise
        except Exception as error:  # any fault of any store, which the runner would only log
            self._failure = CheckpointError(
                f"the checkpoint could not be saved ({error}). No completed work is lost:"
                f" fix that, then resume {self._operation_id}"
            )
            raise self._failure from error

    async def load(self, checkpoint_id: str) -> WorkflowCheckpoint:
        """Return a copy of a checkpoint that this operation saved.

        Raises:
            StrangeCheckpoint: it saved none with this id.
            AnotherStore: it was saved in a store of another kind.
            MissingCheckpoint: it is gone.
            DamagedCheckpoint: it is not what was saved.
        """
        sealed = await self._sealed()
        if checkpoint_id not in sealed:
            raise StrangeCheckpoint(
                f"{self._name(checkpoint_id)} is not a checkpoint of {self._operation_id}"
            )
        entry = sealed[checkpoint_id]
        self._check_kind(entry)
        if self._files:
            return await self._from_file(self._files, entry)
        try:
            checkpoint = await self._inner.load(checkpoint_id)
        except CheckpointError:
            raise
        except Exception as error:  # each storage has errors of its own for what isn't there
            raise MissingCheckpoint(
                f"{self._name(checkpoint_id)} is missing ({error}); {self._way_on}"
            ) from error
        if _digest(checkpoint) != entry.digest:
            raise self._damaged(checkpoint_id)
        return checkpoint

    async def list_checkpoint_ids(self, *, workflow_name: str) -> list[str]:
        """Return the ids of all checkpoints that this operation saved, the oldest first."""
        del workflow_name  # one operation, one storage, one workflow
        return list(await self._sealed())

    async def list_checkpoints(self, *, workflow_name: str) -> list[WorkflowCheckpoint]:
        """Return copies of all checkpoints that this operation saved, the oldest first."""
        ids = await self.list_checkpoint_ids(workflow_name=workflow_name)
        return [await self.load(each) for each in ids]

    async def get_latest(self, *, workflow_name: str) -> WorkflowCheckpoint | None:
        """Return the checkpoint that this operation saved last, None if it saved none.

        Raises:
            StrangeCheckpoint: there is something else beside its checkpoints.
            CheckpointError: that one is gone or damaged; no older one takes its place.
        """
        del workflow_name
        await self._look_for_strangers()
        for entry in reversed(await self.journal.entries()):
            if entry is LOST:
                raise DamagedCheckpoint(
                    f"the record of the last checkpoint of {self._operation_id} is missing;"
                    f" {self._way_on}"
                )
            if entry.digest:
                return await self.load(entry.checkpoint_id)
        return None

    async def delete(self, checkpoint_id: str) -> bool:
        """Delete a checkpoint; says whether there was one."""
        return await self._inner.delete(checkpoint_id)

    async def _save(self, checkpoint: WorkflowCheckpoint) -> str:
        digest = _digest(checkpoint)
        await self.journal.begin(checkpoint.checkpoint_id)
        if self._files:
            data = await self._files.codec.encode(checkpoint)
            digest = sha256(data)
            await self._files.write(checkpoint.checkpoint_id, data)
        else:
            await self._inner.save(checkpoint)
        await self.journal.seal(checkpoint.checkpoint_id, digest, self._kind)
        return checkpoint.checkpoint_id

    async def _sealed(self) -> dict[str, JournalEntry]:
        entries = await self.journal.entries()
        return {each.checkpoint_id: each for each in entries if each.digest}

    def _check_kind(self, entry: JournalEntry) -> None:
        if entry.store != self._kind:
            raise AnotherStore(
                f"{self._operation_id} has its checkpoints in the {entry.store} store, but the"
                f" {self._kind} store is selected: select the first again, or {self._way_on}"
            )

    async def _look_for_strangers(self) -> None:
        if self._files is None:
            return
        # The files first: another process notes each before it saves it, also just now.
        files = list(self._files.folder.glob("*.json"))
        known = {each.checkpoint_id for each in await self.journal.entries()}
        strangers = [file for file in files if file.stem not in known]
        if strangers:
            names = ", ".join(str(file) for file in sorted(strangers))
            raise StrangeCheckpoint(
                f"{self._operation_id} did not record saving {names}, so it was not opened."
                " Someone added it, or the record is missing: find out which, and move the file"
                f" away; {self._way_on}"
            )

    async def _from_file(self, files: CheckpointFiles, entry: JournalEntry) -> WorkflowCheckpoint:
        name = self._name(entry.checkpoint_id)
        try:
            data = await files.read(entry.checkpoint_id)
        except MissingCheckpoint:
            raise MissingCheckpoint(f"{name} was saved and is missing; {self._way_on}") from None
        except DamagedCheckpoint as error:
            raise self._damaged(entry.checkpoint_id) from error
        except OSError as error:
            raise CheckpointError(f"{name} cannot be read: {error.strerror}") from error
        if sha256(data) != entry.digest:
            raise self._damaged(entry.checkpoint_id)
        return await files.decode(entry.checkpoint_id, data)

    def _damaged(self, checkpoint_id: str) -> DamagedCheckpoint:
        name = self._name(checkpoint_id)
        return DamagedCheckpoint(f"{name} has changed since it was saved; {self._way_on}")

    @property
    def _operation_id(self) -> str:
        return self.journal.operation_id

    @property
    def _way_on(self) -> str:
        return way_on(self._operation_id)

    def _name(self, checkpoint_id: str) -> str:
        return (
            str(self._files.file(checkpoint_id)) if self._files else f"checkpoint {checkpoint_id}"
        )


def _digest(checkpoint: WorkflowCheckpoint) -> str:
    """Return the digest that identifies a checkpoint; refuses parts that are not JSON."""
    return sha256(canonical(to_json(checkpoint)))
