"""A gate that releases only as many calls as the minute window allows."""

from __future__ import annotations

import math
import random
import threading
import time
from collections.abc import Awaitable, Callable, Mapping
from email.utils import parsedate_to_datetime

from ._io import Deadline, Io
from .errors import ClipLookupError

#: The longest random delay after a window, so that clients with one key do not start together.
_JITTER_S = 0.5
#: The time after which another call is sent to learn the state, if the first one is slow.
_PROBE_S = 1.0
#: The length of a window.
_WINDOW_S = 60.0


class Gate:
    """Releases only as many calls as the minute window allows.

    Invariant: while the state of the window is unknown, one call at a time (and one per second) is
    sent to learn it for the others. The state is unknown at first, and again in every new
    window, because the clocks of client and service can differ and other programs can use the same
    key. After a refused call, `read_state` reads it instead, which must not use up a place.
    """

    def __init__(
        self, io: Io, read_state: Callable[[Deadline], Awaitable[None]] | None = None
    ) -> None:
        self._io = io
        self._read_state = read_state
        self._lock = threading.RLock()
        self._change = io.new_event()
        #: The calls that can still be sent in this window; None if unknown.
        self._places: float | None = None
        #: The lowest number of free places that any response of this window has named.
        self._fewest_places = math.inf
        #: The end of the window, or of the wait after a refused call.
        self._reset_at = 0.0
        #: The end of the window in Unix seconds, as the service names it.
        self._reset_name = 0.0
        self._in_flight = 0
        self._probed_at = -math.inf
        self._is_refused = False
        self._is_reading = False

    async def enter(self, latest: float, deadline: Deadline) -> float:
        """Wait for a place, but not beyond `latest`.

        Return 0, or the number of seconds until the next place if that is later.
        """
        while True:
            left_s = deadline.left()
            is_reader = False
            with self._lock:
                now = time.time()
                change = self._change
                if self._reset_at <= now:
                    self._places = None
                if self._places is None and self._is_refused and self._read_state:
                    is_reader = not self._is_reading
                    self._is_reading = True
                    wait_s = left_s
                elif self._take_place(now):
                    return 0.0
                else:
                    is_known = self._places is not None
                    wait_s = (self._reset_at if is_known else self._probed_at + _PROBE_S) - now
                    if is_known and now + wait_s > latest:
                        return wait_s
            if is_reader:
                await self._read(deadline)
            else:
                await self._io.pause(min(wait_s, left_s), change)

    def _take_place(self, now: float) -> bool:
        if self._places is None:
            if self._in_flight > 0 and now < self._probed_at + _PROBE_S:
                return False
            self._probed_at = now
        elif self._places > 0:
            self._places -= 1
        else:
            return False
        self._in_flight += 1
        return True

    async def _read(self, deadline: Deadline) -> None:
        """Read the state of the window once for all calls.

        If this fails, the next call learns the state from its own response.
        """
        assert self._read_state is not None
        try:
            await self._read_state(deadline)
            self._is_refused = False
        except ClipLookupError as error:
            # If this call ends too early, another one reads the state.
            if error.code != 'timeout':
                self._is_refused = False
        finally:
            self._is_reading = False
            self._announce()

    def leave(self, headers: Mapping[str, str] | None) -> None:
        """Return the place of a call that has ended. `headers` are those of its response."""
        with self._lock:
            self._in_flight -= 1
            if headers is not None:
                self.learn(headers)
            self._announce()

    def learn(self, headers: Mapping[str, str]) -> None:
        """Update the state of the window from response headers."""
        with self._lock:
            remaining = _number(headers.get('x-ratelimit-remaining'))
            reset_name = _number(headers.get('x-ratelimit-reset')) or 0.0
            if remaining is not None and reset_name < self._reset_name:
                # A late response of an earlier window.
                return
            is_new = reset_name > self._reset_name or self._places is None
            if is_new:
                self._reset_at = (
                    time.time() + _WINDOW_S
                    if remaining is None
                    else _reset_time(reset_name, headers)
                )
            self._reset_name = reset_name
            # Without the headers, no window is known that could be used up.
            places = math.inf if remaining is None else remaining
            # Responses can arrive in a different order than the service counted the requests in.
            self._fewest_places = places if is_new else min(self._fewest_places, places)
            if self._in_flight == 0:
                self._places = self._fewest_places
            elif is_new or self._places is None:
                self._places = max(0.0, places - self._in_flight)
            else:
                self._places = min(self._places, places)
            self._is_refused = False

    def refuse(self, retry_after_s: float) -> None:
        """Close the gate after a refused call."""
        with self._lock:
            end = time.time() + retry_after_s + random.random() * _JITTER_S
            # The window continues, unless none is known.
            self._reset_at = end if self._places == math.inf else max(self._reset_at, end)
            self._places = 0
            self._is_refused = True

    def _announce(self) -> None:
        with self._lock:
            change, self._change = self._change, self._io.new_event()
            change.set()


def _number(text: str | None) -> float | None:
    try:
        return None if text is None else float(text)
    except ValueError:
        return None


def _reset_time(reset_s: float, headers: Mapping[str, str]) -> float:
    """Return the time on this machine's clock at which a window ends; later rather than sooner."""
    now = time.time()
    try:
        # The service's clock, if it is known. `Date` has whole seconds, so this is up to 1 s late.
        server_s = parsedate_to_datetime(headers['date']).timestamp()
    except (KeyError, ValueError, TypeError):
        server_s = now
    left_s = min(max(reset_s - server_s, 0), _WINDOW_S)
    return now + left_s + random.random() * _JITTER_S
