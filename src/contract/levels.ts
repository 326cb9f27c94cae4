import { z } from 'zod'

/** The six levels of the Common European Framework of Reference, easiest first. */
export const levels = ['A1', 'A2', 'B1', 'B2', 'C1', 'C2'] as const
export type Level = (typeof levels)[number]

export const levelSchema = z
  .enum(levels, { error: () => `must be one of ${levels.join(', ')}` })
  .meta({ id: 'Level', description: 'CEFR level. A1 is the easiest.', example: 'A2' })

export function isLevel(text: string): text is Level {
  return levels.some((level) => level === text)
}

/** Returns the rank of a level: 0 for A1 to 5 for C2. */
export function levelRank(level: Level): number {
  return levels.indexOf(level)
}

/**
 * Returns the band of a level: the next level, whose words are worth learning. C2 is its own band.
 */
export function bandOf(level: Level): Level {
  return levels[Math.min(levelRank(level) + 1, levels.length - 1)]!
}

/** The levels that can be a band: A2 to C2. */
export const bands: readonly Level[] = [...new Set(levels.map(bandOf))]

/** Returns a set of levels as a bit mask; bit 0 is A1. */
export function levelMask(list: readonly Level[]): number {
  return list.reduce((mask, level) => mask | (1 << levelRank(level)), 0)
}
