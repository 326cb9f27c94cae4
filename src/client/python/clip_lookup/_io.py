"""The parts of a call that take time.

All other code is the same for the sync and the async client: coroutines. Those of the sync client
never suspend, because BlockingIo blocks its thread instead, and so they need no event loop.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Coroutine
from typing import Any, Protocol, TypeVar, cast

from .errors import DeadlineError
from .transport import AsyncTransport, Request, Response, Transport

T = TypeVar('T')


class Event(Protocol):
    """An event for which threads or tasks wait."""

    def set(self) -> None: ...


class Io(Protocol):
    """Sends requests and waits."""

    def new_event(self) -> Event: ...

    async def send(self, request: Request) -> Response: ...

    async def pause(self, duration_s: float, event: Event | None = None) -> None:
        """Wait for a time, or until an event is set."""


class BlockingIo:
    """Sends requests and waits in the thread that calls it."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def new_event(self) -> Event:
        return threading.Event()

    async def send(self, request: Request) -> Response:
        return self._transport(request)

    async def pause(self, duration_s: float, event: Event | None = None) -> None:
        cast(threading.Event, event or threading.Event()).wait(_wait_s(duration_s))


class AsyncIo:
    """Sends requests and waits in the task that calls it."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def new_event(self) -> Event:
        return asyncio.Event()

    async def send(self, request: Request) -> Response:
        try:
            return await asyncio.wait_for(self._transport(request), request.timeout_s)
        except asyncio.TimeoutError as error:
            # It is another class before Python 3.11.
            raise TimeoutError(f'no response within {request.timeout_s:g} s') from error

    async def pause(self, duration_s: float, event: Event | None = None) -> None:
        change = cast(asyncio.Event, event or asyncio.Event())
        try:
            await asyncio.wait_for(change.wait(), _wait_s(duration_s))
        except asyncio.TimeoutError:
            pass


def _wait_s(duration_s: float) -> float:
    """Return a time for which a thread can wait."""
    return min(max(duration_s, 0.001), 1_000_000)


def complete(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine that never suspends. Return its result."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        return cast(T, end.value)
    raise RuntimeError('a coroutine of the sync client was suspended')


class Deadline:
    """The time at which a call fails."""

    def __init__(self, timeout_s: float) -> None:
        self._timeout_s = timeout_s
        self.at = time.time() + timeout_s

    def left(self) -> float:
        """Return the seconds that are left. Raise DeadlineError if there are none."""
        left_s = self.at - time.time()
        if left_s <= 0:
            raise self.error()
        return left_s

    def error(self) -> DeadlineError:
        return DeadlineError('timeout', f'the call took longer than {self._timeout_s:g} s')
