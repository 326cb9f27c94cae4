"""The client, against the real service where the environment names one."""

import asyncio
import json
import os
import threading
import time
import unittest
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, get_args

from clip_lookup import (
    AsyncClipLookup,
    ClipLookup,
    ClipLookupError,
    DeadlineError,
    InvalidKeyError,
    InvalidParameterError,
    NetworkError,
    NotFoundError,
    QuotaExceededError,
    RateLimitedError,
    UnavailableError,
)
from clip_lookup.errors import ERROR_CLASSES
from clip_lookup.operations import KnownErrorCode
from clip_lookup.transport import Request, Response
from service import AMPLE_KEY, URL, CountedTransport


def answer(status: int, body: object, **headers: str) -> Response:
    names = {name.replace('_', '-'): value for name, value in headers.items()}
    return Response(status, names, json.dumps(body).encode())


class Operations(unittest.TestCase):
    def setUp(self) -> None:
        self.transport = CountedTransport()
        self.client = ClipLookup(URL, key=AMPLE_KEY, transport=self.transport)
        self.addCleanup(self.transport.http.close)

    def test_every_operation_has_a_method_that_returns_the_record(self) -> None:
        release = self.client.get_corpus()['release']
        clip = self.client.get_clip('cat-sitter')
        self.assertEqual(clip['videoId'], 'cat-sitter')
        feed = self.client.get_feed(seed='a', limit=2, known=['A1', 12, -7], context=True)
        self.assertEqual(len(feed['items']), 2)
        self.assertIn('unknownCount', feed['items'][0])
        self.assertEqual(self.client.list_clips(['cat-sitter', 'no'])['missing'], ['no'])
        self.assertEqual(self.client.get_transcript('cat-sitter')['clipId'], clip['clipId'])
        self.assertTrue(self.client.list_words(q='lo', level=['A1', 'B1'])['words'])
        self.assertEqual(self.client.get_word('Cats')['word'], 'cat')
        self.assertEqual(len(self.client.list_word_clips('look after', limit=1)['items']), 1)
        self.assertTrue(self.client.search_sentences(q='looking after?')['items'])
        self.assertEqual(self.client.get_changes(release)['from'], release)
        self.assertEqual(self.client.get_usage()['plan'], 'ample')
        self.assertIn('paths', self.client.get_open_api())
        self.assertIn('/words?q=lo&level=A1%2CB1', self.transport.paths)

    def test_the_async_client_returns_the_same_records_and_closes_its_connections(self) -> None:
        async def ask() -> list[Any]:
            async with AsyncClipLookup(URL, key=AMPLE_KEY) as client:
                first = await client.get_clip('cat-sitter')
                calls = [client.get_transcript('cat-sitter') for _ in range(5)]
                titles = [
                    item['clip']['title'] async for item in client.items('get_feed', {'limit': 1})
                ]
                return [first, *await asyncio.gather(*calls), sorted(titles)]

        titles = sorted(each['clip']['title'] for each in self.client.items('get_feed', {}))
        transcript = self.client.get_transcript('cat-sitter')
        expected = [self.client.get_clip('cat-sitter'), *[transcript] * 5, titles]
        self.assertEqual(asyncio.run(ask()), expected)

    def test_an_error_has_the_class_of_its_code(self) -> None:
        with self.assertRaises(InvalidParameterError) as context:
            self.client.get_feed(limit=1000)
        self.assertEqual(context.exception.parameter, 'limit')
        self.assertEqual(context.exception.status, 400)
        self.assertTrue(context.exception.request_id)
        with self.assertRaises(NotFoundError):
            self.client.get_clip('nosuchclip')
        with ClipLookup(URL + '/') as stranger, self.assertRaises(InvalidKeyError):
            stranger.get_usage()

    def test_every_known_code_has_a_class(self) -> None:
        self.assertLessEqual(set(get_args(KnownErrorCode)), set(ERROR_CLASSES))

    def test_unknown_fields_and_codes_are_passed_on(self) -> None:
        answers = [
            answer(200, {'newField': 1, 'words': []}),
            answer(425, {'error': {'code': 'too_early', 'message': 'Wait.'}}),
            Response(400, {}, b'<p>Bad gateway</p>'),
        ]
        client = ClipLookup('http://service.example', transport=lambda _: answers.pop(0))
        self.assertEqual(client.list_words(), {'newField': 1, 'words': []})
        for code in ['too_early', 'bad_response']:
            with self.assertRaises(ClipLookupError) as context:
                client.list_words()
            self.assertEqual(context.exception.code, code)

    def test_a_word_that_a_url_cannot_contain_is_refused_without_a_request(self) -> None:
        with self.assertRaises(InvalidParameterError):
            self.client.get_word('..')
        self.assertEqual(self.transport.paths, [])

    def test_a_base_url_without_a_scheme_is_refused(self) -> None:
        with self.assertRaisesRegex(ValueError, 'http://'):
            ClipLookup('127.0.0.1:8080/v1')

    def test_a_parameter_of_the_cursor_keeps_its_value_and_is_named_in_a_warning(self) -> None:
        messages: list[str] = []
        client = ClipLookup(URL, key=AMPLE_KEY, transport=self.transport, warn=messages.append)
        parameters: Any = {'q': 'c', 'limit': 1, 'in_': 'spellings'}
        words = []
        for word in client.items('list_words', parameters):
            words.append(word['word'])
            parameters['q'] = 'x'
        self.assertGreater(len(words), 2)
        expected = 'list_words: q cannot change from page to page and stays "c"'
        self.assertEqual(messages, [expected])

    def test_filters_can_change_on_the_way(self) -> None:
        video_ids: list[str] = []
        for item in self.client.items('get_feed', {'limit': 1, 'exclude': video_ids}):
            self.assertNotIn(item['clip']['videoId'], video_ids)
            video_ids.append(item['clip']['videoId'])
        self.assertGreater(len(video_ids), 3)


