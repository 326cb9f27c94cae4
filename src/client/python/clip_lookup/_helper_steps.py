"""Steps of a helper, whose calls a sync or an async client makes."""

from __future__ import annotations

from collections.abc import Coroutine, Generator, Mapping
from dataclasses import dataclass
from typing import Any, overload

from ._steps import T, drive, drive_async
from .operations import AsyncOperations, OperationId, Operations


@dataclass(frozen=True)
class Call:
    """A call of an operation. The result is the record."""

    operation: OperationId
    parameters: Mapping[str, object]
    timeout_s: float | None


HelperSteps = Generator[Call, Any, T]


@overload
def run(client: Operations, steps: HelperSteps[T]) -> T: ...


@overload
def run(client: AsyncOperations, steps: HelperSteps[T]) -> Coroutine[Any, Any, T]: ...


def run(client: Operations | AsyncOperations, steps: HelperSteps[T]) -> T | Coroutine[Any, Any, T]:
    """Return the result of the steps; with an async client, a coroutine."""

    def perform(call: Call) -> Any:
        return client._answer(call.operation, call.parameters, call.timeout_s)

    return drive(steps, perform) if isinstance(client, Operations) else drive_async(steps, perform)
