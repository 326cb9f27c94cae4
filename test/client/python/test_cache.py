"""The cache."""

import asyncio
import copy
import json
import os
import tempfile
import time
import unittest
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from unittest.mock import patch
from urllib.request import urlopen

from clip_lookup import AsyncClipLookup, ClipLookup, ClipLookupError, NetworkError, NotFoundError
from clip_lookup.cache import (
    AsyncCachedClipLookup,
    CachedClipLookup,
    CacheStats,
    CacheStorage,
    FolderStorage,
    MemoryStorage,
)
from clip_lookup.transport import Request, Response
from service import AMPLE_KEY, URL, CountedTransport

VIDEO_IDS = [
    'cat-sitter',
    'morning-run',
    'at-the-beach',
    'the-contract',
    'watchmaker',
    'fast-cats',
]


def publish(titles: dict[str, str] | None = None, withdrawn: list[str] | None = None) -> None:
    """Let the service publish its corpus with these titles, without these clips."""
    body = json.dumps({'titles': titles or {}, 'withdrawn': withdrawn or []}).encode()
    with urlopen(os.environ['CLIP_LOOKUP_PUBLISH_URL'], body) as response:
        response.read()


def outcome(call: Callable[[Any], Any], argument: object) -> Any:
    try:
        return call(argument)
    except ClipLookupError as error:
        return error.code


class SlowTransport(CountedTransport):
    """Sends requests over HTTP, and waits until the calls of a test have begun."""

    def __call__(self, request: Request) -> Response:
        time.sleep(0.2)
        return super().__call__(request)


