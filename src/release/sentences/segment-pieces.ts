import { bufferOf, ByteWriter } from '#kit/byte-writer.ts'
import { GrowingUint32Array } from '#kit/growing-array.ts'
import { joinBytes } from '#kit/join-bytes.ts'
import { pageDigest } from '../page-digest.ts'
import { writeTable } from '../table-file.ts'
import { partBytes } from './layout.ts'
import { PostingListWriter } from './posting-list-writer.ts'

/** A finished segment. */
export interface MadeSegment {
  head: Uint8Array<ArrayBuffer>
  body: Uint8Array<ArrayBuffer>
  clips: number
  tokens: number
}

interface AddedClip {
  ordinal: number
  revision: number
  /** How many positions it takes. */
  positions: number
}

/** Collects the parts of a segment. Terms must be added in their order. */
export class SegmentPieces {
  #positions = 0
  readonly #ordinals = new GrowingUint32Array()
  readonly #revisions = new GrowingUint32Array()
  readonly #positionAt = new GrowingUint32Array()
  readonly #blockAt = new GrowingUint32Array()
  readonly #termHashes = new GrowingUint32Array()
  readonly #listAt = new GrowingUint32Array()
  readonly #lists = new ByteWriter(1 << 20)
  readonly #blocks = new ByteWriter(1 << 16)
  readonly #list = new PostingListWriter(this.#lists)

  get clips(): number {
    return this.#ordinals.length
  }

  /** Adds a clip with so many positions; returns its first one. */
  addClip({ ordinal, revision, positions }: AddedClip, block: Uint8Array): number {
    const first = this.#positions
    this.#ordinals.push(ordinal)
    this.#revisions.push(revision)
    this.#positionAt.push(first)
    this.#blockAt.push(this.#blocks.length)
    this.#blocks.copy(bufferOf(block))
    this.#positions += positions
    return first
  }

  /** Adds the list of a term, if it has a position. */
  addList(hash: number, term: Uint8Array, fill: (list: PostingListWriter) => void): void {
    const from = this.#lists.length
    fill(this.#list)
    const isThere = this.#list.end((out) => {
      out.varint(term.length)
      out.copy(bufferOf(term))
    })
    if (!isThere) return
    this.#termHashes.push(hash)
    this.#listAt.push(from)
  }

  finish(tokens: number): MadeSegment {
    const { clips } = this
    this.#positionAt.push(this.#positions)
    this.#blockAt.push(this.#blocks.length)
    this.#listAt.push(this.#lists.length)
    const body = joinBytes([this.#lists.view(), this.#blocks.view()])
    const head = writeTable('sentences', {
      ordinals: this.#ordinals.view(),
      revisions: this.#revisions.view(),
      positionAt: this.#positionAt.view(),
      blockAt: this.#blockAt.view(),
      termHashes: this.#termHashes.view(),
      listAt: this.#listAt.view(),
      partDigests: Uint32Array.from(
        partsOf(body).flatMap((part) => {
          const { high, low } = pageDigest(part)
          return [high, low]
        }),
      ),
    })
    return { head: joinBytes(head), body, clips, tokens }
  }
}

/** Splits a body into its parts. */
export function partsOf(body: Uint8Array): Uint8Array[] {
  const count = Math.ceil(body.length / partBytes)
  return Array.from({ length: count }, (_, i) => body.subarray(i * partBytes, (i + 1) * partBytes))
}
