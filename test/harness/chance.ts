import { seededRandom } from '#kit/seeded-random.ts'

/** A source of chance that gives the same again for the same seed. */
export class Chance {
  /** From 0 up to but not including 1. */
  readonly next: () => number

  constructor(seed: number) {
    this.next = seededRandom(seed)
  }

  /** A whole number from 0 up to but not including `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end)
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!
  }

  /** True in this share of all cases. */
  happens(share: number): boolean {
    return this.next() < share
  }
}
