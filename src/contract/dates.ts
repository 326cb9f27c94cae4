import { z } from 'zod'

/** An instant as the API writes it: `YYYY-MM-DDTHH:mm:ss.sssZ`. */
export const dateSchema = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  .meta({ format: 'date-time', example: '2026-03-01T04:00:00.000Z' })

/** Milliseconds since the epoch → `YYYY-MM-DDTHH:mm:ss.sssZ`. */
export function toDate(ms: number): string {
  return new Date(ms).toISOString()
}
