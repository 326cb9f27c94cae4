"""A service in memory for the tests of apps."""

from __future__ import annotations

import asyncio
import functools
import importlib.resources
import inspect
import json
import re
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal
from urllib.parse import parse_qsl, unquote, urlsplit

from ._calls import wire_name
from ._languages import separator_of
from .operations import PATHS, Operations
from .transport import Request, Response

_RELEASE = '000001-00000000'
_CODES = {429: 'rate_limited', 500: 'internal', 503: 'unavailable'}

_Query = Mapping[str, str]


class _Refusal(Exception):
    """A refusal of a request: a status with an error."""

    def __init__(self, status: int, code: str, message: str, **details: object) -> None:
        self.response = _json(status, {'error': {'code': code, 'message': message, **details}})


class SampleService:
    """A service in memory for the tests of apps. It holds 12 clips in English and Japanese.

        service = SampleService()
        client = ClipLookup(service.base_url, transport=service.transport)

    Searches are simpler than the real ones: they compare in lower case, and sentences match as
    text. `known`, `context` and `gloss` are ignored, and of the filters for clips, only `exclude`
    and `clip_level` are applied.
    """

    #: The base URL for the client. No server exists there.
    base_url = 'http://sample.invalid/v1'

    def __init__(self) -> None:
        #: The paths and queries of the requests, below the base URL.
        self.requests: list[str] = []
        #: The time that every response takes.
        self.delay_s = 0.0
        self._faults: deque[Exception] = deque()

    def fail_next(
        self,
        status: Literal[429, 500, 503, 'network'],
        *,
        code: str | None = None,
        retry_after: int = 1,
        times: int = 1,
    ) -> None:
        """Make the next requests fail. `/usage` never returns 429.

        Parameters:
            status: The status, or `network` for a request that fails without a response.
            code: With 429: `rate_limited`, or `quota_exceeded`.
            retry_after: With 429: the seconds to wait.
            times: The number of requests.
        """
        for _ in range(times):
            if status == 'network':
                self._faults.append(OSError('the sample service does not respond'))
                continue
            details = {'retryAfter': retry_after} if status == 429 else {}
            message = 'The test asked for this error.'
            self._faults.append(_Refusal(status, code or _CODES[status], message, **details))

    def transport(self, request: Request) -> Response:
        """Send a request to the service; the transport of a client."""
        target = self._receive(request)
        time.sleep(min(self.delay_s, request.timeout_s))
        if self.delay_s > request.timeout_s:
            raise TimeoutError('no response in time')
        return self._respond(target)

    async def async_transport(self, request: Request) -> Response:
        """Send a request to the service; the transport of an async client."""
        target = self._receive(request)
        await asyncio.sleep(self.delay_s)
        return self._respond(target)

    def _receive(self, request: Request) -> str:
        target = request.url.removeprefix(self.base_url)
        self.requests.append(target)
        return target

    def _respond(self, target: str) -> Response:
        try:
            if self._faults and not (target == '/usage' and _is_429(self._faults[0])):
                raise self._faults.popleft()
            return _json(200, _answer(target))
        except _Refusal as refusal:
            return refusal.response


def _is_429(fault: Exception) -> bool:
    return isinstance(fault, _Refusal) and fault.response.status == 429


def _json(status: int, body: object) -> Response:
    headers = {'content-type': 'application/json; charset=utf-8'}
    return Response(status, headers, json.dumps(body).encode())


def _answer(target: str) -> object:
    url = urlsplit(target)
    query = dict(parse_qsl(url.query))
    for operation, template in PATHS.items():
        pattern = re.sub(r'\\\{\w+\\\}', '([^/]+)', re.escape(template))
        match = re.fullmatch(pattern, url.path)
        if match:
            _check_names(operation, query)
            return _HANDLERS[operation](query, unquote(match[1]) if match.groups() else '')
    raise _Refusal(404, 'not_found', f'There is no {url.path}.')


def _check_names(operation: str, query: _Query) -> None:
    parameters = inspect.signature(getattr(Operations, operation)).parameters
    for name in query.keys() - {wire_name(name) for name in parameters}:
        message = f'There is no parameter "{name}".'
        raise _Refusal(400, 'invalid_parameter', message, parameter=name)


@functools.cache
def _data() -> Any:
    """Return records of the sample corpus: `clips`, `transcripts`, `words` and `focusWords`."""
    file = importlib.resources.files(__package__).joinpath('sample_data.json')
    return json.loads(file.read_text('utf-8'))


