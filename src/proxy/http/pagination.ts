import { invalidParameter, type ErrorAnswer } from '#contract/errors.ts'
import { operations, type Operation } from '#contract/operations.ts'
import type { BoundValues, ListOperationId, ParameterValues } from '#contract/parameter-values.ts'
import type { Field } from './cursor.ts'
import { isError, type Context } from './handler.ts'

/** The page of a list that a request asks for. */
export interface PageRequest<Id extends ListOperationId> {
  /** The values that the cursor of the next page will be bound to. */
  bound: BoundValues<Id>
  /** The position that `nextCursor` got for this page; empty for the first page. */
  position: readonly number[]
}

/**
 * The pages of a list operation. The operations table says which parameters its cursors are bound
 * to; this class opens a cursor, compares it with the parameters that were sent, and seals the next
 * one.
 *
 * A cursor holds the bound query parameters, each as the text that its schema reads, and then the
 * numbers of its position. It is signed for its operation and tree. A bound path parameter is the
 * endpoint's own to compare.
 */
export class Pagination<Id extends ListOperationId> {
  readonly #operation: Operation
  readonly #boundNames: string[]
  readonly #otherNames: string[]

  constructor(id: Id) {
    this.#operation = operations.find((operation) => operation.id === id)!
    const { boundParameters, queryParameters, pathParameters } = this.#operation
    this.#boundNames = boundParameters.filter((name) => name in queryParameters)
    this.#otherNames = Object.keys({ ...pathParameters, ...queryParameters }).filter(
      (name) => name !== 'cursor' && !this.#boundNames.includes(name),
    )
  }

  /**
   * The page that a request asks for. On the first page, `defaults` fill in the parameters that
   * were not sent.
   *
   * @returns 400 for a cursor that is not of this operation and tree, or is bound to another value
   * than the one sent
   */
  read(
    values: ParameterValues<Id> & { cursor?: string | undefined },
    { release, cursors }: Context,
    defaults: () => BoundValues<Id>,
  ): PageRequest<Id> | ErrorAnswer {
    if (values.cursor === undefined) return { bound: this.#begin(values, defaults()), position: [] }
    const fields = cursors.open(this.#scope(release.manifest.tree), values.cursor)
    if (fields === null) return unusableCursor()
    const bound = this.#resume(values, fields)
    if (isError(bound)) return bound
    return { bound, position: fields.filter((field) => typeof field === 'number') }
  }

  /** The cursor of the page at `position`; null, for the end of the list, where that is null. */
  nextCursor(
    { bound }: Pick<PageRequest<Id>, 'bound'>,
    position: readonly number[] | null,
    { release, cursors }: Context,
  ): string | null {
    if (position === null) return null
    const texts = this.#boundNames.map((name) => textOf(bound, name))
    return cursors.seal(this.#scope(release.manifest.tree), [...texts, ...position])
  }

  /**
   * Differs between any two pages of the operation in one release: the key to cache the answer
   * under.
   */
  cacheKey(values: ParameterValues<Id>, { bound, position }: PageRequest<Id>): string {
    let key = position.join(' ')
    // No value holds NUL: parameters with it are refused.
    for (const name of this.#boundNames) key += `\0${textOf(bound, name)}`
    for (const name of this.#otherNames) key += `\0${textOf(values, name)}`
    return key
  }

  #scope(tree: string): string {
    return `${this.#operation.id} ${tree}`
  }

  #begin(values: Record<string, unknown>, defaults: BoundValues<Id>): BoundValues<Id> {
    const bound: Record<string, unknown> = { ...defaults }
    for (const name of this.#boundNames) if (values[name] !== undefined) bound[name] = values[name]
    return bound as BoundValues<Id>
  }

  #resume(values: Record<string, unknown>, fields: readonly Field[]): BoundValues<Id> | ErrorAnswer {
    const bound: Record<string, unknown> = {}
    for (const [i, name] of this.#boundNames.entries()) {
      const text = String(fields[i])
      if (values[name] !== undefined && textOf(values, name) !== text) return boundDiffers(name)
      // An empty text is a default that no caller can send, such as the search for all words.
      bound[name] = text === '' ? '' : this.#operation.queryParameters[name]!.schema.parse(text)
    }
    return bound as BoundValues<Id>
  }
}

/** The text that the parameter's schema reads this value from: lists are comma separated. */
function textOf(values: Record<string, unknown>, name: string): string {
  const value = values[name]
  return typeof value === 'string' ? value : value === undefined ? '' : String(value as Field | Field[])
}

/** 400: the cursor is malformed, altered, or of another endpoint or tree. */
function unusableCursor(): ErrorAnswer {
  return invalidParameter(
    'cursor',
    'cursor must be an unaltered nextCursor of this endpoint and this service',
  )
}

/** 400: a parameter differs from the one that the cursor is bound to. */
export function boundDiffers(parameter: string): ErrorAnswer {
  return invalidParameter(
    parameter,
    `${parameter} differs from that of the cursor: omit it or send the same value`,
  )
}
