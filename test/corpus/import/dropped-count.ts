import type { CueTally } from '#corpus/import/cue-tally.ts'

/** How many cues were dropped, for whatever reason. */
export function droppedCount({ cues }: CueTally): number {
  return Object.values(cues.dropped).reduce((sum, count) => sum + count, 0)
}
