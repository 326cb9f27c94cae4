"""Helpers for the parts of an app that are easy to get wrong."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from ._helper import helper
from .errors import NotFoundError
from .operations import (
    AsyncOperations,
    Cue,
    FeedClip,
    FoundWord,
    Gloss,
    Level,
    Occurrence,
    SentenceMatch,
    Transcript,
    TranscriptWord,
    Word,
)

#: The largest number of ids in a request.
_IDS_MAX = 100
#: The largest number of spellings in a request.
_SPELLINGS_MAX = 100
#: The longest list of spellings in a request, percent-encoded: a request line has 8 KiB.
_SPELLINGS_MAX_BYTES = 6000


@helper
async def glossary(
    client: AsyncOperations,
    transcript: Transcript,
    *,
    gloss: Gloss | None = None,
    timeout_s: float | None = None,
) -> dict[int, FoundWord]:
    """Return the words of a transcript, keyed by word id. This is one request, and so one look-up,
    for each 100 different words. With an async client, await the result.
    """
    tokens = [token for cue in transcript['cues'] for token in cue['words']]
    ids = list(dict.fromkeys(id for token in tokens for id in token.get('wordIds', [])))
    words: dict[int, FoundWord] = {}
    for i in range(0, len(ids), _IDS_MAX):
        batch = ids[i : i + _IDS_MAX]
        page = await client.list_words(ids=batch, gloss=gloss, timeout_s=timeout_s)
        words |= {word['wordId']: word for word in page['words']}
    return words


class WordsBySpelling(NamedTuple):
    """The words with the given spellings, and the spellings without a word."""

    #: The words in the order of the spellings; each has its `spelling`.
    words: list[FoundWord]
    missing: list[str]


@helper
async def words_by_spelling(
    client: AsyncOperations,
    spellings: Iterable[str],
    *,
    language: str | None = None,
    gloss: Gloss | None = None,
    timeout_s: float | None = None,
) -> WordsBySpelling:
    """Return the words with these spellings, with one request for each 100. With an async client,
    await the result.
    """
    texts = (unicodedata.normalize('NFC', spelling).strip() for spelling in spellings)
    missing = dict.fromkeys(text for text in texts if text)
    # A comma separates spellings.
    sendable = [text for text in missing if ',' not in text and len(text) <= 100]
    words: list[FoundWord] = []
    for batch in _batches(sendable):
        page = await client.list_words(
            spellings=batch, language=language, gloss=gloss, timeout_s=timeout_s
        )
        words += page['words']
        for word in page['words']:
            missing.pop(word['spelling'], None)
    return WordsBySpelling(words, list(missing))


def _batches(spellings: Iterable[str]) -> Iterator[list[str]]:
    """Divide spellings into lists that fit into a request."""
    batch: list[str] = []
    size_bytes = 0
    for spelling in spellings:
        spelling_bytes = len(quote(spelling, safe='')) + 3
        is_full = size_bytes + spelling_bytes > _SPELLINGS_MAX_BYTES
        if len(batch) == _SPELLINGS_MAX or is_full:
            yield batch
            batch, size_bytes = [], 0
        batch.append(spelling)
        size_bytes += spelling_bytes
    if batch:
        yield batch


@dataclass(frozen=True)
class FoundClip:
    """A clip in which a text is said."""

    clip: FeedClip
    count: int
    moments: Sequence[Occurrence | SentenceMatch]
    #: The number of words that are new to the learner; None without `known`.
    unknown_count: int | None


@dataclass(frozen=True)
class FoundClips:
    """The clips in which a text is said."""

    #: The word that the text spells; None if it is not a word and sentences were searched.
    word: Word | None
    items: list[FoundClip]
    total_count: int | None
    next_cursor: str | None


@helper
async def find_clips(
    client: AsyncOperations,
    text: str,
    *,
    language: str | None = None,
    gloss: Gloss | None = None,
    level: str | Sequence[Level] | None = None,
    exclude: str | Sequence[str | int] | None = None,
    channel: str | Sequence[str | int] | None = None,
    max_duration_s: int | None = None,
    known: str | Sequence[str | int] | None = None,
    min_known_share: float | None = None,
    max_unknown: int | None = None,
    context: bool | None = None,
    limit: int | None = None,
    timeout_s: float | None = None,
) -> FoundClips:
    """Find the clips in which a text is said: as a word in all its forms or, if the catalogue
    has no such word, in sentences. The second case takes two look-ups. With an async client, await
    the result.
    """
    parameters = {
        'language': language,
        'gloss': gloss,
        'level': level,
        'exclude': exclude,
        'channel': channel,
        'max_duration_s': max_duration_s,
        'known': known,
        'min_known_share': min_known_share,
        'max_unknown': max_unknown,
        'context': context,
        'limit': limit,
    }
    try:
        page = await client._answer('list_word_clips', {'word': text, **parameters}, timeout_s)
        count, moments = 'occurrenceCount', 'occurrences'
    except NotFoundError:
        page = await client._answer('search_sentences', {'q': text, **parameters}, timeout_s)
        count, moments = 'matchCount', 'matches'
    items = [
        FoundClip(item['clip'], item[count], item[moments], item.get('unknownCount'))
        for item in page['items']
    ]
    return FoundClips(page.get('word'), items, page['totalCount'], page['nextCursor'])


class Highlight(NamedTuple):
    """A text that is split around a range of it. The three parts, joined, are the text."""

    before: str
    match: str
    after: str


def highlight(text: str, start: int, end: int) -> Highlight:
    """Split a text around a range that the API returns, in code points."""
    return Highlight(text[:start], text[start:end], text[end:])


@dataclass(frozen=True)
class Segment:
    """A piece of a line: a word of the transcript, or the text between words."""

    text: str
    #: The word; None between words.
    word: TranscriptWord | None
    #: The index of the word in `cue['words']`; -1 between words.
    index: int


def segments(cue: Cue) -> list[Segment]:
    """Split a line into its words and the text between them. The segments, joined, are the line."""
    text = cue['text']
    # Transcripts that were published before positions existed have none.
    has_places = any('start' in word for word in cue['words'])
    parts = []
    position = 0
    for index, word in enumerate(cue['words']):
        if has_places:
            start, end = word.get('start', -1), word.get('end', -1)
        else:
            start = text.find(word['text'], position)
            end = start + len(word['text'])
        # The line does not show every word.
        if not position <= start < end:
            continue
        if start > position:
            parts.append(Segment(text[position:start], None, -1))
        parts.append(Segment(text[start:end], word, index))
        position = end
    if position < len(text):
        parts.append(Segment(text[position:], None, -1))
    return parts


def line_at(transcript: Transcript, time_s: float) -> Cue | None:
    """Return the line on screen at a time in seconds; if there are several, the last to start."""
    return _last_at(transcript['cues'], time_s)


def word_at(transcript: Transcript, time_s: float) -> TranscriptWord | None:
    """Return the word that is said at a time in seconds; None in a pause."""
    return _last_at([word for cue in transcript['cues'] for word in cue['words']], time_s)


Timed = TypeVar('Timed', Cue, TranscriptWord)


def _last_at(items: Iterable[Timed], time_s: float) -> Timed | None:
    current = [item for item in items if item['tStart'] <= time_s < item['tEnd']]
    return current[-1] if current else None


def watch_url_at(clip: FeedClip, time_s: float) -> str:
    """Return the address of a clip at its source, from a time in seconds: with YouTube's `t`,
    or with a media fragment on other platforms (https://www.w3.org/TR/media-frags/).
    """
    url = urlsplit(clip['watchUrl'])
    if not _is_youtube(url.hostname):
        return url._replace(fragment=f't={round(time_s, 3):.12g}').geturl()
    query = [pair for pair in parse_qsl(url.query, keep_blank_values=True) if pair[0] != 't']
    # YouTube takes whole seconds.
    return url._replace(query=urlencode([*query, ('t', f'{math.floor(time_s)}s')])).geturl()


def thumbnail_url(clip: FeedClip) -> str | None:
    """Return the address of a picture of a clip; None if the platform has no fixed address."""
    is_youtube = _is_youtube(urlsplit(clip['embedUrl']).hostname)
    return f'https://i.ytimg.com/vi/{clip["videoId"]}/hqdefault.jpg' if is_youtube else None


def _is_youtube(hostname: str | None) -> bool:
    return bool(re.search(r'(^|\.)(youtube(-nocookie)?\.com|youtu\.be)$', hostname or ''))
