import type { Account } from '#importing/account.ts'

/** How many cues were dropped, for whatever reason. */
export function droppedCount({ dropped }: Account): number {
  return Object.values(dropped).reduce<number>((sum, count) => sum + (count ?? 0), 0)
}
