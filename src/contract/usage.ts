import { z } from 'zod'
import { dateSchema } from './dates.ts'

/** The answer of GET /usage (spec 2). */
export const usageSchema = z
  .strictObject({
    plan: z.string().meta({ example: 'trial' }),
    periodStart: dateSchema,
    periodEnd: dateSchema.meta({ description: 'The time at which the count resets.' }),
    requests: z
      .int()
      .min(0)
      .meta({ description: "Look-ups counted in the period, across all of the account's keys.", example: 7 }),
    limit: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: 'Look-ups allowed in the period. Null if the plan has no quota.', example: 20 }),
    rateLimitPerMinute: z.int().min(1).meta({ example: 60 }),
  })
  .meta({ id: 'Usage' })
export type Usage = z.infer<typeof usageSchema>