class Limits(unittest.TestCase):
    def test_calls_fail_after_few_requests_when_the_window_is_spent(self) -> None:
        transport = CountedTransport()
        self.addCleanup(transport.http.close)
        key = os.environ['CLIP_LOOKUP_SLOW_KEY']
        # The clock of the service stands still in the past: the client takes the window for over
        # once, and then learns from the refusal that it is not.
        client = ClipLookup(URL, key=key, transport=transport, max_wait_s=0.5)

        def ask(_: int) -> str:
            try:
                return client.get_word('cat')['word']
            except RateLimitedError as error:
                return 'refused' if error.retry_after > 0 else 'wrong'

        with ThreadPoolExecutor(50) as pool:
            outcomes = sorted(pool.map(ask, range(50)))
        self.assertEqual(outcomes, ['cat'] * 3 + ['refused'] * 47)
        self.assertLess(len(transport.paths), 6)

    def test_calls_share_a_wait_for_the_next_window(self) -> None:
        end = int(time.time()) + 2
        times: list[float] = []

        async def serve(_: Request) -> Response:
            times.append(time.time())
            is_next = len(times) > 2
            left = str((22 if is_next else 2) - len(times))
            reset = str(end + 60 * is_next)
            return answer(200, {}, x_ratelimit_remaining=left, x_ratelimit_reset=reset)

        async def ask() -> None:
            client = AsyncClipLookup('http://service.example', transport=serve)
            await asyncio.gather(*[client.get_word('cat') for _ in range(20)])

        asyncio.run(ask())
        self.assertEqual(len(times), 20)
        self.assertGreaterEqual(times[2], end)

    def test_a_response_that_arrives_late_does_not_open_the_window_again(self) -> None:
        reset = str(int(time.time()) + 50)
        places = 5

        async def serve(_: Request) -> Response:
            nonlocal places
            places -= 1
            left = str(places)
            await asyncio.sleep(0.05 if places == 3 else 0)
            return answer(200, {}, x_ratelimit_remaining=left, x_ratelimit_reset=reset)

        async def ask() -> None:
            client = AsyncClipLookup('http://service.example', transport=serve)
            await asyncio.gather(*[client.get_word('cat') for _ in range(5)])
            with self.assertRaises(RateLimitedError):
                await client.get_word('cat')

        asyncio.run(ask())
        self.assertEqual(places, 0)

    def test_a_service_that_refuses_every_request_gets_few_of_them(self) -> None:
        sent: list[str] = []

        async def refuse(request: Request) -> Response:
            sent.append(request.url)
            error = {'code': 'rate_limited', 'message': 'Wait.', 'retryAfter': 1}
            return answer(429, {'error': error})

        async def ask() -> list[Any]:
            client = AsyncClipLookup('http://service.example', transport=refuse, max_wait_s=2)
            calls = [client.get_clip('a') for _ in range(200)]
            return await asyncio.gather(*calls, return_exceptions=True)

        outcomes = asyncio.run(ask())
        self.assertTrue(all(isinstance(each, RateLimitedError) for each in outcomes))
        self.assertGreater(len(sent), 1)
        self.assertLess(len(sent), 25)

    def test_the_client_answers_by_itself_when_the_quota_is_spent(self) -> None:
        transport = CountedTransport()
        self.addCleanup(transport.http.close)
        key = os.environ['CLIP_LOOKUP_SMALL_KEY']
        client = ClipLookup(URL, key=key, transport=transport)
        for _ in range(3):
            client.get_word('cat')
        for _ in range(5):
            with self.assertRaises(QuotaExceededError) as context:
                client.get_word('cat')
            self.assertGreater(context.exception.retry_after, 86_400)
        self.assertEqual(len(transport.paths), 4)
        client.get_usage()
        self.assertRaises(QuotaExceededError, client.get_word, 'cat')
        self.assertEqual(len(transport.paths), 5)


