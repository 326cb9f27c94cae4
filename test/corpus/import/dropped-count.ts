import type { CueTally } from '#corpus/import/cue-tally.ts'

/** Returns how many cues were dropped, for any reason. */
export function droppedCount({ cues }: CueTally): number {
  return Object.values(cues.dropped).reduce((sum, count) => sum + count, 0)
}
