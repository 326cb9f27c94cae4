"""The steps of a call, from its parameters to the record."""

from __future__ import annotations

import json
import math
import random
import re
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import quote, urlencode

from ._gate import Gate
from ._io import Deadline, Io
from .errors import (
    ClipLookupError,
    InvalidParameterError,
    NetworkError,
    QuotaExceededError,
    RateLimitedError,
    error_class,
)
from .operations import BOUND_PARAMETERS, PATHS, OperationId
from .transport import Request, Response

Mode = Literal['foreground', 'background']

#: The longest time for a single request.
ATTEMPT_S = 30.0
#: The longest pause before the first retry; it doubles with each.
_RETRY_S = 0.25

_PUBLIC = ('get_corpus', 'get_changes', 'get_open_api')


@dataclass(frozen=True)
class Answer:
    """A record with the headers of its response, which have lower-case names."""

    record: Any
    headers: Mapping[str, str]


class Calls:
    """The state that all calls of a client share."""

    def __init__(
        self,
        base_url: str,
        key: str | None,
        mode: Mode,
        max_wait_s: float | None,
        timeout_s: float | None,
        retries: int | None,
        io: Io,
    ) -> None:
        if not base_url.startswith(('http://', 'https://')):
            raise ValueError(f'base_url must begin with http:// or https://, not {base_url!r}')
        self.io = io
        is_background = mode == 'background'
        self._base_url = base_url.rstrip('/')
        self._headers = {'Authorization': f'Bearer {key}'} if key else {}
        self._max_wait_s = _default(max_wait_s, math.inf if is_background else 10.0)
        self._timeout_s = _default(timeout_s, math.inf if is_background else 30.0)
        self._retries = int(_default(retries, 5 if is_background else 2))
        self._key_gate = Gate(io, self._read_usage)
        self._public_gate = Gate(io)
        #: The answer to further look-ups while the quota is spent: its message and its end.
        self._quota: tuple[str, float] | None = None

    def deadline(self, timeout_s: float | None) -> Deadline:
        return Deadline(_default(timeout_s, self._timeout_s))

    async def call(
        self, operation: OperationId, parameters: Mapping[str, object], deadline: Deadline
    ) -> Answer:
        """Send a request until it is answered, and wait in between."""
        url = self._base_url + target(operation, parameters)
        latest = min(time.time() + self._max_wait_s, deadline.at)
        failures = 0
        while True:
            deadline.left()
            try:
                return await self._send(operation, url, latest, deadline)
            except ClipLookupError as error:
                failure = error
            if isinstance(failure, RateLimitedError):
                if time.time() + failure.retry_after < latest:
                    if operation == 'get_usage':
                        # Other calls wait at their gate.
                        await self.io.pause(failure.retry_after)
                    continue
            if not _can_retry(failure) or failures == self._retries:
                raise failure
            pause_s = _RETRY_S * 2**failures * (0.5 + random.random() / 2)
            failures += 1
            if time.time() + pause_s > deadline.at:
                raise failure
            await self.io.pause(pause_s)

    async def _send(
        self, operation: OperationId, url: str, latest: float, deadline: Deadline
    ) -> Answer:
        """Send a request when its gate is open. Calls to /usage have no gate."""
        if operation == 'get_usage':
            answer = await self._attempt(url, deadline)
            self._learn_usage(answer)
            return answer
        is_public = operation in _PUBLIC
        gate = self._public_gate if is_public else self._key_gate
        if not is_public:
            self._refuse_over_quota()
        wait_s = await gate.enter(latest, deadline)
        if wait_s > 0:
            raise _refusal('rate_limited', 'this minute has no requests left', wait_s)
        headers: Mapping[str, str] | None = None
        try:
            # The quota can have run out while the call waited.
            if not is_public:
                self._refuse_over_quota()
            answer = await self._attempt(url, deadline)
            headers = answer.headers
            return answer
        except ClipLookupError as error:
            headers = error.headers
            failure = error
        finally:
            gate.leave(headers)
        if isinstance(failure, RateLimitedError) and failure.status:
            gate.refuse(failure.retry_after)
        if isinstance(failure, QuotaExceededError) and failure.status:
            self._quota = (failure.message, time.time() + failure.retry_after)
        raise failure

    async def _read_usage(self, deadline: Deadline) -> None:
        answer = await self._attempt(f'{self._base_url}/usage', deadline)
        self._learn_usage(answer)

    def _learn_usage(self, answer: Answer) -> None:
        """Take over the state of the window and of the quota from a response of /usage."""
        self._key_gate.learn(answer.headers)
        limit = answer.record.get('limit')
        if limit is None or answer.record.get('requests', 0) < limit:
            self._quota = None

    def _refuse_over_quota(self) -> None:
        """Refuse calls until the period ends, as the service would. Reading /usage can lift it."""
        quota = self._quota
        if quota is not None and quota[1] > time.time():
            raise _refusal('quota_exceeded', quota[0], quota[1] - time.time())

    async def _attempt(self, url: str, deadline: Deadline) -> Answer:
        """Send one request."""
        left_s = deadline.left()
        request = Request(url, self._headers, min(ATTEMPT_S, left_s))
        try:
            response = await self.io.send(request)
        except TimeoutError as error:
            if left_s <= ATTEMPT_S:
                raise deadline.error() from error
            raise NetworkError('network', f'no response: {error}') from error
        except OSError as error:
            raise NetworkError('network', f'no response: {error}') from error
        return _to_answer(response)


