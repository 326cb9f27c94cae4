import { expect } from 'vitest'

/** A page of a walk through the feed. */
export type WalkPage = {
  clipIds: string[]
  limit: number
  /** Whether there was a cursor. */
  isIncremental: boolean
  /** The clips that the page excludes: those in its request, and withdrawn ones. */
  leftOut: ReadonlySet<string>
}

/**
 * Compares a walk, page by page, with the order of its shuffle: "pages laid end to end are that
 * list less the excluded clips: no clip twice, none missing".
 *
 * A clip that is excluded by the page that passes it is not in the walk. A page passes the clips up
 * to its last one, and may pass those directly after it, up to the next one that it does not
 * exclude. A page that excludes a clip further ahead does not remove it from a later one.
 */
export class WalkCheck {
  readonly #order: readonly string[]
  /** The position after the last clip that was returned. */
  #after = 0
  /** The last page excluded all clips from there up to this one, so they may be passed. */
  #passed = 0

  constructor(order: readonly string[]) {
    this.#order = order
  }

  take({ clipIds, limit, isIncremental, leftOut }: WalkPage): void {
    for (const clipId of clipIds) {
      expect(leftOut).not.toContain(clipId)
      const place = this.#order.indexOf(clipId)
      expect(place).toBeGreaterThanOrEqual(this.#after) // In order, and each only once.
      expect(this.#missing(place, leftOut)).toEqual([])
      this.#after = place + 1
    }
    const ahead = this.#missing(this.#order.length, leftOut)
    if (isIncremental) expect(clipIds).toHaveLength(limit)
    expect(clipIds.length).toBeLessThanOrEqual(limit)
    expect(isIncremental).toBe(ahead.length > 0)
    this.#passed = isIncremental ? this.#order.indexOf(ahead[0]!) : this.#order.length
  }

  /** Returns the clips between the walk's position and another that a page should have returned. */
  #missing(place: number, leftOut: ReadonlySet<string>): string[] {
    const from = Math.max(this.#after, this.#passed)
    return this.#order.slice(from, place).filter((clipId) => !leftOut.has(clipId))
  }
}
