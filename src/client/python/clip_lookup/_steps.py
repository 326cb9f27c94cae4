"""Steps of a call that both the sync and the async client take.

The steps are a generator. It yields what takes time, and the client performs that in its own way:
by blocking its thread, or by waiting in its event loop.
"""

from __future__ import annotations

import asyncio
import math
import threading
import time
from collections.abc import Awaitable, Callable, Generator
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, cast

from .errors import DeadlineError
from .transport import AsyncTransport, Request, Response, Transport

S = TypeVar('S')
T = TypeVar('T')

#: The longest time for which a thread can wait.
_MAX_WAIT_S = 1_000_000.0


class Event(Protocol):
    """What threads or tasks wait for."""

    def set(self) -> None: ...


@dataclass(frozen=True)
class Send:
    """Sends a request. The result is the response."""

    request: Request


@dataclass(frozen=True)
class Pause:
    """Waits for a time, or until an event is set."""

    duration_s: float
    event: Event | None = None


Step = Send | Pause
Steps = Generator[Step, Any, T]


def send(request: Request) -> Steps[Response]:
    return cast(Response, (yield Send(request)))


def pause(duration_s: float, event: Event | None = None) -> Steps[None]:
    yield Pause(min(max(duration_s, 0.001), _MAX_WAIT_S), event)


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


def drive(steps: Generator[S, Any, T], perform: Callable[[S], Any]) -> T:
    """Take steps in the thread that calls it."""
    try:
        step = next(steps)
        while True:
            try:
                result = perform(step)
            except BaseException as error:
                step = steps.throw(error)
            else:
                step = steps.send(result)
    except StopIteration as end:
        return cast(T, end.value)


async def drive_async(steps: Generator[S, Any, T], perform: Callable[[S], Awaitable[Any]]) -> T:
    """Take steps in the task that calls it."""
    try:
        step = next(steps)
        while True:
            try:
                result = await perform(step)
            except BaseException as error:
                step = steps.throw(error)
            else:
                step = steps.send(result)
    except StopIteration as end:
        return cast(T, end.value)


class SyncRunner:
    """Takes steps in the thread that calls it."""

    new_event: Callable[[], Event] = threading.Event

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def run(self, steps: Steps[T]) -> T:
        return drive(steps, self._perform)

    def _perform(self, step: Step) -> Any:
        if isinstance(step, Send):
            return self._transport(step.request)
        if step.event is None:
            time.sleep(step.duration_s)
        else:
            cast(threading.Event, step.event).wait(step.duration_s)
        return None


class AsyncRunner:
    """Takes steps in the task that calls it."""

    new_event: Callable[[], Event] = asyncio.Event

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def run(self, steps: Steps[T]) -> T:
        return await drive_async(steps, self._perform)

    async def _perform(self, step: Step) -> Any:
        if isinstance(step, Send):
            timeout_s = step.request.timeout_s
            return await _within(timeout_s, self._transport(step.request))
        if step.event is None:
            await asyncio.sleep(step.duration_s)
            return None
        try:
            await _within(step.duration_s, cast(asyncio.Event, step.event).wait())
        except TimeoutError:
            pass
        return None


async def _within(timeout_s: float, awaitable: Awaitable[T]) -> T:
    try:
        return await asyncio.wait_for(awaitable, None if math.isinf(timeout_s) else timeout_s)
    except asyncio.TimeoutError as error:
        # It is another class before Python 3.11.
        raise TimeoutError(f'no response within {timeout_s:g} s') from error
