import { invalidParameter, type ErrorAnswer } from '#contract/errors.ts'
import { operations, type OperationId } from '#contract/operations.ts'
import type { BoundValues, ListOperationId, ParameterValues } from '#contract/parameter-values.ts'
import type { Parameter } from '#contract/parameters.ts'
import { quoteValue } from '#contract/quote-value.ts'
import type { Context } from './handler.ts'

/**
 * The pages of list operations. The table of operations says which parameters the cursors of each
 * operation are bound to.
 *
 * A cursor contains the bound query parameters, each as the text that its schema reads, and then
 * the numbers of its position. It is signed for its operation and tree. The operation itself
 * compares a bound path parameter.
 */

/** The query parameters that the cursors of each operation are bound to. */
const boundParameters = new Map<OperationId, [name: string, parameter: Parameter][]>(
  operations.map(({ id, queryParameters }) => [
    id,
    Object.entries(queryParameters).filter(([name]) => queryParameters['cursor']?.boundNames?.includes(name)),
  ]),
)

/** The page of a list in a request. */
export interface PageRequest<Id extends ListOperationId> {
  /** The values that the cursor of the next page will be bound to. */
  boundValues: BoundValues<Id>
  /** The position that `nextCursor` received for this page; empty for the first page. */
  position: readonly number[]
}

/**
 * Returns the page in a request. On the first page, `defaults` replace the parameters that were not
 * sent.
 *
 * @returns 400 for a cursor of another operation or tree, or one that is bound to another value
 *   than the one sent
 */
export function readPage<Id extends ListOperationId>(
  id: Id,
  values: ParameterValues<Id> & Partial<BoundValues<Id>> & { cursor?: string | undefined },
  { release, cursors }: Context,
  defaults: () => BoundValues<Id>,
): PageRequest<Id> | ErrorAnswer {
  if (values.cursor === undefined) return { boundValues: { ...defaults(), ...values }, position: [] }
  const fields = cursors.open(`${id} ${release.manifest.tree}`, values.cursor)
  if (fields === null) return notACursor(values.cursor)
  const boundValues: Record<string, unknown> = {}
  const names = boundParameters.get(id)!
  for (const [i, [name, { schema }]] of names.entries()) {
    const text = fields[i]!
    const sentValue = (values as Record<string, unknown>)[name]
    if (sentValue !== undefined && textOf(sentValue) !== text) return boundDiffers(name, textOf(sentValue))
    // The search for all words has a `q` that no caller can send.
    const value = text === '' && name === 'q' ? { data: '' } : schema.safeParse(text)
    // An earlier version may have bound its cursors to other parameters.
    if (value.data === undefined) return notACursor(values.cursor)
    boundValues[name] = value.data
  }
  const position = fields.slice(names.length).map(Number)
  if (!position.every((number) => Number.isSafeInteger(number) && number >= 0))
    return notACursor(values.cursor)
  return { boundValues: boundValues as BoundValues<Id>, position }
}

function notACursor(cursor: string): ErrorAnswer {
  return invalidParameter(
    'cursor',
    `cursor must be the unchanged nextCursor of a response from this operation, but it is ${quoteValue(cursor)}.`,
  )
}

/** Returns the cursor of the page at `position`. Both are null at the end of the list. */
export function nextCursor<Id extends ListOperationId>(
  id: Id,
  boundValues: BoundValues<Id>,
  position: readonly number[] | null,
  { release, cursors }: Context,
): string | null {
  if (position === null) return null
  const texts = boundParameters
    .get(id)!
    .map(([name]) => textOf((boundValues as Record<string, unknown>)[name]))
  return cursors.seal(`${id} ${release.manifest.tree}`, [...texts, ...position.map(String)])
}

/** Returns the text from which a parameter's schema reads this value: lists are comma-separated. */
function textOf(value: unknown): string {
  return String(value as string | number | boolean | readonly string[])
}

/** Returns 400: the text of a parameter differs from the one that the cursor is bound to. */
export function boundDiffers(parameter: string, text: string): ErrorAnswer {
  return invalidParameter(
    parameter,
    `${parameter} must be the value in the cursor, but it is ${quoteValue(text)}. Omit it, or send the same value.`,
  )
}
