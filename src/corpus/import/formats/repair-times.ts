import { codePointLength } from '#kit/code-points.ts'
import { lowerBound, partitionPoint } from '#kit/lower-bound.ts'
import { roundTime } from '#kit/round.ts'
import type { CueTally } from '../cue-tally.ts'
import type { RawCue } from './cue.ts'

/** A cue with both its times, in order. */
export interface TimedCue extends RawCue {
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
 * Cues whose start is far off are put where the file has them, if exactly one fits between its
 * neighbours among those in order, and dropped otherwise.
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

/** The places of a longest run of numbers that do not go back, ascending (patience sorting). */
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

/** A cue with an end; null if it cannot be known. */
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
    if (!overlaps[i]) return cue
    const until = Math.max(cues[i + 1]!.tStart, cue.anchors.at(-1)?.time ?? 0)
    if (until <= cue.tStart || until >= cue.tEnd) return cue
    tally.repair('overlap: end set to the next cue')
    return { ...cue, tEnd: until }
  })
}
