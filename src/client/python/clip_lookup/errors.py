"""The failures of calls."""

from __future__ import annotations

from collections.abc import Mapping


class ClipLookupError(Exception):
    """The failure of a call.

    `code` is a code of the service, which can add more, or one of the client's: `network` (no
    response arrived), `timeout` (the deadline passed) and `bad_response` (the response is not from
    the API). Each known code has a class of its own, so that you can catch it.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int = 0,
        parameter: str | None = None,
        retry_after: int | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        #: The status of the response; 0 without a response.
        self.status = status
        #: The parameter that is wrong, with `invalid_parameter`.
        self.parameter = parameter
        #: The seconds after which a call can succeed, with `rate_limited` and `quota_exceeded`.
        self.retry_after = retry_after
        #: The headers of the response, with lower-case names.
        self.headers = headers
        #: The `X-Request-Id` of the response, for questions to the operator.
        self.request_id = headers.get('x-request-id') if headers else None


class InvalidParameterError(ClipLookupError):
    parameter: str


class BadRequestError(ClipLookupError):
    pass


class InvalidKeyError(ClipLookupError):
    pass


class NotFoundError(ClipLookupError):
    pass


class MethodNotAllowedError(ClipLookupError):
    pass


class RequestTooLargeError(ClipLookupError):
    pass


class RateLimitedError(ClipLookupError):
    retry_after: int


class QuotaExceededError(ClipLookupError):
    retry_after: int


class InternalError(ClipLookupError):
    pass


class UnavailableError(ClipLookupError):
    pass


class NetworkError(ClipLookupError):
    pass


class DeadlineError(ClipLookupError):
    pass


class BadResponseError(ClipLookupError):
    pass


#: The classes of the codes.
ERROR_CLASSES: dict[str, type[ClipLookupError]] = {
    'invalid_parameter': InvalidParameterError,
    'bad_request': BadRequestError,
    'invalid_key': InvalidKeyError,
    'not_found': NotFoundError,
    'method_not_allowed': MethodNotAllowedError,
    'request_too_large': RequestTooLargeError,
    'rate_limited': RateLimitedError,
    'quota_exceeded': QuotaExceededError,
    'internal': InternalError,
    'unavailable': UnavailableError,
    'network': NetworkError,
    'timeout': DeadlineError,
    'bad_response': BadResponseError,
}


def error_class(code: str) -> type[ClipLookupError]:
    """Return the class of a code; codes of later versions have the common class."""
    return ERROR_CLASSES.get(code, ClipLookupError)
