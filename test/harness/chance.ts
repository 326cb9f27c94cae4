import { seededRandom } from '#kit/seeded-random.ts'

/** A random number generator that depends only on its seed. */
export class Chance {
  /** Returns a number from 0 up to but not including 1. */
  readonly next: () => number

  constructor(seed: number) {
    this.next = seededRandom(seed)
  }

  /** Returns a whole number from 0 up to but not including `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end)
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!
  }

  /** Returns true in this share of all calls. */
  happens(share: number): boolean {
    return this.next() < share
  }
}
