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
  const groups = new Groups(found, levelMask)
  const { first, last, before } = groups.ofPage(start, start + limit)
  const end = start + limit - before
  const { clips } = release
  // Whole ids only where their first 32 bits are equal.
  const compare = (a: Hit, b: Hit) =>
    a.idBeginning - b.idBeginning || (clips.clipId(a.row) < clips.clipId(b.row) ? -1 : 1)
  const inOrder = groups.hitsOf(first, last).flatMap((hits) => smallest(end, hits, compare))
  return { hits: inOrder.slice(start - before, end), totalCount: groups.totalCount }
}

/** Clips of one level and count form a group. Groups are numbered in the order of the page. */
class Groups {
  totalCount = 0
  readonly #found: readonly Found[]
  readonly #mostCount: number
  /** By group: how many clips it has; 0 at levels that are not wanted. */
  readonly #sizes: Uint32Array

  constructor(found: readonly Found[], levelMask: number) {
    const most = found.reduce((sofar, { mostCount }) => Math.max(sofar, mostCount), 0)
    const sizes = new Uint32Array(levels.length * most)
    for (const { clips, counts, keys } of found) {
      const levelOf = keys.levels
      for (let i = 0; i < clips.length; i++) sizes[levelOf[clips[i]!]! * most + most - counts[i]!]!++
    }
    for (const level of levels.keys())
      if (((levelMask >> level) & 1) === 0) sizes.fill(0, level * most, (level + 1) * most)
    for (let i = 0; i < sizes.length; i++) this.totalCount += sizes[i]!
    this.#found = found
    this.#mostCount = most
    this.#sizes = sizes
  }

  /** The groups `first … last` that a page touches, and how many clips come before the first. */
  ofPage(start: number, end: number): { first: number; last: number; before: number } {
    const sizes = this.#sizes
    let first = 0
    let before = 0
    while (first < sizes.length && before + sizes[first]! <= start) before += sizes[first++]!
    let last = first
    for (let at = before; last < sizes.length && at < end; last++) at += sizes[last]!
    return { first, last, before }
  }

  /** The clips of the groups `first … last`, group by group. */
  hitsOf(first: number, last: number): Hit[][] {
    const hits = Array.from({ length: last - first }, (): Hit[] => [])
    const [most, sizes] = [this.#mostCount, this.#sizes]
    for (const [segment, { clips, counts, keys, segment: of }] of this.#found.entries()) {
      const levelOf = keys.levels
      for (let place = 0; place < clips.length; place++) {
        const clip = clips[place]!
        const group = levelOf[clip]! * most + most - counts[place]!
        if (group >= first && group < last && sizes[group]! > 0)
          hits[group - first]!.push({
            segment,
            place,
            row: keys.base + of.ordinal(clip),
            idBeginning: keys.ids[clip]!,
          })
      }
    }
    return hits
  }
}
