import type { Segment } from '#release/sentences/reader.ts'

/** A segment to merge: one of the previous release, or a new one. */
export interface MergeSource {
  segment: Segment
  /** The folder that its files are in. */
  folder: string
  liveClips: number
  /** About how many of its tokens are live. */
  weight: number
}

/** A segment with a larger share of deleted clips is written again. */
const maxGoneShare = 1 / 4

/**
 * Chooses what is merged: all new segments, those that have lost many clips, and those that are at
 * most twice as large as all of that, the smallest first, while there is room.
 */
export function chooseMerged(
  made: readonly MergeSource[],
  before: readonly MergeSource[],
  maxTokens: number,
): MergeSource[] {
  const isWorn = ({ segment, liveClips }: MergeSource) => liveClips < segment.clipCount * (1 - maxGoneShare)
  const merged = [...before.filter(isWorn), ...made]
  let weight = merged.reduce((sum, source) => sum + source.weight, 0)
  for (const source of before.toSorted((a, b) => a.weight - b.weight)) {
    if (merged.includes(source)) continue
    if (weight === 0 || source.weight > 2 * weight || weight + source.weight > maxTokens) break
    merged.unshift(source)
    weight += source.weight
  }
  return merged
}

/** Groups neighbours that fit into one segment. */
export function groupsOf(sources: readonly MergeSource[], maxTokens: number): MergeSource[][] {
  const groups: MergeSource[][] = []
  let room = 0
  for (const source of sources) {
    // Clips in which nothing is said weigh nothing.
    if (groups.length === 0 || source.weight > room) {
      groups.push([])
      room = maxTokens
    }
    groups.at(-1)!.push(source)
    room -= source.weight
  }
  return groups
}
