"""The clients of the API."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from typing import Any

from ._calls import Answer, Calls, Mode, Walk, warn_by_default
from ._io import AsyncIo, BlockingIo, complete
from .operations import AsyncPagedOperations, OperationId, PagedOperations
from .transport import AsyncHttpTransport, AsyncTransport, HttpTransport, Transport


class ClipLookup(PagedOperations):
    """A client of the API, with a method for each operation. Threads can share it.

        client = ClipLookup('https://clips.example/v1', key=key)
        page = client.get_feed(level='A2', limit=3)

    Parameters:
        base_url: The base of all paths, such as `https://clips.example/v1`.
        key: The API key.
        mode: `foreground` suits a person who waits: a call fails after at most 10 s of waiting for
            the minute window, and after 30 s in all. `background` waits as long as necessary.
        max_wait_s: The longest wait of a call for the minute window.
        timeout_s: The deadline of every call without a `timeout_s` of its own. It includes waits
            and retries; `math.inf` is none.
        retries: The number of retries after a 502, 503, 504 or network error: 2, or 5 in the
            background.
        transport: Sends the requests, in place of http.client.
        warn: Receives warnings, in place of `warnings.warn`.
    """

    def __init__(
        self,
        base_url: str,
        *,
        key: str | None = None,
        mode: Mode = 'foreground',
        max_wait_s: float | None = None,
        timeout_s: float | None = None,
        retries: int | None = None,
        transport: Transport | None = None,
        warn: Callable[[str], None] = warn_by_default,
    ) -> None:
        self._own_transport = HttpTransport()
        io = BlockingIo(transport or self._own_transport)
        self._calls = Calls(base_url, key, mode, max_wait_s, timeout_s, retries, io)
        self._warn = warn

    def call(
        self,
        operation: OperationId,
        parameters: Mapping[str, object],
        *,
        timeout_s: float | None = None,
    ) -> Answer:
        """Call an operation. Return the record with the headers of the response."""
        deadline = self._calls.deadline(timeout_s)
        return complete(self._calls.call(operation, parameters, deadline))

    def _answer(
        self, operation: OperationId, parameters: Mapping[str, object], timeout_s: float | None
    ) -> Any:
        return self.call(operation, parameters, timeout_s=timeout_s).record

    def _pages(
        self, operation: OperationId, parameters: Mapping[str, object], timeout_s: float | None
    ) -> Iterator[Any]:
        walk = Walk(operation, parameters, self._warn)
        while not walk.is_over:
            page = self._answer(operation, walk.next_parameters(), timeout_s)
            walk.take(page)
            yield page

    def _items(
        self, operation: OperationId, parameters: Mapping[str, object], timeout_s: float | None
    ) -> Iterator[Any]:
        walk = Walk(operation, parameters, self._warn)
        while not walk.is_over:
            yield from walk.take(self._answer(operation, walk.next_parameters(), timeout_s))

    def close(self) -> None:
        """Close the connections that are open without a request."""
        self._own_transport.close()

    def __enter__(self) -> ClipLookup:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncClipLookup(AsyncPagedOperations):
    """An async client of the API: as ClipLookup, for the tasks of one event loop.

        async with AsyncClipLookup('https://clips.example/v1', key=key) as client:
            page = await client.get_feed(level='A2', limit=3)

    To abort a call, cancel its task.
    """

    def __init__(
        self,
        base_url: str,
        *,
        key: str | None = None,
        mode: Mode = 'foreground',
        max_wait_s: float | None = None,
        timeout_s: float | None = None,
        retries: int | None = None,
        transport: AsyncTransport | None = None,
        warn: Callable[[str], None] = warn_by_default,
    ) -> None:
        self._own_transport = AsyncHttpTransport()
        io = AsyncIo(transport or self._own_transport)
        self._calls = Calls(base_url, key, mode, max_wait_s, timeout_s, retries, io)
        self._warn = warn

    async def call(
        self,
        operation: OperationId,
        parameters: Mapping[str, object],
        *,
        timeout_s: float | None = None,
    ) -> Answer:
        """Call an operation. Return the record with the headers of the response."""
        deadline = self._calls.deadline(timeout_s)
        return await self._calls.call(operation, parameters, deadline)

    async def _answer(
        self, operation: OperationId, parameters: Mapping[str, object], timeout_s: float | None
    ) -> Any:
        return (await self.call(operation, parameters, timeout_s=timeout_s)).record

    async def _pages(
        self, operation: OperationId, parameters: Mapping[str, object], timeout_s: float | None
    ) -> AsyncIterator[Any]:
        walk = Walk(operation, parameters, self._warn)
        while not walk.is_over:
            page = await self._answer(operation, walk.next_parameters(), timeout_s)
            walk.take(page)
            yield page

    async def _items(
        self, operation: OperationId, parameters: Mapping[str, object], timeout_s: float | None
    ) -> AsyncIterator[Any]:
        walk = Walk(operation, parameters, self._warn)
        while not walk.is_over:
            for item in walk.take(
                await self._answer(operation, walk.next_parameters(), timeout_s)
            ):
                yield item

    def close(self) -> None:
        """Close the connections that are open without a request."""
        self._own_transport.close()

    async def __aenter__(self) -> AsyncClipLookup:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()
