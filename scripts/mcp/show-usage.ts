import type { CallOptions } from '#client/call-options.ts'
import type { Operations } from '#client/operations.ts'

/** Shows how many look-ups are left, and until when. This call is free. */
export async function showUsageText(client: Operations, _: object, options: CallOptions): Promise<string> {
  const { plan, requests, limit, periodEnd, rateLimitPerMinute } = await client.getUsage({}, options)
  const lookUps = limit === null ? `${requests} look-ups (no limit)` : `${requests} of ${limit} look-ups`
  return `Plan ${plan}: ${lookUps} used in the period that ends at ${periodEnd}. At most ${rateLimitPerMinute} requests a minute.`
}
