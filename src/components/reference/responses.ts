import { errorCodes, toErrorBody, type ErrorCode } from '#contract/errors.ts'
import { anyRequestCodes } from '#contract/openapi.ts'
import { operations, type OperationId } from '#contract/operations.ts'
import type { Recording } from '#site/site-input.ts'
import { documentedOperation } from './schema.ts'

/** A response other than 200, as its tab shows it. */
export interface ResponseTab {
  status: number
  /** Why it comes; one status can have several causes. */
  causes: { code: ErrorCode | null; when: string }[]
  /** An example of its body; null where it has none. */
  body: unknown
}

/** Lists the responses of an operation other than 200, each with one example. */
export function responsesOf(id: OperationId, refusals: readonly Recording[]): ResponseTab[] {
  const operation = operations.find((candidate) => candidate.id === id)!
  const codes = [...operation.codes, ...anyRequestCodes]
  const statuses = Object.keys(documentedOperation(operation.path).responses).map(Number)
  return statuses
    .filter((status) => status !== 200)
    .map((status) => {
      if (status === 304) return { status, causes: [notModified], body: null }
      const fitting = codes.filter((code) =>
        (errorCodes[code].statuses as readonly number[]).includes(status),
      )
      const causes = fitting.map((code) => ({ code, when: errorCodes[code].when }))
      return { status, causes, body: exampleOf(id, fitting[0]!, refusals) }
    })
}

const notModified = {
  code: null,
  when: 'Your copy is current: the `ETag` that you sent in `If-None-Match` still matches. The response has no body.',
}

/**
 * A recorded refusal of this operation, else of another; what cannot be recorded on demand is
 * composed.
 */
function exampleOf(id: OperationId, code: ErrorCode, refusals: readonly Recording[]): unknown {
  const recorded = refusals.filter(({ body }) => codeOf(body) === code)
  const best = recorded.find(({ operation }) => operation === id) ?? recorded[0]
  const message = errorCodes[code].when.split(/(?<=\.) /)[0]!.replace(/\.$/, '')
  return best?.body ?? toErrorBody({ status: errorCodes[code].statuses[0], code, message })
}

/** The code in an error body. */
export function codeOf(body: unknown): string {
  return (body as { error?: { code?: string } }).error?.code ?? ''
}