def _get_feed(query: _Query, _: str) -> object:
    levels = _list(query, 'clipLevel')
    items = [
        {'clip': clip, 'focusWord': _data()['focusWords'].get(clip['clipId'])}
        for clip in _clips_for(query)
        if not levels or clip['level'] in levels
    ]
    return {'seed': query.get('seed', 'sample'), **_page(items, 'items', query)}


def _list_clips(query: _Query, _: str) -> object:
    ids = _list(query, 'ids')
    clips = {clip['clipId']: clip for id in ids for clip in _clips_with(id)}
    return {'items': list(clips.values()), 'missing': [id for id in ids if not _clips_with(id)]}


def _list_words(query: _Query, _: str) -> object:
    if 'ids' in query or 'spellings' in query:
        by_id = {str(word['wordId']): word for word in _data()['words']}
        words = [_list_record(by_id[id]) for id in _list(query, 'ids') if id in by_id]
        for spelling in _list(query, 'spellings'):
            for word in _words_named(spelling, query)[:1]:
                words.append({**_list_record(word), 'spelling': spelling})
        return {'words': words, 'totalCount': len(words), 'nextCursor': None}
    words = _words_for(query)
    return {'totalCount': len(words), **_page(words, 'words', query)}


def _get_word(query: _Query, name: str) -> object:
    word = _word_named(name, query)
    return {**_list_record(word), 'language': word['language'], 'forms': word['forms']}


def _list_word_clips(query: _Query, name: str) -> object:
    word = _word_named(name, query)
    items = []
    for clip in _clips_for(query, word['language']):
        occurrences = _occurrences_in(_transcript_of(clip), word['wordId'])
        if occurrences:
            item = {'clip': clip, 'knownShare': 1, 'occurrenceCount': len(occurrences)}
            items.append({**item, 'occurrences': occurrences[:3]})
    page = _page(items, 'items', query)
    return {'word': _list_record(word), 'totalCount': len(items), **page}


def _search_sentences(query: _Query, _: str) -> object:
    q = query.get('q', '').lower()
    if not q:
        raise _Refusal(400, 'invalid_parameter', 'q is missing.', parameter='q')
    items = []
    for clip in _clips_for(query):
        matches = []
        for cue in _transcript_of(clip)['cues']:
            start = cue['text'].lower().find(q)
            if start >= 0:
                times = {'tStart': cue['tStart'], 'tEnd': cue['tEnd'], 'text': cue['text']}
                matches.append({**times, 'start': start, 'end': start + len(q), 'kind': 'exact'})
        if matches:
            items.append({'clip': clip, 'matchCount': len(matches), 'matches': matches[:3]})
    return {'totalCount': len(items), **_page(items, 'items', query)}


def _get_corpus(_: _Query, __: str) -> object:
    counts = {'clipCount': len(_data()['clips']), 'totalDurationS': 0, 'channelCount': 1}
    built_at = '2026-01-01T00:00:00.000Z'
    return {'release': _RELEASE, 'builtAt': built_at, **counts, 'glosses': ['en'], 'languages': []}


def _get_changes(query: _Query, _: str) -> object:
    none: dict[str, object] = {'added': [], 'changed': [], 'withdrawn': []}
    return {'from': query.get('since'), 'to': _RELEASE, 'clips': none, 'words': none}


def _get_usage(_: _Query, __: str) -> object:
    return {
        'plan': 'sample',
        'periodStart': '2026-01-01T00:00:00.000Z',
        'periodEnd': '2026-02-01T00:00:00.000Z',
        'requests': 0,
        'limit': None,
        'rateLimitPerMinute': 600,
    }


_HANDLERS: dict[str, Callable[[_Query, str], object]] = {
    'get_feed': _get_feed,
    'list_clips': _list_clips,
    'get_clip': lambda _, id: _clip_with(id),
    'get_transcript': lambda _, id: _transcript_of(_clip_with(id)),
    'list_words': _list_words,
    'get_word': _get_word,
    'list_word_clips': _list_word_clips,
    'search_sentences': _search_sentences,
    'get_corpus': _get_corpus,
    'get_changes': _get_changes,
    'get_usage': _get_usage,
    'get_open_api': lambda _, __: {'openapi': '3.1.1'},
}


def _list(query: _Query, name: str) -> list[str]:
    texts = map(str.strip, query.get(name, '').split(','))
    return [text for text in dict.fromkeys(texts) if text]


