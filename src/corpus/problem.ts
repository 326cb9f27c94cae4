import type { z } from 'zod'
import { toSentence } from '#kit/to-sentence.ts'

/** A fault of the source corpus, with its place. */
export interface Problem {
  /** The file, relative to the corpus folder. */
  file: string
  /** The line on which the record starts, counted from 1; absent for the whole file. */
  line?: number
  /** The place in the record: `cues[3].tEnd`. */
  field?: string
  /** The fault and what is expected: a clause, whose subject is the field if there is one. */
  reason: string
}

/** Formats a problem: `clips/en.jsonl:12: cues[3].tEnd must not be negative.` */
export function formatProblem({ file, line, field, reason }: Problem): string {
  const sentence = field === undefined ? toSentence(reason) : `${field} ${toSentence(`x ${reason}`).slice(2)}`
  return `${file}${line === undefined ? '' : `:${line}`}: ${sentence}`
}

/** Returns the path of a field, from its keys: `['cues', 3, 'tEnd']` → `cues[3].tEnd`. */
export function fieldPath(keys: readonly PropertyKey[]): string | undefined {
  if (keys.length === 0) return undefined
  return keys
    .map((key, i) => (typeof key === 'number' ? `[${key}]` : (i > 0 ? '.' : '') + String(key)))
    .join('')
}

/** A record, or its first fault. */
export type Parsed<T> = { ok: true; value: T } | { ok: false; field?: string; reason: string }

/** Parses a JSON text by a schema. */
export function parseRecord<T>(schema: z.ZodType<T>, text: string): Parsed<T> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { ok: false, reason: `the record is not valid JSON: ${(error as Error).message}` }
  }
  return checkRecord(schema, value)
}

/** Checks a JSON value by a schema. */
export function checkRecord<T>(schema: z.ZodType<T>, value: unknown): Parsed<T> {
  const result = schema.safeParse(value, { reportInput: true, error: explainType })
  if (result.success) return { ok: true, value: result.data }
  const issue = result.error.issues[0]!
  const field = fieldPath(issue.path)
  const reason = issue.input === undefined ? 'is missing' : issue.message
  return { ok: false, ...(field === undefined ? {} : { field }), reason }
}

/** Returns the message for a value of the wrong type, unless the schema has its own message. */
function explainType(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== 'invalid_type') return undefined
  const subject = issue.path?.length ? '' : 'the record '
  return `${subject}must be ${/^[aeiou]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`
}
