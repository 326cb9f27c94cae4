import { ByteReader } from '#kit/byte-reader.ts'
import { GrowingUint32Array } from '#kit/growing-array.ts'
import { SegmentPieces, type MadeSegment } from './segment-pieces.ts'
import { readSpeech, type PackedSpeech } from './speech.ts'
import { TermSet } from './term-set.ts'

/** Builds a segment from the speech of clips. */
export class SegmentWriter {
  readonly #out = new SegmentPieces()
  readonly #terms = new TermSet()
  /** By token, the number of its term and its position. */
  readonly #termOf = new GrowingUint32Array()
  readonly #positionOf = new GrowingUint32Array()

  get tokens(): number {
    return this.#termOf.length
  }

  get clips(): number {
    return this.#out.clips
  }

  add(ordinal: number, revision: number, packed: PackedSpeech): void {
    const reader = new ByteReader(packed)
    const blockLength = reader.varint()
    const block = packed.subarray(reader.at, reader.at + blockLength)
    const { sentenceStarts } = readSpeech(reader)
    const count = reader.varint()
    const sentences = count === 0 ? 0 : sentenceStarts.length + 1
    let position = this.#out.addClip({ ordinal, revision, positions: count + sentences }, block)
    for (let token = 0, starts = 0; token < count; token++) {
      const length = reader.varint()
      if (sentenceStarts[starts] === token) {
        starts++
        position++
      }
      this.#termOf.push(this.#terms.add(packed, reader.at, reader.at + length))
      this.#positionOf.push(position++)
      reader.at += length
    }
  }

  finish(): MadeSegment {
    // Counting sort of the tokens by term, which keeps their order.
    const ends = new Uint32Array(this.#terms.count + 1)
    const termOf = this.#termOf.view()
    const positionOf = this.#positionOf.view()
    for (const term of termOf) ends[term + 1]!++
    for (let term = 0; term < this.#terms.count; term++) ends[term + 1]! += ends[term]!
    const next = ends.slice()
    const positions = new Uint32Array(termOf.length)
    for (let token = 0; token < termOf.length; token++)
      positions[next[termOf[token]!]!++] = positionOf[token]!
    for (const term of this.#terms.sorted()) {
      this.#out.addList(this.#terms.hash(term), this.#terms.text(term), (list) => {
        for (let at = ends[term]!; at < ends[term + 1]!; at++) list.add(positions[at]!)
      })
    }
    return this.#out.finish(termOf.length)
  }
}
