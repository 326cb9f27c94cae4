/**
 * The first 8 bytes of every 64th suffix of a language, as two words: so few that they stay in the processor's caches, where the suffixes themselves and their
 * texts are two misses a step. A text is sought among them first.
 */

const step = 64
/** How many bytes of a text they tell. */
const keyBytes = 8

/** The samples of sorted suffixes of a text. */
export function sampleSuffixes(text: Uint8Array, sorted: Uint32Array): Uint32Array<ArrayBuffer> {
  const samples = new Uint32Array(sampleCount(sorted.length) * 2)
  for (let i = 0; i < sorted.length; i += step) {
    const from = sorted[i]!
    let to = from
    while (to < from + keyBytes && text[to]! > 0) to++
    const suffix = text.subarray(from, to)
    samples[(i / step) * 2] = keyOf(suffix, 0, 0)
    samples[(i / step) * 2 + 1] = keyOf(suffix, 4, 0)
  }
  return samples
}

export function sampleCount(suffixes: number): number {
  return Math.ceil(suffixes / step)
}

/** Where among so many suffixes a text can begin to stand, and where it can end. `samples[first …)` are theirs. */
export function sampledBounds(
  samples: Uint32Array,
  first: number,
  count: number,
  text: Uint8Array,
): { begin: [from: number, to: number]; end: [from: number, to: number] } {
  const all = sampleCount(count)
  const at = bisect(samples, first, 0, all, keyOf(text, 0, 0), keyOf(text, 4, 0), false)
  const [high, low] = [keyOf(text, 0, 255), keyOf(text, 4, 255)]
  // Most texts stand in so few places that no sample is of them.
  const isOver = at === all || isAbove(samples, first + at, high, low)
  const behind = isOver ? at : bisect(samples, first, at, all, high, low, true)
  const before = (sample: number) => Math.max(0, (sample - 1) * step)
  const until = (sample: number) => Math.min(count, sample * step)
  // The samples tell only the beginning of a longer text: it is somewhere between.
  return text.length > keyBytes
    ? { begin: [before(at), until(behind)], end: [before(at), until(behind)] }
    : { begin: [before(at), until(at)], end: [before(behind), until(behind)] }
}

function isAbove(samples: Uint32Array, sample: number, high: number, low: number): boolean {
  const difference = samples[sample * 2]! - high
  return difference === 0 ? samples[sample * 2 + 1]! > low : difference > 0
}

/** Four bytes of a text as a number that sorts as they do; `fill` where it is shorter. */
function keyOf(text: Uint8Array, at: number, fill: number): number {
  let key = 0
  for (let i = at; i < at + 4; i++) key = key * 256 + (i < text.length ? text[i]! : fill)
  return key
}

/** The first of the samples `from … to` that is not below the key; with `behind`, the first above it. */
function bisect(
  samples: Uint32Array,
  first: number,
  from: number,
  to: number,
  high: number,
  low: number,
  behind: boolean,
): number {
  while (from < to) {
    const middle = (from + to) >> 1
    const at = (first + middle) * 2
    const difference = samples[at]! - high || samples[at + 1]! - low
    if (difference < 0 || (behind && difference === 0)) from = middle + 1
    else to = middle
  }
  return from
}
