import type { ErrorBody, ErrorCode } from '#contract/errors.ts'
import type { OperationId } from '#contract/operations.ts'
import { siteInput, type RecordedAnswer, type Recording } from '#site/build/site-input.ts'

/** Returns a recording of an operation; the first is the simplest. @throws {Error} there is none */
export function recordingOf(operation: OperationId, index = 0): Recording {
  const recordings = siteInput().recordings.filter((recording) => recording.operation === operation)
  const recording = recordings[index]
  if (!recording) throw new Error(`no recording ${index} of ${operation}: the release has no example of it`)
  return recording
}

/** Returns a recorded error with a code, of this operation if there is one. */
export function refusalOf(code: ErrorCode, operation?: OperationId): RecordedAnswer | undefined {
  const refusals = siteInput().refusals.filter(({ body }) => (body as ErrorBody).error.code === code)
  return refusals.find((refusal) => refusal.operation === operation) ?? refusals[0]
}

/** Returns a record as text. A comment replaces the items of a list after the first `keep`. */
export function renderExcerpt(body: unknown, keep: number): string {
  const cut = (_name: string, value: unknown): unknown =>
    Array.isArray(value) && value.length > keep && typeof value[0] === 'object'
      ? [...(value as unknown[]).slice(0, keep), `\u0000${value.length - keep}`]
      : value
  return compact(JSON.stringify(body, cut, 2)).replace(/"\\u0000(\d+)"/g, '// … and $1 more')
}

/** Puts small records on one line. */
function compact(json: string): string {
  return json.replace(/\{\n([^{}[\]]*?)\n\s*\}/g, (whole, inner: string) => {
    const line = `{ ${inner.trim().replace(/\n\s*/g, ' ')} }`
    return line.length <= 72 ? line : whole
  })
}
