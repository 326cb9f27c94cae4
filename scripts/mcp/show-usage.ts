import type { ClipLookup } from '#client/clip-lookup.ts'

/** Shows how many look-ups are left, and until when. This call is free. */
export async function showUsageText(client: ClipLookup): Promise<string> {
  const { plan, requests, limit, periodEnd, rateLimitPerMinute } = await client.getUsage()
  const lookUps = limit === null ? `${requests} look-ups (no limit)` : `${requests} of ${limit} look-ups`
  return `Plan ${plan}: ${lookUps} used in the period that ends at ${periodEnd}. At most ${rateLimitPerMinute} requests a minute.`
}
