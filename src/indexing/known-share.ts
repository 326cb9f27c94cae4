import { levelRank, levels, type Level } from '#contract/levels.ts'
import { share } from '#kit/round.ts'

/**
 * How many of a clip's indexed tokens a learner of a level knows: a share from 0 to 1, 2 decimals,
 * halves up (contract 1.5).
 *
 * `tokensByLevel` counts the indexed tokens by the level of their easiest word, A1 to C2.
 */
export function knownShare(tokensByLevel: readonly number[], level: Level): number {
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)
  return share(sum(tokensByLevel.slice(0, levelRank(level) + 1)), sum(tokensByLevel), 2)
}

/** `knownShare` for each level, A1 to C2, in hundredths. */
export function sharesByLevel(tokensByLevel: readonly number[]): number[] {
  return levels.map((level) => Math.round(knownShare(tokensByLevel, level) * 100))
}
