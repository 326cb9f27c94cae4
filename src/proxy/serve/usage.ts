import { toUsage } from '#metering/usage.ts'
import { jsonBody } from '../http/body.ts'
import type { Handler } from '../http/handler.ts'

/** GET /usage (spec 4.4). */
export const usage: Handler<object> = {
  answer: (_, { quota }) => jsonBody(toUsage(quota!)),
  isRepeatable: () => false,
  needsNoRelease: true,
}
