import { codePointLength } from '#kit/code-points.ts'
import { lowerBound, partitionPoint } from '#kit/lower-bound.ts'
import { roundTime } from '#kit/round.ts'
import type { CueTally } from '../cue-tally.ts'
import type { RawCue } from './cue.ts'

/** A cue with both its times, in order. */
export interface TimedCue extends RawCue {
  tStart: number
  tEnd: number
}

/**
 * A cue that begins at most this many seconds late is nearly in its place, as subtitles of two
 * speakers often are.
 */
const nearS = 10
/**
 * How much room the neighbours must leave for a cue whose own start is certainly wrong, in seconds.
 */
const roomS = 0.2
/**
 * Slower than anybody speaks, in characters per second; a third of that for scripts whose signs are
 * syllables or words.
 */
const slowestPerS = 5

/**
 * Repairs times that can only have been meant one way, drops cues that cannot be repaired, and
 * counts both. Returns the cues by start.
 *
 * A start is wrong if it does not fit into the longest run of starts that do not go back. An end
 * that is missing, or not after its start, becomes the start of the next cue, unless the text would
 * be shown longer than anybody takes to say it.
 */
export function repairTimes(cues: readonly RawCue[], tally: CueTally): TimedCue[] {
  const started = cues.filter((cue): cue is RawCue & { tStart: number } => cue.tStart !== null)
  const placed = sortCues(placeStrays(started, tally), tally)
  const ended: TimedCue[] = []
  for (const [i, cue] of placed.entries()) {
    const span = spanOf(cue, ended.at(-1)?.tEnd ?? 0, placed[i + 1]?.tStart, tally)
    if (span) ended.push({ ...cue, ...span })
  }
  return cutOverlaps(ended, tally)
}

/**
 * Cues whose start is far off are put where the file has them, if exactly one fits between the
 * neighbours.
 */
function placeStrays<T extends RawCue & { tStart: number }>(cues: readonly T[], tally: CueTally): T[] {
  const inOrder = longestOrdered(cues.map((cue) => cue.tStart))
  if (inOrder.size === cues.length) return [...cues]
  const places = [...inOrder].sort((a, b) => a - b)
  const kept: T[] = []
  for (const [i, cue] of cues.entries()) {
    const placed = inOrder.has(i) ? cue : placeStray(cues, i, places, tally)
    if (placed) kept.push(placed)
    else tally.drop('out of place')
  }
  return kept
}

/**
 * Puts the cue at `i` between its neighbours among those in order, whose places are `inOrder`; null
 * if it does not fit.
 */
function placeStray<T extends RawCue & { tStart: number }>(
  cues: readonly T[],
  i: number,
  inOrder: readonly number[],
  tally: CueTally,
): T | null {
  const next = lowerBound(inOrder, i)
  const before = inOrder[next - 1] ?? null
  const after = inOrder[next] ?? null
  const from = before === null ? 0 : cues[before]!.tStart
  const until = after === null ? Infinity : cues[after]!.tStart
  const cue = cues[i]!
  if (cue.tStart > from - nearS && cue.tStart < until + nearS) return cue
  const alone = (before ?? -1) === i - 1 && (after ?? cues.length) === i + 1
  const free = before === null ? 0 : Math.max(from, Math.min(cues[before]!.tEnd ?? from, until))
  if (!alone || cue.anchors) return null
  if (after === null) {
    tally.repair('start out of place: moved after the previous cue')
    return { ...cue, tStart: free, tEnd: roundTime(free + longestS(cue)) }
  }
  if (until - free < roomS) return null
  tally.repair('start out of place: moved before the next cue')
  return { ...cue, tStart: roundTime(Math.max(free, until - longestS(cue))), tEnd: until }
}

/** The places of a longest run of numbers that do not go back (patience sorting). */
function longestOrdered(numbers: readonly number[]): Set<number> {
  const tails: number[] = []
  const previous: number[] = []
  for (const [i, value] of numbers.entries()) {
    const length = partitionPoint(0, tails.length, (tail) => numbers[tails[tail]!]! <= value)
    previous[i] = length > 0 ? tails[length - 1]! : -1
    tails[length] = i
  }
  const places = new Set<number>()
  for (let at = tails.at(-1) ?? -1; at >= 0; at = previous[at]!) places.add(at)
  return places
}

function sortCues<T extends { tStart: number }>(cues: readonly T[], tally: CueTally): T[] {
  const late = cues.filter((cue, i) => i > 0 && cue.tStart < cues[i - 1]!.tStart).length
  tally.repair('starts out of order: sorted', late)
  return late === 0 ? [...cues] : cues.toSorted((a, b) => a.tStart - b.tStart)
}

/** The repaired times of a cue; null, with the cue dropped, if they cannot be known. */
function spanOf(
  cue: RawCue & { tStart: number },
  lastEnd: number,
  next: number | undefined,
  tally: CueTally,
): { tStart: number; tEnd: number } | null {
  const { tStart, tEnd } = cue
  if (tEnd !== null && tEnd > tStart) return { tStart, tEnd }
  const latest = roundTime(tStart + longestS(cue))
  const lastAnchor = cue.anchors?.at(-1)?.time ?? tStart
  const until = Math.max(next === undefined ? latest : Math.min(next, latest), lastAnchor)
  if (until > tStart) {
    tally.repair(lateEnd(tStart, tEnd))
    return { tStart, tEnd: until }
  }
  if (tEnd === tStart || tEnd === null) return { tStart, tEnd: tStart }
  if (tEnd >= lastEnd) {
    tally.repair('end before start: swapped')
    return { tStart: tEnd, tEnd: tStart }
  }
  tally.drop('ends before it starts')
  return null
}

function lateEnd(tStart: number, tEnd: number | null): string {
  if (tEnd === null) return 'end missing: set to the next cue'
  return tEnd < tStart ? 'end before start: set to the next cue' : 'zero length: set to the next cue'
}

/** How long a text may take to say. */
function longestS({ text }: RawCue): number {
  const signs =
    text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)?.length ?? 0
  return Math.max(2, (codePointLength(text) + 2 * signs) / slowestPerS)
}

/**
 * If at least half of the cues overlap the next, as in rolling captions, they end where it starts.
 * A few overlaps are two people speaking.
 */
function cutOverlaps(cues: readonly TimedCue[], tally: CueTally): TimedCue[] {
  const overlaps = cues.map((cue, i) => i + 1 < cues.length && cue.tEnd > cues[i + 1]!.tStart + 0.001)
  const count = overlaps.filter(Boolean).length
  if (count < 3 || count * 2 < cues.length - 1) return [...cues]
  return cues.map((cue, i) => {
    const next = cues[i + 1]?.tStart
    const until = Math.max(next ?? 0, cue.anchors?.at(-1)?.time ?? 0)
    if (!overlaps[i] || until <= cue.tStart || until >= cue.tEnd) return cue
    tally.repair('overlap: end set to the next cue')
    return { ...cue, tEnd: until }
  })
}
