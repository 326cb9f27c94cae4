import type { ErrorBody, ErrorCode } from '#contract/errors.ts'
import type { OperationId } from '#contract/operations.ts'
import { siteInput, type RecordedAnswer, type Recording } from '#site/build/site-input.ts'

/** One recording of an operation, the plainest first. @throws {Error} the release gave none */
export function recordingOf(operation: OperationId, index = 0): Recording {
  const recordings = siteInput().recordings.filter((recording) => recording.operation === operation)
  const recording = recordings[index]
  if (!recording) throw new Error(`no recording ${index} of ${operation}: the release has no example of it`)
  return recording
}

/** A recorded refusal with a code: of an operation if there is one, else of another. */
export function refusalOf(code: ErrorCode, operation?: OperationId): RecordedAnswer | undefined {
  const refusals = siteInput().refusals.filter(({ body }) => (body as ErrorBody).error.code === code)
  return refusals.find((refusal) => refusal.operation === operation) ?? refusals[0]
}

/** A record as text, its lists cut to `keep` items: a line says how many are left out. */
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
