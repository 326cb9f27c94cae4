import { expect } from 'vitest'

/** A page of a walk through the feed. */
export type WalkPage = {
  clipIds: string[]
  limit: number
  /** Whether there was a cursor to go on with. */
  isIncremental: boolean
  /**
   * What the page leaves out: the clips that its request excludes, and those that are withdrawn.
   */
  leftOut: ReadonlySet<string>
}

/**
 * Holds a walk, page by page, against the order of its shuffle: "pages laid end to end are that
 * list less the excluded clips: no clip twice, none missing".
 *
 * A clip left out by the page that passes it is gone from the walk. A page passes the clips up to
 * its last one, and may pass those right behind, up to the next that it does not leave out; a page
 * that still leaves a clip ahead out does not keep it from a later one.
 */
export class WalkCheck {
  readonly #order: readonly string[]
  /** Behind the last clip that was served. */
  #after = 0
  /** The last page left out all from there up to this one: they may be passed. */
  #passed = 0

  constructor(order: readonly string[]) {
    this.#order = order
  }

  take({ clipIds, limit, isIncremental, leftOut }: WalkPage): void {
    for (const clipId of clipIds) {
      expect(leftOut).not.toContain(clipId)
      const place = this.#order.indexOf(clipId)
      expect(place).toBeGreaterThanOrEqual(this.#after) // in order, and none twice
      expect(this.#missing(place, leftOut)).toEqual([])
      this.#after = place + 1
    }
    const ahead = this.#missing(this.#order.length, leftOut)
    if (isIncremental) expect(clipIds).toHaveLength(limit)
    expect(clipIds.length).toBeLessThanOrEqual(limit)
    expect(isIncremental).toBe(ahead.length > 0)
    this.#passed = isIncremental ? this.#order.indexOf(ahead[0]!) : this.#order.length
  }

  /** The clips from where the walk stands up to a place which a page should have served. */
  #missing(place: number, leftOut: ReadonlySet<string>): string[] {
    const from = Math.max(this.#after, this.#passed)
    return this.#order.slice(from, place).filter((clipId) => !leftOut.has(clipId))
  }
}