def _page(items: Sequence[object], name: str, query: _Query) -> dict[str, object]:
    """Return a page with its cursor, which is the position of the next item."""
    start = int(query.get('cursor', 0))
    end = start + int(query.get('limit', 20))
    return {name: items[start:end], 'nextCursor': str(end) if end < len(items) else None}


def _clips_for(query: _Query, language: str | None = None) -> Iterable[Any]:
    excluded_ids = _list(query, 'exclude')
    for clip in _data()['clips']:
        is_excluded = clip['clipId'] in excluded_ids or clip['videoId'] in excluded_ids
        if clip['language'] == (language or query.get('language', 'en')) and not is_excluded:
            yield {k: v for k, v in clip.items() if k not in ('wordCount', 'indexedAt')}


def _clips_with(id: str) -> list[Any]:
    clips = _data()['clips']
    return [clip for clip in clips if clip['clipId'] == id.lower() or clip['videoId'] == id]


def _clip_with(id: str) -> Any:
    for clip in _clips_with(id):
        return clip
    raise _Refusal(404, 'not_found', f'There is no clip "{id}".')


def _transcript_of(clip: Any) -> Any:
    return next(each for each in _data()['transcripts'] if each['clipId'] == clip['clipId'])


def _list_record(word: Any) -> dict[str, Any]:
    """Return the record of a word in lists. Its clips are those of the sample."""
    names = ('word', 'wordId', 'level', 'meaning')
    transcripts = _data()['transcripts']
    clip_count = sum(bool(_occurrences_in(each, word['wordId'])) for each in transcripts)
    return {**{name: word[name] for name in names}, 'clipCount': clip_count}


def _words_in(query: _Query) -> list[Any]:
    language = query.get('language', 'en')
    return [word for word in _data()['words'] if word['language'] == language]


def _words_named(name: str, query: _Query) -> list[Any]:
    """Return the words with a name, the best match first."""
    text = name.lower()
    words = _words_in(query)
    return [
        *(word for word in words if word['word'].lower() == text),
        *(word for word in words if text in map(str.lower, word['forms'])),
        *(word for word in words if str(word['wordId']) == name),
    ]


def _word_named(name: str, query: _Query) -> Any:
    for word in _words_named(name, query):
        return word
    raise _Refusal(404, 'not_found', f'There is no word "{name}".')


def _words_for(query: _Query) -> list[dict[str, Any]]:
    q = query.get('q', '').lower()
    levels = _list(query, 'level')
    is_in_meanings = query.get('in') == 'meanings'
    ranked = []
    for word in _words_in(query):
        if levels and word['level'] not in levels:
            continue
        forms = [] if is_in_meanings else word['forms']
        form = next((form for form in forms if form.lower().startswith(q)), None)
        rank = _rank(word['meaning' if is_in_meanings else 'word'].lower(), q)
        if rank < 4:
            ranked.append((rank, _list_record(word)))
        elif form is not None:
            ranked.append((3, {**_list_record(word), 'matchedForm': form}))
    ranked.sort(key=lambda each: (each[0], -each[1]['clipCount']))
    return [record for _, record in ranked]


def _rank(text: str, q: str) -> int:
    return 0 if text == q else 1 if text.startswith(q) else 2 if q in text else 4


def _occurrences_in(transcript: Any, word_id: int) -> list[dict[str, object]]:
    """Return the occurrences of a word. The tokens of a phrase form one occurrence, and so do those
    of a form in a language without spaces.
    """
    word = next((each for each in _data()['words'] if each['wordId'] == word_id), None)
    separator = separator_of(transcript['language'])
    is_joined = separator == '' or (word is not None and ' ' in word['word'])
    occurrences = []
    for cue in transcript['cues']:
        runs: list[list[Any]] = []
        is_continued = False
        for token in cue['words']:
            is_part = word_id in token.get('wordIds', [])
            if is_part and 'start' in token:
                if is_joined and is_continued and runs:
                    runs[-1].append(token)
                else:
                    runs.append([token])
            is_continued = is_part
        for run in runs:
            first, last = run[0], run[-1]
            occurrences.append(
                {
                    'tStart': first['tStart'],
                    'tEnd': last['tEnd'],
                    'form': separator.join(token['text'] for token in run),
                    'text': cue['text'],
                    'start': first['start'],
                    'end': last['end'],
                }
            )
    return occurrences
