import { levels } from '#contract/levels.ts'
import { smallest } from '#kit/smallest.ts'
import type { Release } from '#release/release.ts'
import type { Found } from './search.ts'

/** A clip that matches. */
export interface Hit {
  segmentMatch: Found
  /** The clip's number in the segment, and its row. */
  clip: number
  row: number
}

/**
 * Returns the clips `start … start + limit` at the given levels, by level, then by count
 * descending, then by clip id, and the number of clips on all pages.
 *
 * Clips are grouped by level and count first, so that only the groups on the page are collected and
 * sorted: a word in 90,000 clips has about a hundred groups.
 */
export function rankPage(
  all: readonly Found[],
  { clips }: Release,
  { levelMask, start, limit }: { levelMask: number; start: number; limit: number },
): { hits: Hit[]; totalCount: number } {
  const most = all.reduce((most, { counts }) => counts.reduce((a, b) => Math.max(a, b), most), 0)
  const firstRowOf = ({ segment: { entry } }: Found) =>
    clips.rangeOf(entry.language).base + entry.firstOrdinal
  const groupOf = (row: number, count: number) => clips.level(row) * most + most - count
  const sizes = new Uint32Array(levels.length * most)
  for (const segmentMatch of all) {
    const firstRow = firstRowOf(segmentMatch)
    const { clips: clipNumbers, counts } = segmentMatch
    for (let i = 0; i < clipNumbers.length; i++) sizes[groupOf(firstRow + clipNumbers[i]!, counts[i]!)]!++
  }
  for (const level of levels.keys())
    if (((levelMask >> level) & 1) === 0) sizes.fill(0, level * most, (level + 1) * most)

  let [first, before] = [0, 0]
  while (first < sizes.length && before + sizes[first]! <= start) before += sizes[first++]!
  let last = first
  for (let at = before; last < sizes.length && at < start + limit; last++) at += sizes[last]!
  const groups = Array.from({ length: last - first }, (): Hit[] => [])
  for (const segmentMatch of all) {
    const firstRow = firstRowOf(segmentMatch)
    const { clips: clipNumbers, counts } = segmentMatch
    for (let i = 0; i < clipNumbers.length; i++) {
      const clip = clipNumbers[i]!
      const row = firstRow + clip
      const group = groupOf(row, counts[i]!)
      if (group < first || group >= last || sizes[group] === 0) continue
      groups[group - first]!.push({ segmentMatch, clip, row })
    }
  }
  // Whole ids are read only if their first 32 bits are equal.
  const idOf = ({ segmentMatch, clip }: Hit) => segmentMatch.segment.ids[clip]!
  const compare = (a: Hit, b: Hit) =>
    idOf(a) - idOf(b) || (clips.clipId(a.row) < clips.clipId(b.row) ? -1 : 1)
  const end = start + limit - before
  const inOrder = groups.flatMap((group) => smallest(end, group, compare))
  return {
    hits: inOrder.slice(start - before, end),
    totalCount: sizes.reduce((sum, size) => sum + size, 0),
  }
}
