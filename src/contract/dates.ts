import { z } from 'zod'

/** A point in time in the API: `YYYY-MM-DDTHH:mm:ss.sssZ`. */
export const dateSchema = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  .meta({ format: 'date-time', example: '2026-03-01T04:00:00.000Z' })

/** Formats milliseconds since the epoch as `YYYY-MM-DDTHH:mm:ss.sssZ`. */
export function toDate(ms: number): string {
  return new Date(ms).toISOString()
}
