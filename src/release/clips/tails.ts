import { ByteWriter, viewOf } from '#kit/byte-writer.ts'
import { GrowingUint32Array } from '#kit/growing-array.ts'
import type { Sections } from '../table-file.ts'

/**
 * The ends of the JSON of clips, from `"channel":` on, each stored once (FORMAT.md, "clips.bin").
 * The clips of a channel share theirs once the video id is taken out of the addresses, so a clip
 * takes 115 bytes of text instead of 370.
 */

/** Stands in a tail for each character of the video id. JSON never holds it unescaped. */
const placeholder = '\0'

/** Gathers tails, each once. */
export class TailWriter {
  readonly #at = new GrowingUint32Array()
  readonly #bytes = new ByteWriter()
  readonly #numbers = new Map<string, number>()

  /** Returns the number of the tail. */
  add(text: string, videoId: string): number {
    const pieces = text.split(videoId)
    const template = pieces.join(placeholder.repeat(videoId.length))
    // The length distinguishes templates in which two ids stand side by side.
    const key = `${videoId.length}${placeholder}${template}`
    return this.#numbers.getOrInsertComputed(key, () => {
      this.#write(pieces, template, videoId.length)
      return this.#numbers.size
    })
  }

  finish() {
    return { tailAt: this.#at.view(), tails: this.#bytes.view() }
  }

  #write(pieces: readonly string[], template: string, videoLength: number): void {
    this.#bytes.align(4)
    this.#at.push(this.#bytes.length / 4)
    this.#bytes.u32(Buffer.byteLength(template))
    this.#bytes.u32(pieces.length - 1)
    let place = 0
    for (const piece of pieces.slice(0, -1)) {
      this.#bytes.u32((place += Buffer.byteLength(piece)))
      place += videoLength
    }
    this.#bytes.text(template)
  }
}

/** The tails of an opened table. */
export class Tails {
  readonly #at: Uint32Array
  readonly #bytes: DataView
  readonly #words: Uint32Array

  constructor(sections: Sections) {
    this.#at = sections.u32('tailAt')
    this.#bytes = viewOf(sections.u8('tails'))
    this.#words = sections.words('tails')
  }

  /** Appends a tail with the video id `source[from … from + length)` filled in. */
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
