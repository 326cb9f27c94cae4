import { z } from 'zod'
import { dateSchema } from './dates.ts'
import { countSchema, recordSchema } from './record.ts'

/** The response to GET /usage. */
export const usageSchema = recordSchema('Usage', {
  plan: z.string(),
  periodStart: dateSchema,
  periodEnd: dateSchema,
  requests: countSchema,
  limit: countSchema.nullable(),
  rateLimitPerMinute: z.int().min(1),
})
export type Usage = z.infer<typeof usageSchema>
