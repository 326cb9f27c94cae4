import type { z } from 'zod'
import { fieldPath } from './problem.ts'

/** A record, or its first fault. */
export type Parsed<T> = { ok: true; value: T } | { ok: false; field?: string; reason: string }

/** Parses a JSON text by a schema. */
export function parseRecord<T>(schema: z.ZodType<T>, text: string): Parsed<T> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { ok: false, reason: `is not JSON: ${(error as Error).message}` }
  }
  return checkRecord(schema, value)
}

/** Checks a JSON value by a schema. */
export function checkRecord<T>(schema: z.ZodType<T>, value: unknown): Parsed<T> {
  const result = schema.safeParse(value, { reportInput: true })
  if (result.success) return { ok: true, value: result.data }
  const issue = result.error.issues[0]!
  const field = fieldPath(issue.path)
  const reason = issue.input === undefined ? 'is missing' : issue.message
  return { ok: false, ...(field === undefined ? {} : { field }), reason }
}
