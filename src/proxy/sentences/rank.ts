import { levels } from '#contract/levels.ts'
import { smallest } from '#kit/smallest.ts'
import type { Release } from '#release/release.ts'
import type { Found } from './search.ts'

/** A clip that was found: its row, and its place in the columns of one of the segments. */
export interface Hit {
  row: number
  segment: number
  place: number
  /** The first 32 bits of its id. */
  idBeginning: number
}

/**
 * The clips `start … start + limit` at the wanted levels, by level, then by count descending, then
 * by clip id, and how many clips there are on all pages.
 *
 * Clips are grouped by level and count first, so that only the groups that the page touches are
 * gathered and sorted: a word said in 90,000 clips has some hundred groups.
 */
export function rankPage(
  found: readonly Found[],
  release: Release,
  { levelMask, start, limit }: { levelMask: number; start: number; limit: number },
) {
  const most = found.reduce((sofar, { mostCount }) => Math.max(sofar, mostCount), 0)
  const sizes = groupSizes(found, most, levelMask)
  let first = 0
  let before = 0
  while (first < sizes.length && before + sizes[first]! <= start) before += sizes[first++]!
  let last = first
  for (let at = before; last < sizes.length && at < start + limit; last++) at += sizes[last]!
  const hits = Array.from({ length: last - first }, (): Hit[] => [])
  for (const [segment, { clips, counts, keys, segment: of }] of found.entries()) {
    const levelOf = keys.levels
    for (let place = 0; place < clips.length; place++) {
      const clip = clips[place]!
      const group = levelOf[clip]! * most + most - counts[place]!
      if (group < first || group >= last || sizes[group] === 0) continue
      const row = keys.base + of.ordinal(clip)
      hits[group - first]!.push({ segment, place, row, idBeginning: keys.ids[clip]! })
    }
  }
  const { clips } = release
  // Whole ids only where their first 32 bits are equal.
  const compare = (a: Hit, b: Hit) =>
    a.idBeginning - b.idBeginning || (clips.clipId(a.row) < clips.clipId(b.row) ? -1 : 1)
  const end = start + limit - before
  const inOrder = hits.flatMap((inGroup) => smallest(end, inGroup, compare))
  const totalCount = sizes.reduce((sum, size) => sum + size, 0)
  return { hits: inOrder.slice(start - before, end), totalCount }
}

/**
 * How many clips each group has; 0 at levels that are not wanted. Clips of one level and count form
 * a group. Groups are numbered in the order of the page.
 */
function groupSizes(found: readonly Found[], most: number, levelMask: number): Uint32Array {
  const sizes = new Uint32Array(levels.length * most)
  for (const { clips, counts, keys } of found) {
    const levelOf = keys.levels
    for (let i = 0; i < clips.length; i++) sizes[levelOf[clips[i]!]! * most + most - counts[i]!]!++
  }
  for (const level of levels.keys())
    if (((levelMask >> level) & 1) === 0) sizes.fill(0, level * most, (level + 1) * most)
  return sizes
}
