/**
 * The first 8 bytes of every 64th suffix of a language, as two words: so few that they stay in the
 * processor's caches, where the suffixes themselves and their texts are two misses a step. A text
 * is sought among them first.
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
    samples[(i / step) * 2] = keyOf(suffix, suffix.length, 0, 0)
    samples[(i / step) * 2 + 1] = keyOf(suffix, suffix.length, 4, 0)
  }
  return samples
}

function sampleCount(suffixes: number): number {
  return Math.ceil(suffixes / step)
}

/**
 * The samples of one language: they tell between which of its suffixes a text begins to stand, and
 * ends.
 */
export class SuffixSamples {
  readonly #samples: Uint32Array
  readonly #suffixCount: number

  /** `samples[first …)` are those of so many suffixes. */
  constructor(samples: Uint32Array, first: number, suffixCount: number) {
    this.#samples = samples.subarray(first * 2, (first + sampleCount(suffixCount)) * 2)
    this.#suffixCount = suffixCount
  }

  /** The first sample that is not below the text, which is `length` bytes long. */
  begin(text: Uint8Array, length: number): number {
    const high = keyOf(text, length, 0, 0)
    const low = keyOf(text, length, 4, 0)
    const samples = this.#samples
    let from = 0
    let to = samples.length >> 1
    while (from < to) {
      const middle = (from + to) >> 1
      const sample = samples[middle * 2]!
      if (sample < high || (sample === high && samples[middle * 2 + 1]! < low)) from = middle + 1
      else to = middle
    }
    return from
  }

  /**
   * The first sample from one on that is above all that begin with the text. Most texts stand in so
   * few places that no sample is of them.
   */
  end(text: Uint8Array, length: number, begin: number): number {
    const high = keyOf(text, length, 0, 255)
    const low = keyOf(text, length, 4, 255)
    const samples = this.#samples
    let from = begin
    let to = samples.length >> 1
    for (let middle = from; from < to; middle = (from + to) >> 1) {
      const sample = samples[middle * 2]!
      if (sample < high || (sample === high && samples[middle * 2 + 1]! <= low)) from = middle + 1
      else to = middle
    }
    return from
  }

  /** Whether the samples tell a text of this length whole. */
  tellWhole(length: number): boolean {
    return length <= keyBytes
  }

  /** The first suffix behind the sample before this one. */
  firstBefore(sample: number): number {
    return Math.max(0, (sample - 1) * step)
  }

  /** Behind the last suffix before a sample. */
  endAt(sample: number): number {
    return Math.min(this.#suffixCount, sample * step)
  }
}

/** Four bytes of a text as a number that sorts as they do; `fill` where it is shorter. */
function keyOf(text: Uint8Array, length: number, at: number, fill: number): number {
  let key = 0
  for (let i = at; i < at + 4; i++) key = (key << 8) | (i < length ? text[i]! : fill)
  return key >>> 0
}
