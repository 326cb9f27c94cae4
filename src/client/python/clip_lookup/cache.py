"""Clients with a cache."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ._cached_calls import CachedCalls, CacheStats
from ._calls import Calls
from ._io import complete
from .client import AsyncClipLookup, ClipLookup
from .operations import AsyncOperations, OperationId, Operations
from .storage import CacheStorage, FolderStorage, MemoryStorage

__all__ = [
    'AsyncCachedClipLookup',
    'CacheStats',
    'CacheStorage',
    'CachedClipLookup',
    'FolderStorage',
    'MemoryStorage',
]

_MAX_SIZE = 50_000_000
_REFRESH_S = 3600.0


class CachedClipLookup(Operations):
    """A client with a cache. Clips and transcripts stay in it until `/changes` names them, lists as
    long as their `max-age`; equal calls at the same time share a request. Feeds and usage are not
    cached. Threads can share it.

        cache = CachedClipLookup(client, storage=FolderStorage('clip-cache'))

    Parameters:
        client: The client that makes the calls.
        storage: Keeps clips and transcripts; memory by default.
        max_size: The largest size of the clips and transcripts, in characters.
        refresh_s: The time after which the cache asks for changes before it answers.
    """

    def __init__(
        self,
        client: ClipLookup,
        *,
        storage: CacheStorage | None = None,
        max_size: int = _MAX_SIZE,
        refresh_s: float = _REFRESH_S,
    ) -> None:
        self._cached_calls = _cached_calls(client._calls, storage, max_size, refresh_s)
        #: The look-ups that the cache has saved, and those that it has made.
        self.stats = self._cached_calls.stats

    def update(self, *, timeout_s: float | None = None) -> None:
        """Remove what has changed since the last update. Calls do that by themselves, when the last
        update is older than `refresh_s`.
        """
        complete(self._cached_calls.update(timeout_s))

    def _answer(
        self, operation: OperationId, parameters: Mapping[str, object], timeout_s: float | None
    ) -> Any:
        return complete(self._cached_calls.answer(operation, parameters, timeout_s))


class AsyncCachedClipLookup(AsyncOperations):
    """An async client with a cache: as CachedClipLookup, for the tasks of one event loop."""

    def __init__(
        self,
        client: AsyncClipLookup,
        *,
        storage: CacheStorage | None = None,
        max_size: int = _MAX_SIZE,
        refresh_s: float = _REFRESH_S,
    ) -> None:
        self._cached_calls = _cached_calls(client._calls, storage, max_size, refresh_s)
        #: The look-ups that the cache has saved, and those that it has made.
        self.stats = self._cached_calls.stats

    async def update(self, *, timeout_s: float | None = None) -> None:
        """Remove what has changed since the last update. Calls do that by themselves, when the last
        update is older than `refresh_s`.
        """
        await self._cached_calls.update(timeout_s)

    async def _answer(
        self, operation: OperationId, parameters: Mapping[str, object], timeout_s: float | None
    ) -> Any:
        return await self._cached_calls.answer(operation, parameters, timeout_s)


def _cached_calls(
    calls: Calls, storage: CacheStorage | None, max_size: int, refresh_s: float
) -> CachedCalls:
    place = MemoryStorage() if storage is None else storage
    return CachedCalls(calls, place, max_size, refresh_s)
