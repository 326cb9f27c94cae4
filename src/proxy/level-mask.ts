import { levels, type Level } from '#contract/levels.ts'

/** A set of levels as a number, for cursors: bit 0 is A1. */
export function levelMask(list: readonly Level[]): number {
  return levels.reduce((mask, level, i) => mask | (list.includes(level) ? 1 << i : 0), 0)
}

export function levelsOfMask(mask: number): Level[] {
  return levels.filter((_, i) => mask & (1 << i))
}