class Faults(unittest.TestCase):
    def start(
        self, respond: Callable[[BaseHTTPRequestHandler, int], object]
    ) -> tuple[str, list[int]]:
        """Start a server that passes each request to `respond` with its number."""
        numbers: list[int] = []

        class Handler(BaseHTTPRequestHandler):
            protocol_version = 'HTTP/1.1'

            def do_GET(self) -> None:
                numbers.append(len(numbers))
                respond(self, numbers[-1])

            def log_message(self, *_: object) -> None:
                pass

        server = ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=[0.01])
        thread.start()
        self.addCleanup(server.server_close)
        self.addCleanup(thread.join)
        self.addCleanup(server.shutdown)
        return f'http://127.0.0.1:{server.server_port}', numbers

    @staticmethod
    def reply(handler: BaseHTTPRequestHandler, status: int, body: bytes) -> None:
        handler.send_response(status)
        handler.send_header('Content-Length', str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    def clients(self, url: str, **options: Any) -> list[Callable[[], Any]]:
        """Return functions that make one call each, sync and async."""

        def ask() -> Any:
            with ClipLookup(url, **options) as client:
                return client.list_words()

        async def ask_async() -> Any:
            async with AsyncClipLookup(url, **options) as client:
                return await client.list_words()

        return [ask, lambda: asyncio.run(ask_async())]

    def test_a_call_is_repeated_after_dropped_connections_and_503(self) -> None:
        def respond(handler: BaseHTTPRequestHandler, number: int) -> None:
            if number % 3 == 0:
                handler.close_connection = True
            else:
                self.reply(handler, 503 if number % 3 == 1 else 200, b'{"words":[]}')

        url, numbers = self.start(respond)
        for ask in self.clients(url):
            self.assertEqual(ask(), {'words': []})
        self.assertEqual(len(numbers), 6)

    def test_the_number_of_retries_is_limited(self) -> None:
        body = b'{"error":{"code":"unavailable","message":"Later."}}'
        url, numbers = self.start(lambda handler, _: self.reply(handler, 503, body))
        for ask in self.clients(url, retries=1):
            self.assertRaises(UnavailableError, ask)
        self.assertEqual(len(numbers), 4)
        for ask in self.clients('http://127.0.0.1:9', retries=0):
            self.assertRaises(NetworkError, ask)

    def test_a_call_ends_at_its_deadline(self) -> None:
        released = threading.Event()
        url, _ = self.start(lambda *_: released.wait(60))
        self.addCleanup(released.set)
        for ask in self.clients(url, timeout_s=0.2):
            self.assertRaises(DeadlineError, ask)

    def test_chunked_and_incomplete_responses_are_read_as_such(self) -> None:
        def respond(handler: BaseHTTPRequestHandler, number: int) -> None:
            handler.send_response(200)
            if number % 2 == 0:
                handler.send_header('Transfer-Encoding', 'chunked')
                handler.end_headers()
                handler.wfile.write(b'5\r\n{"wor\r\n7\r\nds":[]}\r\n0\r\n\r\n')
            else:
                handler.send_header('Content-Length', '100')
                handler.end_headers()
                handler.wfile.write(b'{"words":[]}')
                handler.close_connection = True

        url, _ = self.start(respond)
        for ask in self.clients(url, retries=0):
            self.assertEqual(ask(), {'words': []})
            self.assertRaises(NetworkError, ask)

    def test_an_idle_connection_that_was_closed_is_replaced(self) -> None:
        def respond(handler: BaseHTTPRequestHandler, _: int) -> None:
            self.reply(handler, 200, b'{"words":[]}')
            handler.close_connection = True

        url, numbers = self.start(respond)
        with ClipLookup(url, retries=0) as client:
            for _ in range(3):
                client.list_words()
                time.sleep(0.02)
        self.assertEqual(len(numbers), 3)

    def test_a_cancelled_call_gives_its_turn_to_the_next(self) -> None:
        def respond(handler: BaseHTTPRequestHandler, number: int) -> None:
            if number == 0:
                released.wait(60)
            else:
                self.reply(handler, 200, b'{"words":[]}')

        released = threading.Event()
        url, _ = self.start(respond)
        self.addCleanup(released.set)

        async def ask() -> Any:
            async with AsyncClipLookup(url, retries=0) as client:
                first = asyncio.create_task(client.list_words())
                second = asyncio.create_task(client.list_words())
                await asyncio.sleep(0.1)
                first.cancel()
                return await second

        self.assertEqual(asyncio.run(ask()), {'words': []})


if __name__ == '__main__':
    unittest.main()
