"""Sets of words that a learner knows, for the parameter `known`."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Coroutine, Iterable
from typing import Any, TypedDict, cast, overload

from ._helper import helper
from .helpers import words_by_spelling
from .operations import AsyncOperations, FoundWord, Level, Operations, Word, WordDetail

_PARAMETER_MAX_LENGTH = 6000


def pack_ids(ids: Iterable[int]) -> str:
    """Pack word ids: `p.` and the unpadded base64url of the raw DEFLATE (RFC 1951) of the
    differences between ascending ids, as LEB128.
    """
    data = bytearray()
    last = 0
    for id in sorted(set(ids)):
        difference = id - last
        while difference > 127:
            data.append(difference % 128 + 128)
            difference //= 128
        data.append(difference)
        last = id
    deflate = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    packed_bytes = deflate.compress(data) + deflate.flush()
    return f'p.{base64.urlsafe_b64encode(packed_bytes).decode().rstrip("=")}'


def unpack_ids(text: str) -> list[int]:
    """Return the word ids in a packed set. Raise ValueError if it is not one."""
    try:
        if not re.fullmatch(r'p\.[A-Za-z0-9_-]+', text):
            raise ValueError
        packed_bytes = base64.urlsafe_b64decode(f'{text[2:]}===')
        inflate = zlib.decompressobj(-zlib.MAX_WBITS)
        data = inflate.decompress(packed_bytes)
        if not inflate.eof:
            raise ValueError
    except (ValueError, zlib.error):
        raise ValueError(f'{json.dumps(text, ensure_ascii=False)} is no packed set') from None
    ids = []
    last = difference = shift = 0
    for byte in data:
        difference += byte % 128 << shift
        shift += 7
        if byte < 128:
            last += difference
            ids.append(last)
            difference = shift = 0
    return ids


class KnownWordsRecord(TypedDict):
    """The stored form of a set, which is the same in the client for TypeScript."""

    # The level up to which all words are known.
    level: Level | None
    wordIds: list[int]
    # Words that are not known although their level is.
    exceptIds: list[int]


class KnownWords:
    """The words that a learner knows, for the parameter `known`."""

    def __init__(
        self,
        level: Level | None = None,
        word_ids: Iterable[int] = (),
        except_ids: Iterable[int] = (),
    ) -> None:
        self.level = level
        # Dictionaries keep the order.
        self._word_ids = dict.fromkeys(word_ids)
        self._except_ids = dict.fromkeys(except_ids)

    @staticmethod
    def parse(text: str) -> KnownWords:
        """Read the text of the parameter `known`. Raise ValueError if it is not one."""
        known = KnownWords()
        for item in map(str.strip, text.split(',')):
            if item.startswith('p.'):
                known._word_ids.update(dict.fromkeys(unpack_ids(item)))
            elif re.fullmatch('[ABC][12]', item):
                known.level = cast(Level, max(item, known.level or ''))
            elif re.fullmatch('[0-9]+', item):
                known._word_ids[int(item)] = None
            elif re.fullmatch('-[0-9]+', item):
                known._except_ids[int(item[1:])] = None
            elif item:
                raise ValueError(f'{json.dumps(item, ensure_ascii=False)} is no part of a set')
        return known

    @overload
    def add_spellings(
        self,
        client: Operations,
        spellings: Iterable[str],
        *,
        language: str | None = None,
        timeout_s: float | None = None,
    ) -> list[str]: ...

    @overload
    def add_spellings(
        self,
        client: AsyncOperations,
        spellings: Iterable[str],
        *,
        language: str | None = None,
        timeout_s: float | None = None,
    ) -> Coroutine[Any, Any, list[str]]: ...

    def add_spellings(
        self,
        client: Any,
        spellings: Iterable[str],
        *,
        language: str | None = None,
        timeout_s: float | None = None,
    ) -> Any:
        """Add the words with these spellings, in one request for each 100. Return the spellings
        that name no word. With an async client, await the result.
        """
        return _add_spellings(client, self, spellings, language, timeout_s)

    def add(self, *word_ids: int) -> None:
        for id in word_ids:
            self._except_ids.pop(id, None)
            self._word_ids[id] = None

    def remove(self, *word_ids: int) -> None:
        """Remove words, whether an id or the level names them."""
        for id in word_ids:
            self._word_ids.pop(id, None)
            if self.level is not None:
                self._except_ids[id] = None

    def has(self, word: Word | FoundWord | WordDetail) -> bool:
        """Return whether the learner knows a word."""
        if word['wordId'] in self._except_ids:
            return False
        is_listed = word['wordId'] in self._word_ids
        return is_listed or (self.level is not None and word['level'] <= self.level)

    def to_parameter(self) -> str:
        """Return the text of the parameter `known`, packed if that is shorter. Raise ValueError if
        it is longer than the service accepts.
        """
        items: list[str] = [self.level or '']
        if self._word_ids:
            items.append(
                min(','.join(map(str, self._word_ids)), pack_ids(self._word_ids), key=len)
            )
        items += [f'-{id}' for id in self._except_ids]
        # Without any item, the parameter would count as absent.
        text = ','.join(filter(None, items)) or pack_ids([])
        if len(text) > _PARAMETER_MAX_LENGTH:
            raise ValueError(
                f'the set has {len(text)} characters, and known has at most'
                f' {_PARAMETER_MAX_LENGTH}: set a level for the words that the learner knows'
            )
        return text

    def to_json(self) -> KnownWordsRecord:
        """Return the set for `json.dumps`."""
        return {
            'level': self.level,
            'wordIds': sorted(self._word_ids),
            'exceptIds': sorted(self._except_ids),
        }

    @staticmethod
    def from_json(record: KnownWordsRecord) -> KnownWords:
        """Return the set of a record of `to_json`."""
        return KnownWords(record['level'], record['wordIds'], record['exceptIds'])


@helper
async def _add_spellings(
    client: AsyncOperations,
    known: KnownWords,
    spellings: Iterable[str],
    language: str | None,
    timeout_s: float | None,
) -> list[str]:
    words, missing = await words_by_spelling(
        client, spellings, language=language, timeout_s=timeout_s
    )
    known.add(*(word['wordId'] for word in words))
    return missing
