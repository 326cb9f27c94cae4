import type { QuotaState } from '#metering/store.ts'
import { toUsage } from '#metering/usage.ts'
import { textBody } from '../http/body.ts'
import type { Answer } from '../http/handler.ts'

/** GET /usage (spec 4.4). */
export function answerUsage(quota: QuotaState): Answer {
  return { body: textBody(JSON.stringify(toUsage(quota))) }
}
