"""Completion of what a person types into words."""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Mapping
from typing import Any

from .operations import AsyncOperations, FoundWord, ListWordsParameters, Operations

_NO_PARAMETERS: ListWordsParameters = {}


class Autocomplete:
    """Completes what a person types into words. It answers locally if an earlier response contains
    all the words.

        complete = Autocomplete(client, {'language': 'ja', 'limit': 8})
        words = complete('たべ')
    """

    def __init__(
        self,
        client: Operations,
        parameters: ListWordsParameters = _NO_PARAMETERS,
        *,
        timeout_s: float | None = None,
    ) -> None:
        self._client = client
        self._answers = _Answers(parameters)
        self._timeout_s = timeout_s

    def __call__(self, text: str) -> list[FoundWord]:
        words = self._answers.find(text)
        if words is not None:
            return words
        parameters = self._answers.parameters_for(text)
        page = self._client._answer('list_words', parameters, self._timeout_s)
        return self._answers.add(text, page)


class AsyncAutocomplete:
    """Completes what a person types into words: as Autocomplete, but it sends a request only after
    a pause in typing, and aborts the one before. If another text was typed in the meantime, the
    result is None.

        complete = AsyncAutocomplete(client, {'language': 'ja', 'limit': 8})
        words = await complete('たべ')
    """

    def __init__(
        self,
        client: AsyncOperations,
        parameters: ListWordsParameters = _NO_PARAMETERS,
        *,
        delay_s: float = 0.2,
        timeout_s: float | None = None,
    ) -> None:
        self._client = client
        self._answers = _Answers(parameters)
        self._delay_s = delay_s
        self._timeout_s = timeout_s
        self._latest: asyncio.Task[list[FoundWord]] | None = None

    async def __call__(self, text: str) -> list[FoundWord] | None:
        if self._latest is not None:
            self._latest.cancel()
        words = self._answers.find(text)
        if words is not None:
            return words
        request = self._latest = asyncio.create_task(self._request(text))
        try:
            await asyncio.wait([request])
        finally:
            # The task of this call itself can be cancelled.
            request.cancel()
        return None if request.cancelled() else request.result()

    async def _request(self, text: str) -> list[FoundWord]:
        await asyncio.sleep(self._delay_s)
        parameters = self._answers.parameters_for(text)
        page = await self._client._answer('list_words', parameters, self._timeout_s)
        return self._answers.add(text, page)


class _Answers:
    """The words of complete responses, keyed by their folded text."""

    def __init__(self, parameters: Mapping[str, Any]) -> None:
        self._parameters = parameters
        # Only the service knows which sense of a word matches.
        self._is_local = parameters.get('in_') != 'meanings'
        self._words: dict[str, list[FoundWord]] = {}

    def parameters_for(self, text: str) -> dict[str, object]:
        return {**self._parameters, 'q': text}

    def find(self, text: str) -> list[FoundWord] | None:
        """Return the words for a text from the response to its longest prefix that has one.

        That response contains every word for the text, but only the service knows whether a word
        matches by one of its forms. So there is an answer only if all words match.
        """
        q = _fold(text)
        if not q:
            return []
        prefixes = (q[:end] for end in range(len(q), 0, -1))
        words = next((self._words[each] for each in prefixes if each in self._words), None)
        if words is None or any(q not in _fold(_match_of(word)) for word in words):
            return None
        return sorted(words, key=lambda word: _rank(_fold(word['word']), q))

    def add(self, text: str, page: Any) -> list[FoundWord]:
        """Return the words of a page, and keep them if the page is the only one."""
        words: list[FoundWord] = page['words']
        if self._is_local and page['nextCursor'] is None:
            self._words[_fold(text)] = words
        return words


def _match_of(word: FoundWord) -> str:
    return word.get('matchedForm', word['word'])


def _rank(word: str, q: str) -> int:
    return 0 if word == q else 1 if word.startswith(q) else 2


def _fold(text: str) -> str:
    """Fold case and diacritics, more strictly than the service, to avoid false matches."""
    points = unicodedata.normalize('NFD', text.strip())
    return ''.join(point for point in points if unicodedata.category(point)[0] != 'M').lower()
