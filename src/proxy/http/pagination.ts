import type { z } from 'zod'
import { invalidParameter, type ErrorAnswer } from '#contract/errors.ts'
import { operations, type Operation } from '#contract/operations.ts'
import {
  boundSchema,
  type BoundValues,
  type ListOperationId,
  type ParameterValues,
} from '#contract/parameter-values.ts'
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
  readonly #boundSchema: z.ZodObject & z.ZodType<BoundValues<Id>>
  readonly #boundNames: string[]

  constructor(id: Id) {
    this.#operation = operations.find((operation) => operation.id === id)!
    this.#boundSchema = boundSchema(id)
    this.#boundNames = Object.keys(this.#boundSchema.shape)
  }

  /**
   * The page that a request asks for. On the first page, `defaults` fill in the parameters that
   * were not sent.
   *
   * @returns 400 for a cursor that is not of this operation and tree, or is bound to another value
   * than the one sent
   */
  read(
    values: ParameterValues<Id> & Partial<BoundValues<Id>> & { cursor?: string | undefined },
    { release, cursors }: Context,
    defaults: () => BoundValues<Id>,
  ): PageRequest<Id> | ErrorAnswer {
    if (values.cursor === undefined) return { bound: withSent(values, defaults()), position: [] }
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

  #scope(tree: string): string {
    return `${this.#operation.id} ${tree}`
  }

  #resume(values: Record<string, unknown>, fields: readonly Field[]): BoundValues<Id> | ErrorAnswer {
    const texts: Record<string, string> = {}
    for (const [i, name] of this.#boundNames.entries()) {
      texts[name] = String(fields[i])
      if (values[name] !== undefined && textOf(values, name) !== texts[name]) return boundDiffers(name)
    }
    return this.#boundSchema.parse(texts)
  }
}

/** The defaults, with the values that were sent in their place. */
function withSent<Bound extends object>(sent: Partial<Bound>, defaults: Bound): Bound {
  const bound = { ...defaults }
  for (const name in defaults) if (sent[name] !== undefined) bound[name] = sent[name]
  return bound
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
