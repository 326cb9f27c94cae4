import type { CueTally } from '#importing/cue-tally.ts'

/** How many cues were dropped, for whatever reason. */
export function droppedCount({ dropped }: CueTally): number {
  return Object.values(dropped).reduce<number>((sum, count) => sum + (count ?? 0), 0)
}
