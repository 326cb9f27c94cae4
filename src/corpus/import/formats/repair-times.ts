import { codePointLength } from '#kit/code-points.ts'
import { lowerBound, partitionPoint } from '#kit/lower-bound.ts'
import { roundTime } from '#kit/round.ts'
import type { CueTally } from '../cue-tally.ts'
import type { RawCue } from './cue.ts'

/** A cue with both its times, in order. */
export interface TimedCue extends RawCue {
  tEnd: number
}

/** The most seconds by which a late start is nearly in its place, as with two speakers. */
const nearS = 10
/** The space between neighbours, in seconds, for a cue whose own start is certainly wrong. */
const roomS = 0.2
/**
 * A rate in characters per second that is slower than anyone speaks. In East Asian scripts, a third
 * of it applies.
 */
const slowestPerS = 5

/**
 * Repairs times that can have only one meaning, drops cues that cannot be repaired, and counts
 * both. Returns the cues ordered by start.
 *
 * A start is wrong if it does not belong to the longest non-decreasing sequence of starts. An end
 * that is missing, or not after its start, becomes the start of the next cue, unless the text would
 * be shown for longer than anyone takes to say it.
 */
export function repairTimes(cues: readonly RawCue[], tally: CueTally): TimedCue[] {
  const cuesInOrder = placeStrays(cues, tally)
  const late = cuesInOrder.filter((cue, i) => i > 0 && cue.tStart < cuesInOrder[i - 1]!.tStart).length
  tally.repair('starts out of order: sorted', late)
  cuesInOrder.sort((a, b) => a.tStart - b.tStart)
  const repairedCues: TimedCue[] = []
  for (const [i, cue] of cuesInOrder.entries()) {
    const timedCue = repairEnd(cue, repairedCues.at(-1)?.tEnd ?? 0, cuesInOrder[i + 1]?.tStart, tally)
    if (timedCue) repairedCues.push(timedCue)
    else tally.drop('ends before it starts')
  }
  return cutOverlaps(repairedCues, tally)
}

/**
 * Moves a cue whose start is far off to its place in the file if it fits there alone between its
 * ordered neighbours, and drops it otherwise.
 */
function placeStrays(cues: readonly RawCue[], tally: CueTally): RawCue[] {
  const inOrder = longestOrdered(cues.map((cue) => cue.tStart))
  return cues.flatMap((cue, i) => {
    const next = lowerBound(inOrder, i)
    if (inOrder[next] === i) return [cue]
    const [before, after] = [inOrder[next - 1] ?? -1, inOrder[next] ?? cues.length]
    const from = cues[before]?.tStart ?? 0
    const until = cues[after]?.tStart ?? Infinity
    if (cue.tStart > from - nearS && cue.tStart < until + nearS) return [cue]
    const isAlone = after - before === 2 && cue.anchors.length === 0
    const free = Math.max(from, Math.min(cues[before]?.tEnd ?? from, until))
    if (isAlone && after === cues.length) {
      tally.repair('start out of place: moved after the previous cue')
      return [{ ...cue, tStart: free, tEnd: roundTime(free + longestS(cue)) }]
    }
    if (isAlone && until - free >= roomS) {
      tally.repair('start out of place: moved before the next cue')
      return [{ ...cue, tStart: roundTime(Math.max(free, until - longestS(cue))), tEnd: until }]
    }
    tally.drop('out of place')
    return []
  })
}

/** Returns the indexes of a longest non-decreasing subsequence, ascending (patience sorting). */
function longestOrdered(numbers: readonly number[]): number[] {
  const tails: number[] = []
  const previous: number[] = []
  for (const [i, value] of numbers.entries()) {
    const length = partitionPoint(0, tails.length, (tail) => numbers[tails[tail]!]! <= value)
    previous[i] = length > 0 ? tails[length - 1]! : -1
    tails[length] = i
  }
  const places: number[] = []
  for (let at = tails.at(-1) ?? -1; at >= 0; at = previous[at]!) places.push(at)
  return places.reverse()
}

/** Returns a cue with an end; null if it cannot be determined. */
function repairEnd(cue: RawCue, lastEnd: number, next: number | undefined, tally: CueTally) {
  const { tStart, tEnd } = cue
  if (tEnd !== null && tEnd > tStart) return { ...cue, tEnd }
  const latest = roundTime(tStart + longestS(cue))
  const until = Math.max(Math.min(next ?? latest, latest), cue.anchors.at(-1)?.time ?? tStart)
  if (until > tStart) {
    const problem = tEnd === tStart ? 'zero length' : 'end before start'
    tally.repair(`${tEnd === null ? 'end missing' : problem}: set to the next cue`)
    return { ...cue, tEnd: until }
  }
  if (tEnd === tStart || tEnd === null) return { ...cue, tEnd: tStart }
  if (tEnd < lastEnd) return null
  tally.repair('end before start: swapped')
  return { ...cue, tStart: tEnd, tEnd: tStart }
}

/** Returns the longest time that a text may take to say. */
function longestS({ text }: RawCue): number {
  const signs =
    text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)?.length ?? 0
  return Math.max(2, (codePointLength(text) + 2 * signs) / slowestPerS)
}

/**
 * If at least half of the cues overlap the next one, as in rolling captions, cuts them where it
 * starts. A few overlaps are two people speaking.
 */
function cutOverlaps(cues: readonly TimedCue[], tally: CueTally): TimedCue[] {
  const overlaps = cues.map((cue, i) => i + 1 < cues.length && cue.tEnd > cues[i + 1]!.tStart + 0.001)
  const count = overlaps.filter(Boolean).length
  if (count < 3 || count * 2 < cues.length - 1) return [...cues]
  return cues.map((cue, i) => {
    if (!overlaps[i]) return cue
    const until = Math.max(cues[i + 1]!.tStart, cue.anchors.at(-1)?.time ?? 0)
    if (until <= cue.tStart || until >= cue.tEnd) return cue
    tally.repair('overlap: end set to the next cue')
    return { ...cue, tEnd: until }
  })
}
