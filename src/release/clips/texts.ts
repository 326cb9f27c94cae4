import { ByteWriter, viewOf } from '#kit/byte-writer.ts'
import { GrowingUint32Array } from '#kit/growing-array.ts'
import { clipOpening } from './record.ts'

/**
 * What the JSON of clips has in common, each text once (FORMAT.md, "clips.bin"): middles, from
 * `,"language":` on, and tails, from `"channel":` on. The clips of a channel have their tail in
 * common once the video id is taken out of the addresses, so that a clip of a million takes 115
 * bytes of text and not 370.
 */

/** The JSON of a clip, cut. */
export interface CutJson {
  /** Its own: from its id on, up to the middle. */
  text: string
  middle: string
  tail: string
}

/**
 * Cuts the JSON of a clip, which begins as all do. A text may hold the names of fields only with
 * their quotes escaped, so the first is the field. Null where a field is missing.
 */
export function cutJson(json: string): CutJson | null {
  const middleAt = json.indexOf(',"language":')
  const tailAt = json.indexOf('"channel":', middleAt)
  if (middleAt < 0 || tailAt < 0) return null
  return {
    text: json.slice(clipOpening.length, middleAt),
    middle: json.slice(middleAt, tailAt),
    tail: json.slice(tailAt),
  }
}

/** Stands in a tail for each character of the video id. JSON never holds it raw. */
const mark = '\0'

/** Gathers tails, each once. */
export class TailWriter {
  readonly #at = new GrowingUint32Array()
  readonly #bytes = new ByteWriter()
  readonly #numbers = new Map<string, number>()

  /** The number of a tail. */
  add(text: string, videoId: string): number {
    const pieces = text.split(videoId)
    const marked = pieces.join(mark.repeat(videoId.length))
    // The lengths tell apart what two ids that stand side by side would not.
    const key = `${videoId.length}${mark}${marked}`
    let number = this.#numbers.get(key)
    if (number === undefined) {
      this.#numbers.set(key, (number = this.#numbers.size))
      this.#write(pieces, marked, videoId.length)
    }
    return number
  }

  finish(): { tailAt: Uint32Array<ArrayBuffer>; tails: Buffer<ArrayBuffer> } {
    return { tailAt: this.#at.view(), tails: this.#bytes.view() }
  }

  #write(pieces: readonly string[], marked: string, videoLength: number): void {
    this.#bytes.align(4)
    this.#at.push(this.#bytes.length / 4)
    const words = [Buffer.byteLength(marked), pieces.length - 1]
    let place = 0
    for (const piece of pieces.slice(0, -1)) {
      words.push((place += Buffer.byteLength(piece)))
      place += videoLength
    }
    this.#bytes.copy(Buffer.from(Uint32Array.from(words).buffer))
    this.#bytes.text(marked)
  }
}

/** The tails of an opened table. */
export class Tails {
  readonly #at: Uint32Array
  readonly #bytes: DataView
  readonly #words: Uint32Array

  constructor(tailAt: Uint32Array, tails: Uint8Array<ArrayBuffer>) {
    this.#at = tailAt
    this.#bytes = viewOf(tails)
    this.#words = new Uint32Array(tails.buffer, tails.byteOffset, tails.length >> 2)
  }

  /** Appends a tail with the video id `source[from … from + length)` in its places. */
  write(out: ByteWriter, tail: number, source: DataView, from: number, length: number): void {
    const words = this.#words
    const at = this.#at[tail]!
    const places = words[at + 1]!
    const text = (at + 2 + places) * 4
    const start = out.length
    out.append(this.#bytes, text, text + words[at]!)
    for (let i = 0; i < places; i++) out.overwrite(start + words[at + 2 + i]!, source, from, length)
  }
}

/** Gathers middles, each once: they tell the language, the level and the duration. */
export class MiddleWriter {
  readonly #middles = new GrowingUint32Array()
  readonly #bytes = new ByteWriter()
  readonly #numbers = new Map<string, number>()

  /** The number of a middle. */
  add(text: string, durationS: number): number {
    let number = this.#numbers.get(text)
    if (number === undefined) {
      this.#numbers.set(text, (number = this.#numbers.size))
      this.#middles.push(this.#bytes.length)
      this.#middles.push(durationS)
      this.#bytes.text(text)
    }
    return number
  }

  finish(): { middles: Uint32Array<ArrayBuffer>; middleTexts: Buffer<ArrayBuffer> } {
    const middles = new Uint32Array(this.#middles.length + 1)
    middles.set(this.#middles.view())
    middles[this.#middles.length] = this.#bytes.length
    return { middles, middleTexts: this.#bytes.view() }
  }
}

/** The middles of an opened table. */
export class Middles {
  readonly #middles: Uint32Array
  readonly #texts: DataView

  constructor(middles: Uint32Array, texts: Uint8Array<ArrayBuffer>) {
    this.#middles = middles
    this.#texts = viewOf(texts)
  }

  durationS(middle: number): number {
    return this.#middles[middle * 2 + 1]!
  }

  write(out: ByteWriter, middle: number): void {
    out.append(this.#texts, this.#middles[middle * 2]!, this.#middles[middle * 2 + 2]!)
  }
}
