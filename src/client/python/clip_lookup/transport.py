"""The part of the client that sends requests, which you can replace."""

from __future__ import annotations

import asyncio
import http.client
import io
import threading
import time
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import SplitResult, urlsplit


@dataclass(frozen=True)
class Request:
    """A GET request."""

    url: str
    headers: Mapping[str, str]
    #: The time after which the transport raises TimeoutError.
    timeout_s: float


@dataclass(frozen=True)
class Response:
    """A response, with lower-case names of headers."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Transport(Protocol):
    """Sends a request. Raises OSError, of which TimeoutError is one, if no response arrives."""

    def __call__(self, request: Request, /) -> Response: ...


class AsyncTransport(Protocol):
    """Sends a request. Raises OSError if no response arrives."""

    async def __call__(self, request: Request, /) -> Response: ...


#: The largest number of connections that stay open without a request.
_IDLE_MAX = 8


def _origin(url: SplitResult) -> tuple[str, str, int]:
    port = url.port or (443 if url.scheme == 'https' else 80)
    return url.scheme, url.hostname or '', port


def _target(url: SplitResult) -> str:
    return (url.path or '/') + (f'?{url.query}' if url.query else '')


def _decode(headers: Mapping[str, str], body: bytes) -> bytes:
    return zlib.decompress(body, 31) if headers.get('content-encoding') == 'gzip' else body


class HttpTransport:
    """Sends requests with http.client. Threads can share it: it keeps connections open."""

    def __init__(self) -> None:
        self._idle: list[tuple[tuple[str, str, int], http.client.HTTPConnection]] = []
        self._lock = threading.Lock()

    def __call__(self, request: Request) -> Response:
        url = urlsplit(request.url)
        end = time.monotonic() + request.timeout_s
        connection = self._take(url)
        if connection is not None:
            try:
                return self._exchange(connection, url, request, end)
            except TimeoutError:
                raise
            except OSError:
                # The server can close an idle connection at any time.
                pass
        scheme, host, port = _origin(url)
        new = http.client.HTTPSConnection if scheme == 'https' else http.client.HTTPConnection
        return self._exchange(new(host, port, timeout=_left(end)), url, request, end)

    def close(self) -> None:
        """Close the connections that are open without a request."""
        with self._lock:
            idle, self._idle = self._idle, []
        for _, connection in idle:
            connection.close()

    def _take(self, url: SplitResult) -> http.client.HTTPConnection | None:
        origin = _origin(url)
        with self._lock:
            for i, (each, connection) in enumerate(self._idle):
                if each == origin:
                    del self._idle[i]
                    return connection
        return None

    def _exchange(
        self,
        connection: http.client.HTTPConnection,
        url: SplitResult,
        request: Request,
        end: float,
    ) -> Response:
        try:
            connection.timeout = _left(end)
            if connection.sock is not None:
                connection.sock.settimeout(_left(end))
            connection.request(
                'GET', _target(url), headers={'Accept-Encoding': 'gzip', **request.headers}
            )
            connection.sock.settimeout(_left(end))
            raw = connection.getresponse()
            sock = connection.sock
            chunks = []
            while chunk := raw.read1(65_536):
                chunks.append(chunk)
                if sock is not None:
                    sock.settimeout(_left(end))
            if raw.length:
                raise OSError('the response ends too early')
            # Without this, the connection refuses another request.
            raw.close()
            headers = {name.lower(): value for name, value in raw.getheaders()}
            body = _decode(headers, b''.join(chunks))
        except (http.client.HTTPException, zlib.error) as error:
            connection.close()
            raise OSError(f'{type(error).__name__}: {error}') from error
        except BaseException:
            connection.close()
            raise
        with self._lock:
            if not raw.will_close and len(self._idle) < _IDLE_MAX:
                self._idle.append((_origin(url), connection))
            else:
                connection.close()
        return Response(raw.status, headers, body)


def _left(end: float) -> float:
    left_s = end - time.monotonic()
    if left_s <= 0:
        raise TimeoutError('no response in time')
    return min(left_s, 1_000_000)


_Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class AsyncHttpTransport:
    """Sends requests over asyncio streams, and keeps connections open (RFC 9112)."""

    def __init__(self) -> None:
        self._idle: list[tuple[tuple[str, str, int], object, _Streams]] = []

    async def __call__(self, request: Request) -> Response:
        url = urlsplit(request.url)
        streams = self._take(url)
        if streams is not None:
            try:
                return await self._exchange(streams, url, request)
            except OSError:
                # The server can close an idle connection at any time.
                pass
        scheme, host, port = _origin(url)
        new = await asyncio.open_connection(host, port, ssl=True if scheme == 'https' else None)
        return await self._exchange(new, url, request)

    def close(self) -> None:
        """Close the connections that are open without a request."""
        idle, self._idle = self._idle, []
        for _, _, (_, writer) in idle:
            writer.close()

    def _take(self, url: SplitResult) -> _Streams | None:
        origin, loop = _origin(url), asyncio.get_running_loop()
        # A connection belongs to the loop that opened it.
        self._idle = [each for each in self._idle if each[1] is loop]
        for i, (each, _, streams) in enumerate(self._idle):
            if each == origin:
                del self._idle[i]
                return streams
        return None

    async def _exchange(self, streams: _Streams, url: SplitResult, request: Request) -> Response:
        reader, writer = streams
        lines = {'Host': url.netloc, 'Accept-Encoding': 'gzip', **request.headers}
        fields = ''.join(f'{name}: {value}\r\n' for name, value in lines.items())
        try:
            writer.write(f'GET {_target(url)} HTTP/1.1\r\n{fields}\r\n'.encode('latin-1'))
            await writer.drain()
            head = await reader.readuntil(b'\r\n\r\n')
            line, _, rest = head.partition(b'\r\n')
            status = int(line.split()[1])
            message = http.client.parse_headers(io.BytesIO(rest))
            headers = {name.lower(): value for name, value in message.items()}
            body = await _read_body(reader, status, headers)
            decoded = _decode(headers, body)
        except (EOFError, ValueError, IndexError, zlib.error, http.client.HTTPException) as error:
            writer.close()
            raise OSError(f'{type(error).__name__}: {error}') from error
        except asyncio.LimitOverrunError as error:
            writer.close()
            raise OSError('the headers of the response are too long') from error
        except BaseException:
            writer.close()
            raise
        is_open = headers.get('connection', '').lower() != 'close' and not reader.at_eof()
        if is_open and len(self._idle) < _IDLE_MAX:
            self._idle.append((_origin(url), asyncio.get_running_loop(), streams))
        else:
            writer.close()
        return Response(status, headers, decoded)


async def _read_body(
    reader: asyncio.StreamReader, status: int, headers: Mapping[str, str]
) -> bytes:
    if status in (204, 304):
        return b''
    if headers.get('transfer-encoding', '').lower() == 'chunked':
        chunks = []
        while size := int((await reader.readuntil(b'\r\n')).split(b';')[0], 16):
            chunks.append(await reader.readexactly(size))
            await reader.readexactly(2)
        while await reader.readuntil(b'\r\n') != b'\r\n':
            pass
        return b''.join(chunks)
    if 'content-length' in headers:
        return await reader.readexactly(int(headers['content-length']))
    return await reader.read()