class Cache(unittest.TestCase):
    def setUp(self) -> None:
        self.transport = CountedTransport()
        self.client = ClipLookup(URL, key=AMPLE_KEY, transport=self.transport)
        self.addCleanup(self.transport.http.close)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name) / 'cache'

    def look_ups(self) -> list[str]:
        """Return the look-ups since the last call."""
        paths = [path for path in self.transport.paths if 'corpus' not in path]
        self.transport.paths.clear()
        return [path for path in paths if 'changes' not in path]

    def test_a_clip_and_its_transcript_are_asked_for_once_by_any_of_their_ids(self) -> None:
        cache = CachedClipLookup(self.client)
        clip = cache.get_clip('cat-sitter')
        self.assertEqual(clip, self.client.get_clip('cat-sitter'))
        self.transport.paths.clear()
        clip['title'] = 'changed by the caller'
        self.assertNotEqual(cache.get_clip(clip['clipId'].upper())['title'], clip['title'])
        page = cache.list_clips(['cat-sitter', clip['clipId']])
        self.assertEqual((len(page['items']), page['missing']), (1, []))
        self.assertEqual(self.transport.paths, [])
        self.assertEqual(cache.stats, CacheStats(saved=2, made=1))

    def test_a_list_of_clips_asks_only_for_those_that_are_missing(self) -> None:
        cache = CachedClipLookup(self.client)
        cache.get_clip('watchmaker')
        self.look_ups()
        ids = ['fast-cats', 'nosuchclip', 'watchmaker', 'fast-cats']
        page = cache.list_clips(ids)
        self.assertEqual(self.look_ups(), ['/clips?ids=fast-cats%2Cnosuchclip'])
        self.assertEqual(page, self.client.list_clips(ids))
        self.assertEqual(outcome(cache.list_clips, []), 'invalid_parameter')

    def test_equal_calls_of_threads_share_a_request(self) -> None:
        self.client = ClipLookup(URL, key=AMPLE_KEY, transport=SlowTransport())
        cache = CachedClipLookup(self.client)
        with ThreadPoolExecutor(8) as pool:
            records = list(pool.map(cache.get_transcript, ['watchmaker'] * 8))
        self.assertEqual(records, [self.client.get_transcript('watchmaker')] * 8)
        self.assertEqual(cache.stats, CacheStats(saved=7, made=1))
        with ThreadPoolExecutor(2) as pool:
            pages = list(pool.map(cache.list_clips, [['cat-sitter']] * 2))
        self.assertEqual(pages[0], pages[1])
        self.assertEqual(cache.stats, CacheStats(saved=8, made=2))

    def test_equal_calls_of_tasks_share_a_request_which_others_send_if_one_is_cancelled(
        self,
    ) -> None:
        async def ask() -> Any:
            async with AsyncClipLookup(URL, key=AMPLE_KEY) as client:
                cache = AsyncCachedClipLookup(client)
                await cache.update()
                tasks = [asyncio.create_task(cache.get_word('cat')) for _ in range(5)]
                await asyncio.sleep(0)
                tasks[0].cancel()
                outcomes = await asyncio.gather(*tasks, return_exceptions=True)
                await cache.get_word('cat')
                return outcomes, cache.stats

        outcomes, stats = asyncio.run(ask())
        self.assertIsInstance(outcomes[0], asyncio.CancelledError)
        self.assertEqual(outcomes[1:], [self.client.get_word('cat')] * 4)
        self.assertEqual(stats, CacheStats(saved=4, made=1))

    def test_a_shared_request_that_fails_fails_for_all(self) -> None:
        sent: list[str] = []

        async def fail(request: Request) -> Response:
            sent.append(request.url)
            await asyncio.sleep(0.01)
            raise OSError('gone')

        async def ask() -> list[Any]:
            client = AsyncClipLookup('http://service.example', transport=fail, retries=0)
            cache = AsyncCachedClipLookup(client)
            calls = [cache.get_word('cat') for _ in range(5)]
            return await asyncio.gather(*calls, return_exceptions=True)

        self.assertEqual([type(each) for each in asyncio.run(ask())], [NetworkError] * 5)
        self.assertEqual(len(sent), 1)

    def test_a_record_that_cannot_be_stored_is_returned_and_asked_for_again(self) -> None:
        class FullStorage(MemoryStorage):
            def set(self, key: str, text: str) -> None:
                if key != 'release':
                    raise OSError('the disk is full')
                super().set(key, text)

        cache = CachedClipLookup(self.client, storage=FullStorage())
        for _ in range(2):
            self.assertEqual(cache.get_clip('cat-sitter'), self.client.get_clip('cat-sitter'))
        self.assertEqual(cache.stats, CacheStats(saved=0, made=2))

    def test_lists_stay_as_long_as_their_max_age_and_feeds_not_at_all(self) -> None:
        cache = CachedClipLookup(self.client)

        def ask(time_s: float) -> int:
            with patch('time.time', lambda: time_s):
                cache.list_words(q='cat', level=['A1', 'B1'])
                cache.list_words(q='cat', level='A1,B1')
                cache.get_feed(seed='a')
            return len(self.look_ups())

        start = time.time()
        self.assertEqual(ask(start), 2)
        self.assertEqual(cache.stats, CacheStats(saved=1, made=1))
        self.assertEqual(ask(start + 3599), 1)
        self.assertEqual(ask(start + 3601), 2)

    def test_the_least_recently_used_record_is_forgotten_when_the_cache_is_full(self) -> None:
        size = len(json.dumps(self.client.get_transcript('watchmaker')))
        cache = CachedClipLookup(self.client, max_size=2 * size)
        for video_id in ['watchmaker', *VIDEO_IDS]:
            cache.get_transcript(video_id)
        self.look_ups()
        cache.get_transcript(VIDEO_IDS[-1])
        self.assertEqual(self.look_ups(), [])
        cache.get_transcript(VIDEO_IDS[0])
        self.assertEqual(len(self.look_ups()), 1)

    def test_a_record_that_is_larger_than_the_whole_cache_removes_no_others(self) -> None:
        size = len(json.dumps(self.client.get_transcript('watchmaker')))
        cache = CachedClipLookup(self.client, max_size=size - 1)
        cache.get_clip('cat-sitter')
        cache.get_transcript('watchmaker')
        self.look_ups()
        cache.get_clip('cat-sitter')
        self.assertEqual(self.look_ups(), [])

    def test_the_cache_answers_while_the_service_is_gone(self) -> None:
        is_gone = False

        def send(request: Request) -> Response:
            if is_gone:
                raise OSError('gone')
            return self.transport(request)

        client = ClipLookup(URL, key=AMPLE_KEY, transport=send, retries=0)
        cache = CachedClipLookup(client, refresh_s=0)
        clip = cache.get_clip('cat-sitter')
        is_gone = True
        self.assertEqual(cache.get_clip('cat-sitter'), clip)
        self.assertRaises(NetworkError, cache.get_clip, 'watchmaker')

    def test_the_cache_waits_for_the_service_once_a_minute_at_most_while_it_is_gone(self) -> None:
        is_gone = False

        def send(request: Request) -> Response:
            response = self.transport(request)
            if is_gone:
                raise OSError('gone')
            return response

        start = time.time()
        cache = CachedClipLookup(ClipLookup(URL, key=AMPLE_KEY, transport=send, retries=0))

        def requests_after(time_s: float) -> int:
            self.transport.paths.clear()
            with patch('time.time', lambda: start + time_s):
                for _ in range(3):
                    self.assertEqual(cache.get_clip('cat-sitter')['videoId'], 'cat-sitter')
            return len(self.transport.paths)

        self.assertEqual(requests_after(0), 2)
        is_gone = True
        self.assertEqual(requests_after(3599), 0)
        self.assertEqual(requests_after(3601), 1)
        self.assertEqual(requests_after(3660), 0)
        is_gone = False
        self.assertEqual(requests_after(3662), 1)
        self.assertEqual(requests_after(7261), 0)

    def test_an_unknown_clip_or_word_counts_as_a_look_up(self) -> None:
        cache = CachedClipLookup(self.client)
        self.assertRaises(NotFoundError, cache.get_clip, 'nosuchclip')
        self.assertRaises(NotFoundError, cache.get_word, 'nosuchword')
        self.assertRaises(ClipLookupError, cache.list_words, limit=0)
        self.assertEqual(cache.stats, CacheStats(saved=0, made=2))

    def check_mirror(self, storage: CacheStorage) -> None:
        """Compare a cache with the service after each of five builds."""
        self.addCleanup(publish)
        ids = [*VIDEO_IDS, 'nosuchclip']
        for night in range(5):
            cache = CachedClipLookup(self.client, storage=storage)
            withdrawn = [VIDEO_IDS[night], VIDEO_IDS[night - 2]]
            with ThreadPoolExecutor(4) as pool:
                # Records that are on their way while the release changes.
                for video_id in ids * 20:
                    pool.submit(cache.get_transcript, video_id)
                publish({VIDEO_IDS[night - 1]: f'Night {night}'}, withdrawn)
            cache.update()
            for video_id in ids:
                expected = outcome(self.client.get_clip, video_id)
                self.assertEqual(outcome(cache.get_clip, video_id), expected)
                expected = outcome(self.client.get_transcript, video_id)
                self.assertEqual(outcome(cache.get_transcript, video_id), expected)
        self.look_ups()
        cache = CachedClipLookup(self.client, storage=storage)
        cache.get_transcript(VIDEO_IDS[3])
        self.assertEqual(self.look_ups(), [])

    def test_a_mirror_in_memory_is_correct_after_five_builds(self) -> None:
        self.check_mirror(MemoryStorage())

    def test_a_mirror_in_a_folder_is_correct_after_five_builds(self) -> None:
        self.check_mirror(FolderStorage(self.folder))

    def test_a_mirror_that_is_too_old_starts_afresh(self) -> None:
        storage = FolderStorage(self.folder)
        storage.set('release', '["999999-00000000", "999999-00000000"]')
        storage.set('getClip/x', '{"clipId": "x"}')
        cache = CachedClipLookup(self.client, storage=storage)
        self.assertRaises(NotFoundError, cache.get_clip, 'x')
        self.assertEqual(len(list(self.folder.iterdir())), 1)
        release = self.client.get_corpus()['release']
        self.assertEqual(json.loads(storage.get('release') or ''), [release, release])

    def test_a_record_of_a_server_that_took_up_a_release_late_does_not_stay(self) -> None:
        clip_id = self.client.get_clip('watchmaker')['clipId']
        none: dict[str, list[str]] = {'added': [], 'changed': [], 'withdrawn': []}
        next_changes = {'to': 'next', 'clips': {**none, 'changed': [clip_id]}}
        records: dict[str, Any] = {
            '/corpus': {'release': 'first'},
            '/changes?since=first': next_changes,
            '/changes?since=next': {'to': 'next', 'clips': none},
        }
        title = 'old'

        def serve(request: Request) -> Response:
            path = request.url.removeprefix('http://service.example')
            record = copy.deepcopy(records.get(path, {'clipId': clip_id, 'title': title}))
            return Response(200, {}, json.dumps(record).encode())

        client = ClipLookup('http://service.example', transport=serve)
        cache = CachedClipLookup(client)
        cache.update()
        cache.update()
        self.assertEqual(cache.get_clip(clip_id)['title'], 'old')
        title = 'new'
        cache.update()
        self.assertEqual(cache.get_clip(clip_id)['title'], 'new')
        cache.update()
        cache.update()
        title = 'newer'
        self.assertEqual(cache.get_clip(clip_id)['title'], 'new')

    def test_a_record_that_was_asked_for_before_an_update_is_not_stored_after_it(self) -> None:
        none: dict[str, list[str]] = {'added': [], 'changed': [], 'withdrawn': []}
        titles = ['new', 'old']

        def serve(request: Request) -> Response:
            record: Any = {'release': 'first'}
            if 'changes' in request.url:
                record = {'to': 'next', 'clips': {**none, 'changed': ['x']}}
            elif 'clips' in request.url:
                record = {'clipId': 'x', 'title': titles.pop()}
                cache.update()
            return Response(200, {}, json.dumps(record).encode())

        cache = CachedClipLookup(ClipLookup('http://service.example', transport=serve))
        self.assertEqual(cache.get_clip('x')['title'], 'old')
        self.assertEqual(cache.get_clip('x')['title'], 'new')
