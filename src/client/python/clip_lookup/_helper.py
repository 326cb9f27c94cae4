"""Functions that make calls with a sync or an async client."""

from __future__ import annotations

import functools
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, cast, overload

from ._io import complete
from .operations import AsyncOperations, OperationId, Operations

P = ParamSpec('P')
T = TypeVar('T')
T_co = TypeVar('T_co', covariant=True)


class Helper(Protocol[P, T_co]):
    """A function that takes either client. With an async client, it returns a coroutine."""

    @overload
    def __call__(self, client: Operations, /, *args: P.args, **kwargs: P.kwargs) -> T_co: ...

    @overload
    def __call__(
        self, client: AsyncOperations, /, *args: P.args, **kwargs: P.kwargs
    ) -> Coroutine[Any, Any, T_co]: ...


class _BlockingOperations(AsyncOperations):
    """The operations of a sync client as coroutines that never suspend."""

    def __init__(self, client: Operations) -> None:
        self._client = client

    async def _answer(
        self, operation: OperationId, parameters: Mapping[str, object], timeout_s: float | None
    ) -> Any:
        return self._client._answer(operation, parameters, timeout_s)


def helper(
    function: Callable[Concatenate[AsyncOperations, P], Coroutine[Any, Any, T]],
) -> Helper[P, T]:
    """Let a function, which awaits nothing but calls, take a sync client, too."""

    @functools.wraps(function)
    def call(client: Operations | AsyncOperations, /, *args: P.args, **kwargs: P.kwargs) -> Any:
        if isinstance(client, AsyncOperations):
            return function(client, *args, **kwargs)
        return complete(function(_BlockingOperations(client), *args, **kwargs))

    return cast(Helper[P, T], call)
