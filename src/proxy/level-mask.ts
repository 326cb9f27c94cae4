import { levels, type Level } from '#contract/levels.ts'

/** A set of levels as a number: bit 0 is A1. */
export function levelMask(list: readonly Level[]): number {
  return levels.reduce((mask, level, i) => mask | (list.includes(level) ? 1 << i : 0), 0)
}
