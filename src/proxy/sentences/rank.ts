import { levels } from '#contract/levels.ts'
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

/**
 * The places `start … start + limit` of the clips at the wanted levels, by level, then by count
 * descending, then by clip id.
 *
 * Clips are counted by level and count first, so that only the groups that the page touches are
 * gathered and sorted: a word said in 90,000 clips has some hundred groups.
 */
export function rankPage(
  { rows, counts }: Found,
  clips: ClipTable,
  { levelMask, start, limit }: { levelMask: number; start: number; limit: number },
): RankedPage {
  const sizes = levels.map((): number[] => [])
  let totalCount = 0
  for (let i = 0; i < rows.length; i++) {
    const level = clips.facets.level(rows[i]!)
    if (((levelMask >> level) & 1) === 0) continue
    sizes[level]![counts[i]!] = (sizes[level]![counts[i]!] ?? 0) + 1
    totalCount++
  }
  const { wanted, before } = groupsOfPage(sizes, start, start + limit)
  for (let i = 0; i < rows.length; i++) wanted[clips.facets.level(rows[i]!)]![counts[i]!]?.push(i)
  const inOrder = wanted.flatMap((groups) =>
    groups.reverse().flatMap((group) => sortedById(group ?? [], rows, clips)),
  )
  return { places: inOrder.slice(start - before, start - before + limit), totalCount }
}

/**
 * An empty group for each level and count that the page touches, and how many clips come before the
 * first of them.
 */
function groupsOfPage(sizes: readonly number[][], start: number, end: number) {
  const wanted = levels.map((): number[][] => [])
  let at = 0
  let before: number | null = null
  for (const [level, byCount] of sizes.entries()) {
    for (let count = byCount.length - 1; count > 0; count--) {
      const size = byCount[count] ?? 0
      if (size > 0 && at < end && at + size > start) {
        wanted[level]![count] = []
        before ??= at
      }
      at += size
    }
  }
  return { wanted, before: before ?? start }
}

function sortedById(group: readonly number[], rows: Uint32Array, clips: ClipTable): number[] {
  const named = group.map((place) => ({ place, clipId: clips.clipId(rows[place]!) }))
  return named.sort((a, b) => (a.clipId < b.clipId ? -1 : 1)).map(({ place }) => place)
}