def _to_answer(response: Response) -> Answer:
    """Return the record of a response, or raise its error."""
    body = _parse(response.body)
    if 200 <= response.status < 300 and body is not None:
        return Answer(body, response.headers)
    fields = body.get('error') if body else None
    details: dict[str, Any] = fields if isinstance(fields, dict) else {}
    retry_after = details.get('retryAfter') or response.headers.get('retry-after') or 1
    is_number = str(retry_after).isdigit()
    code = details.get('code', 'bad_response')
    raise error_class(code)(
        code,
        details.get('message', f'the response with status {response.status} is not from the API'),
        status=response.status,
        parameter=details.get('parameter'),
        retry_after=(int(retry_after) if is_number else 1) if response.status == 429 else None,
        headers=response.headers,
    )


def _parse(body: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(body)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _refusal(code: str, message: str, wait_s: float) -> ClipLookupError:
    """Return an error of the client itself, with the code that the service would send."""
    return error_class(code)(code, message, retry_after=math.ceil(wait_s))


def _can_retry(error: ClipLookupError) -> bool:
    return error.code == 'network' or error.status in (502, 503, 504)


def _default(value: float | None, default: float) -> float:
    return default if value is None else value


def wire_name(name: str) -> str:
    """Return the name of a parameter in the API: `max_duration_s` is `maxDurationS`."""
    return re.sub(r'_(\w)', lambda match: match[1].upper(), name.rstrip('_'))


def text_of(value: object) -> str:
    """Return the text of a parameter."""
    if value is None:
        return ''
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ','.join(map(str, value))
    return str(value)


def target(operation: OperationId, parameters: Mapping[str, object]) -> str:
    """Return the path and the query of a request."""
    path = PATHS[operation]
    query = {}
    for name, value in parameters.items():
        text = text_of(value)
        placeholder = f'{{{wire_name(name)}}}'
        if placeholder not in path:
            if text:
                query[wire_name(name)] = text
        elif text in ('', '.', '..'):
            # A URL cannot contain these as a segment, not even when they are encoded.
            message = f'{name} cannot be {json.dumps(text)}'
            raise InvalidParameterError('invalid_parameter', message, parameter=wire_name(name))
        else:
            path = path.replace(placeholder, quote(text, safe=''))
    return f'{path}?{urlencode(query, quote_via=quote)}' if query else path


def warn_by_default(message: str) -> None:
    warnings.warn(message, stacklevel=4)


class Walk:
    """A walk through the pages of a list."""

    def __init__(
        self,
        operation: OperationId,
        parameters: Mapping[str, object],
        warn: Callable[[str], None],
    ) -> None:
        self._operation = operation
        self._parameters = parameters
        self._warn = warn
        names = BOUND_PARAMETERS[operation]
        # A search in meanings also depends on their language.
        if parameters.get('in_') == 'meanings':
            names += ('gloss',)
        self._bound_values = {name: parameters.get(name) for name in names}
        # Lists can be changed in place.
        self._bound_texts = {name: text_of(value) for name, value in self._bound_values.items()}
        self._warned_names: set[str] = set()
        self._cursor: object = parameters.get('cursor')
        self.is_over = False

    def next_parameters(self) -> dict[str, object]:
        """Return the parameters of the next page."""
        for name, text in self._bound_texts.items():
            if text_of(self._parameters.get(name)) != text and name not in self._warned_names:
                self._warned_names.add(name)
                self._warn(
                    f'{self._operation}: {name} cannot change from page to page'
                    f' and stays {json.dumps(text, ensure_ascii=False)}'
                )
        return {**self._parameters, **self._bound_texts, 'cursor': self._cursor}

    def take(self, page: Any) -> list[Any]:
        """Take the cursor from a page. Return the items."""
        self._cursor = page.get('nextCursor')
        self.is_over = self._cursor is None
        items: list[Any] = page['items'] if 'items' in page else page.get('words', [])
        return items
