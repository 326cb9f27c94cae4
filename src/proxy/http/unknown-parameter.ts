import { invalidParameter, type ErrorAnswer } from '#contract/errors.ts'
import type { Operation } from '#contract/operations.ts'
import { quoteValue, shownValue } from '#contract/quote-value.ts'
import { closestOf } from '#kit/closest.ts'

/**
 * 400: the operation has no query parameter of this name. Ignoring a misspelt one would silently
 * change the answer, and spend a unit.
 */
export function unknownParameter(operation: Operation, name: string): ErrorAnswer {
  const known = Object.keys(operation.queryParameters)
  const closest = closestOf(name, known)
  const suggestion = closest === undefined ? '' : `; did you mean ${closest}?`
  const list = known.length === 0 ? 'takes no query parameters' : `takes ${known.join(', ')}`
  return invalidParameter(
    shownValue(name),
    `${quoteValue(name)} is not a parameter of GET ${operation.path}, which ${list}${suggestion}`,
  )
}
