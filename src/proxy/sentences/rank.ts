import { levels } from '#contract/levels.ts'
import { sortPairs } from '#kit/sort-pairs.ts'
import type { ClipTable } from '#release/clips/reader.ts'
import type { Found } from './search.ts'

/**
 * A page of what was found: places in its columns, in the order of the contract, and how many clips
 * there are on all pages.
 */
export interface RankedPage {
  places: number[]
  totalCount: number
}

/** Clips of one level and count, numbered in the order of the contract. */
interface Groups {
  /** By place. */
  groupOf: Uint32Array
  /** By group: how many clips it has. Behind the last stand the clips at other levels. */
  sizes: Uint32Array
}

/**
 * The places `start … start + limit` of the clips at the wanted levels, by level, then by count
 * descending, then by clip id.
 *
 * Clips are counted by level and count first, so that only the groups that the page touches are
 * gathered and sorted: a word said in 90,000 clips has some hundred groups.
 */
export function rankPage(
  found: Found,
  clips: ClipTable,
  { levelMask, start, limit }: { levelMask: number; start: number; limit: number },
): RankedPage {
  const { groupOf, sizes } = groupClips(found, clips, levelMask)
  const totalCount = found.rows.length - sizes.at(-1)!
  const { first, last, before } = groupsOfPage(sizes.subarray(0, -1), start, start + limit)
  const groups = Array.from({ length: last - first }, (): number[] => [])
  for (let place = 0; place < groupOf.length; place++) groups[groupOf[place]! - first]?.push(place)
  const inOrder = groups.flatMap((group) => sortedById(group, found.rows, clips))
  return { places: inOrder.slice(start - before, start - before + limit), totalCount }
}

function groupClips({ rows, counts }: Found, clips: ClipTable, levelMask: number): Groups {
  let mostCount = 0
  for (let i = 0; i < counts.length; i++) mostCount = Math.max(mostCount, counts[i]!)
  const groupOf = new Uint32Array(rows.length)
  const sizes = new Uint32Array(levels.length * mostCount + 1)
  for (let i = 0; i < rows.length; i++) {
    const level = clips.facets.level(rows[i]!)
    const isWanted = ((levelMask >> level) & 1) === 1
    const group = isWanted ? level * mostCount + mostCount - counts[i]! : sizes.length - 1
    groupOf[i] = group
    sizes[group]!++
  }
  return { groupOf, sizes }
}

/** The groups `first … last` that a page touches, and how many clips come before the first. */
function groupsOfPage(sizes: Uint32Array, start: number, end: number) {
  let first = 0
  let before = 0
  while (first < sizes.length && before + sizes[first]! <= start) before += sizes[first++]!
  let last = first
  for (let at = before; last < sizes.length && at < end; last++) at += sizes[last]!
  return { first, last, before }
}

/** Sorts by the first 32 bits of the ids, and by whole ids only where those are equal. */
function sortedById(group: readonly number[], rows: Uint32Array, clips: ClipTable): number[] {
  if (group.length < 2) return [...group]
  const pairs = new Uint32Array(group.length * 2)
  for (let i = 0; i < group.length; i++) {
    pairs[i * 2] = group[i]!
    pairs[i * 2 + 1] = clips.clipIdPrefix(rows[group[i]!]!)
  }
  const [beginnings, places] = sortPairs(pairs)
  const isTied = beginnings.some((beginning, i) => i > 0 && beginning === beginnings[i - 1])
  if (!isTied) return [...places]
  const idOf = (place: number) => clips.clipId(rows[place]!)
  return [...places].sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1))
}
