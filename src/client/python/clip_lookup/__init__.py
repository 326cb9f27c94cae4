"""A client for the Clip Lookup Service, without dependencies."""

from ._calls import Answer
from .client import AsyncClipLookup, ClipLookup
from .errors import (
    BadRequestError,
    BadResponseError,
    ClipLookupError,
    DeadlineError,
    InternalError,
    InvalidKeyError,
    InvalidParameterError,
    MethodNotAllowedError,
    NetworkError,
    NotFoundError,
    QuotaExceededError,
    RateLimitedError,
    RequestTooLargeError,
    UnavailableError,
)

__all__ = [
    'Answer',
    'AsyncClipLookup',
    'BadRequestError',
    'BadResponseError',
    'ClipLookup',
    'ClipLookupError',
    'DeadlineError',
    'InternalError',
    'InvalidKeyError',
    'InvalidParameterError',
    'MethodNotAllowedError',
    'NetworkError',
    'NotFoundError',
    'QuotaExceededError',
    'RateLimitedError',
    'RequestTooLargeError',
    'UnavailableError',
]
