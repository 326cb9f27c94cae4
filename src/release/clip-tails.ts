import { ByteWriter } from '#kit/byte-writer.ts'
import { GrowingUint32Array } from '#kit/growing-array.ts'

/**
 * The ends of the JSON of clips, from `"channel":` on. The clips of a channel have theirs in common once the video id is taken out of the addresses, so
 * that a clip of a million takes 170 bytes of text and not 370 (FORMAT.md, "clips.bin").
 */

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
  readonly #bytes: Buffer
  readonly #words: Uint32Array

  constructor(tailAt: Uint32Array, tails: Uint8Array<ArrayBuffer>) {
    this.#at = tailAt
    this.#bytes = Buffer.from(tails.buffer, tails.byteOffset, tails.length)
    this.#words = new Uint32Array(tails.buffer, tails.byteOffset, tails.length >> 2)
  }

  /** Appends a tail with the video id `source[from … from + length)` in its places. */
  write(out: ByteWriter, tail: number, source: Buffer, from: number, length: number): void {
    const words = this.#words
    const at = this.#at[tail]!
    const places = words[at + 1]!
    const text = (at + 2 + places) * 4
    const start = out.length
    out.copy(this.#bytes, text, text + words[at]!)
    const { bytes } = out
    for (let i = 0; i < places; i++) {
      const place = start + words[at + 2 + i]!
      for (let k = 0; k < length; k++) bytes[place + k] = source[from + k]!
    }
  }
}
