"""The calls of a client with a cache."""

from __future__ import annotations

import json
import math
import re
import threading
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ._calls import Answer, Calls, target, text_of, wire_name
from ._io import Deadline, Event
from .errors import ClipLookupError, NotFoundError
from .operations import OperationId
from .storage import RELEASE_KEY, CacheStorage, LimitedStorage

_LISTS_MAX = 200
#: The longest pause after a failed update. Without it, every call would wait for the retries.
_FAILURE_PAUSE_S = 60.0

_RecordOperation = Literal['get_clip', 'get_transcript']


@dataclass
class CacheStats:
    """The look-ups that a cache has saved, and those that it has made."""

    saved: int = 0
    made: int = 0


@dataclass
class _SharedRequest:
    """A request that equal calls share. If it has neither a text nor an error, the call that sent
    it ended too early, and another one sends it again.
    """

    end: Event
    is_over: bool = False
    text: str | None = None
    error: ClipLookupError | None = None


class CachedCalls:
    """The state that all calls of a client with a cache share.

    Invariant: a record in the storage is that of the release `since` or of a later one. `since` is
    stored before any record, and stays one update behind, so that the next update names a record
    from a server that was late to load a release.
    """

    def __init__(
        self,
        calls: Calls,
        storage: CacheStorage,
        max_size: int,
        refresh_s: float,
    ) -> None:
        self.stats = CacheStats()
        self._calls = calls
        self._storage = storage
        self._records = LimitedStorage(storage, max_size)
        self._refresh_s = refresh_s
        self._lock = threading.RLock()
        #: The texts of lists and the times at which they expire, keyed by path and query.
        self._lists: dict[str, tuple[str, float]] = {}
        self._shared_requests: dict[str, _SharedRequest] = {}
        self._refresh_at = -math.inf
        #: The number of updates. A record requested before an update is not stored after it.
        self._epoch = 0

    async def answer(
        self, operation: OperationId, parameters: Mapping[str, object], timeout_s: float | None
    ) -> Any:
        """Return a record from the cache or from the service."""
        deadline = self._calls.deadline(timeout_s)
        if operation in ('get_feed', 'get_changes', 'get_usage', 'get_open_api'):
            return (await self._calls.call(operation, parameters, deadline)).record
        if operation == 'list_clips':
            return await self._list_clips(parameters, deadline)
        if operation == 'get_clip' or operation == 'get_transcript':
            id = _normal_id(text_of(parameters['clip_id']))
            return json.loads(await self._record(operation, id, deadline))
        return json.loads(await self._list(operation, parameters, deadline))

    async def update(self, timeout_s: float | None) -> None:
        """Remove what has changed since the last update."""
        await self._share_update(self._calls.deadline(timeout_s))

    async def _share_update(self, deadline: Deadline) -> None:
        await self._share('update', deadline, lambda: self._update(deadline), is_metered=False)

    async def _update(self, deadline: Deadline) -> str:
        start = time.time()
        since, latest = json.loads(self._storage.get(RELEASE_KEY) or '[null, null]')
        to = None
        if since is not None:
            try:
                answer = await self._calls.call('get_changes', {'since': since}, deadline)
            except NotFoundError:
                pass
            else:
                to = answer.record['to']
                self._remove(answer.record['clips'], is_new_release=to != latest)
        if to is None:
            # The changes since then are unknown.
            answer = await self._calls.call('get_corpus', {}, deadline)
            to = latest = answer.record['release']
            with self._lock:
                self._epoch += 1
                self._lists.clear()
                self._records.clear()
        with self._lock:
            self._storage.set(RELEASE_KEY, json.dumps([latest, to]))
            self._refresh_at = start + self._refresh_s
        return ''

    def _remove(self, changes: Mapping[str, list[str]], is_new_release: bool) -> None:
        with self._lock:
            self._epoch += 1
            for clip_id in changes['changed'] + changes['withdrawn']:
                self._records.delete(f'getClip/{clip_id}')
                self._records.delete(f'getTranscript/{clip_id}')
            if is_new_release:
                self._lists.clear()

    async def _refresh(self, deadline: Deadline) -> None:
        """Update if it is time. If the service cannot be reached, the cache answers with what it
        has, and tries again after a pause.
        """
        if time.time() < self._refresh_at:
            return
        with self._lock:
            is_filled = self._storage.get(RELEASE_KEY) is not None
        try:
            await self._share_update(deadline)
        except ClipLookupError:
            if not is_filled:
                raise
            self._refresh_at = time.time() + min(self._refresh_s, _FAILURE_PAUSE_S)

    async def _list_clips(self, parameters: Mapping[str, object], deadline: Deadline) -> Any:
        """Return clips, and request only those that are not in the cache."""
        await self._refresh(deadline)
        texts = text_of(parameters['ids']).split(',')
        ids = [id for id in dict.fromkeys(map(_normal_id, texts)) if id]
        with self._lock:
            stored_texts = {id: self._stored('get_clip', id) for id in ids}
        clips = {id: json.loads(text) for id, text in stored_texts.items() if text is not None}
        missing_ids = [id for id in ids if id not in clips]
        if ids and not missing_ids:
            self._count(saved=1)
        else:
            text = await self._share(
                f'listClips/{",".join(missing_ids)}',
                deadline,
                lambda: self._fetch_clips(missing_ids, deadline),
            )
            for clip in json.loads(text):
                clips |= {clip['clipId']: clip, clip['videoId']: clip}
        items = {clips[id]['clipId']: clips[id] for id in ids if id in clips}
        return {'items': list(items.values()), 'missing': [id for id in ids if id not in clips]}

    async def _fetch_clips(self, ids: list[str], deadline: Deadline) -> str:
        epoch = self._epoch
        answer = await self._calls.call('list_clips', {'ids': ids}, deadline)
        for clip in answer.record['items']:
            self._store('get_clip', clip['videoId'], clip, epoch)
        return json.dumps(answer.record['items'], ensure_ascii=False)

    async def _record(self, operation: _RecordOperation, id: str, deadline: Deadline) -> str:
        await self._refresh(deadline)
        with self._lock:
            text = self._stored(operation, id)
        if text is not None:
            self._count(saved=1)
            return text
        return await self._share(
            f'{operation}/{id}', deadline, lambda: self._fetch_record(operation, id, deadline)
        )

    async def _fetch_record(
        self, operation: _RecordOperation, id: str, deadline: Deadline
    ) -> str:
        epoch = self._epoch
        answer = await self._calls.call(operation, {'clip_id': id}, deadline)
        return self._store(operation, id, answer.record, epoch)

    def _stored(self, operation: _RecordOperation, id: str) -> str | None:
        """Return the text of a record; the id is a clip id or a video id."""
        name = wire_name(operation)
        clip_id = self._records.get(f'id/{id}')
        text = self._records.get(f'{name}/{id}')
        return self._records.get(f'{name}/{clip_id}') if text is None and clip_id else text

    def _store(self, operation: _RecordOperation, id: str, record: Any, epoch: int) -> str:
        text = json.dumps(record, ensure_ascii=False)
        with self._lock:
            if epoch == self._epoch:
                clip_id = record['clipId']
                self._records.set(f'{wire_name(operation)}/{clip_id}', text)
                if id != clip_id:
                    self._records.set(f'id/{id}', clip_id)
        return text

    async def _list(
        self, operation: OperationId, parameters: Mapping[str, object], deadline: Deadline
    ) -> str:
        key = target(operation, parameters)
        is_metered = operation != 'get_corpus'
        text, end = self._lists.get(key, ('', 0.0))
        if end > time.time():
            self._count(saved=int(is_metered))
            return text

        async def request() -> str:
            answer = await self._calls.call(operation, parameters, deadline)
            return self._store_list(key, answer)

        return await self._share(key, deadline, request, is_metered)

    def _store_list(self, key: str, answer: Answer) -> str:
        text = json.dumps(answer.record)
        max_age = re.search(r'max-age=(\d+)', answer.headers.get('cache-control', ''))
        with self._lock:
            self._lists.pop(key, None)
            if max_age:
                self._lists[key] = text, time.time() + int(max_age[1])
            if len(self._lists) > _LISTS_MAX:
                del self._lists[next(iter(self._lists))]
        return text

    async def _share(
        self,
        key: str,
        deadline: Deadline,
        request: Callable[[], Awaitable[str]],
        is_metered: bool = True,
    ) -> str:
        """Share a request with equal calls. If the call that sent it ends too early, another one
        sends it again.
        """
        while True:
            with self._lock:
                shared = self._shared_requests.get(key)
                if shared is None:
                    own = self._shared_requests[key] = _SharedRequest(self._calls.io.new_event())
                    break
            while not shared.is_over:
                await self._calls.io.pause(deadline.left(), shared.end)
            if shared.error is not None:
                raise shared.error
            if shared.text is not None:
                self._count(saved=int(is_metered))
                return shared.text
        try:
            own.text = await request()
            self._count(made=int(is_metered))
            return own.text
        except ClipLookupError as error:
            # An unknown clip or word is a look-up, too.
            self._count(made=int(is_metered and error.code == 'not_found'))
            if error.code != 'timeout':
                own.error = error
            raise
        finally:
            with self._lock:
                del self._shared_requests[key]
                own.is_over = True
                own.end.set()

    def _count(self, saved: int = 0, made: int = 0) -> None:
        with self._lock:
            self.stats.saved += saved
            self.stats.made += made


def _normal_id(id: str) -> str:
    """Return an id as the service writes it. Clip ids are sent in any case; video ids are
    case-sensitive.
    """
    text = id.strip()
    is_clip_id = re.fullmatch(r'[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}', text, re.ASCII | re.I)
    return text.lower() if is_clip_id else text
