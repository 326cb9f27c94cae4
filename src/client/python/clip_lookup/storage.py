"""The places where a cache keeps its texts."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

#: The key of the release of the records, which is never forgotten.
RELEASE_KEY = 'release'


class CacheStorage(Protocol):
    """The place where a cache keeps its texts. Implement it to keep them elsewhere. The cache makes
    one call at a time; that of an async client waits for it, so it should be fast.
    """

    def get(self, key: str, /) -> str | None: ...

    def set(self, key: str, text: str, /) -> None: ...

    def delete(self, key: str, /) -> None: ...

    def sizes(self) -> Iterable[tuple[str, int]]:
        """Return the keys with the sizes of their texts, the least important first."""
        ...


class MemoryStorage:
    """Keeps texts in memory."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    def get(self, key: str) -> str | None:
        return self._texts.get(key)

    def set(self, key: str, text: str) -> None:
        self._texts[key] = text

    def delete(self, key: str) -> None:
        self._texts.pop(key, None)

    def sizes(self) -> Iterable[tuple[str, int]]:
        return [(key, len(text)) for key, text in self._texts.items()]


class FolderStorage:
    """Keeps texts as files in a folder, for one process at a time."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self._folder = Path(folder)

    def get(self, key: str) -> str | None:
        try:
            return self._file(key).read_bytes().decode()
        except FileNotFoundError:
            return None

    def set(self, key: str, text: str) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        temporary_file = self._folder / f'{os.getpid()}.tmp'
        temporary_file.write_bytes(text.encode())
        temporary_file.replace(self._file(key))

    def delete(self, key: str) -> None:
        self._file(key).unlink(missing_ok=True)

    def sizes(self) -> Iterable[tuple[str, int]]:
        files = [file for file in self._folder.glob('*') if file.suffix != '.tmp']
        files.sort(key=lambda file: file.stat().st_mtime)
        return [(bytes.fromhex(file.name).decode(), file.stat().st_size) for file in files]

    def _file(self, key: str) -> Path:
        # Video ids can differ only in case, which file systems may ignore.
        return self._folder / key.encode().hex()


class LimitedStorage:
    """A storage that forgets what was used least recently when it is full.

    Sizes are in characters.
    """

    def __init__(self, storage: CacheStorage, max_size: int) -> None:
        self._storage = storage
        self._max_size = max_size
        #: The sizes of the texts, the least recently used first.
        self._sizes = {key: size for key, size in storage.sizes() if key != RELEASE_KEY}
        self._total = sum(self._sizes.values())

    def get(self, key: str) -> str | None:
        size = self._sizes.pop(key, None)
        if size is None:
            return None
        self._sizes[key] = size
        return self._storage.get(key)

    def set(self, key: str, text: str) -> None:
        """Keep a text, unless it is too large or cannot be stored: the caller has it."""
        if len(text) > self._max_size:
            return self.delete(key)
        self._forget(key)
        self._sizes[key] = len(text)
        self._total += len(text)
        try:
            self._storage.set(key, text)
        except Exception:
            self._forget(key)
        while self._total > self._max_size:
            self.delete(next(iter(self._sizes)))

    def delete(self, key: str) -> None:
        self._forget(key)
        self._storage.delete(key)

    def clear(self) -> None:
        for key in list(self._sizes):
            self.delete(key)

    def _forget(self, key: str) -> None:
        self._total -= self._sizes.pop(key, 0)
