/**
 * The cached form of a group of indexed clips: for each clip,
 *
 *     u32 × 4   sizes of the four parts
 *     record    the JSON of the clip's record
 *     terms     its term vector (`packTerms`)
 *     speech    a frame of the spool
 *     items     frames of the spool
 *
 * all of it compressed with zstd. Frames go into the spool as they are.
 */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { Clip } from '#contract/clip.ts'
import { ownBytes } from '#kit/own-bytes.ts'
import { splitFrames } from './spool.ts'

/** A clip indexed under the lexicon of its language. */
export interface IndexedClip {
  record: Clip
  /** Its term vector (`packTerms`). */
  terms: Uint8Array
  /** The data for the sentence index, as a frame of the spool. */
  speech: Buffer
  /** Its items in the lists of words, as frames of the spool. */
  items: Buffer[]
}

const headBytes = 16

export function packGroup(clips: readonly IndexedClip[]): Uint8Array {
  const parts = clips.flatMap(({ record, terms, speech, items }) => {
    const json = Buffer.from(JSON.stringify(record))
    const itemsBytes = items.reduce((sum, { length }) => sum + length, 0)
    const head = Buffer.alloc(headBytes)
    for (const [i, size] of [json.length, terms.length, speech.length, itemsBytes].entries())
      head.writeUInt32LE(size, 4 * i)
    return [head, json, terms, speech, ...items]
  })
  return ownBytes(zstdCompressSync(Buffer.concat(parts), fast))
}

export function unpackGroup(data: Uint8Array): IndexedClip[] {
  const bytes = zstdDecompressSync(data, { chunkSize: 1 << 20 })
  const clips: IndexedClip[] = []
  for (let at = 0; at < bytes.length;) {
    const ends = [0, 1, 2, 3].map((i) => bytes.readUInt32LE(at + 4 * i))
    at += headBytes
    const [record, terms, speech, items] = ends.map((size) => bytes.subarray(at, (at += size)))
    clips.push({
      record: JSON.parse(record!.toString()) as Clip,
      terms: terms!,
      speech: speech!,
      items: [...splitFrames(items!)],
    })
  }
  return clips
}

/** Takes a third of the usual level's time for a sixth more bytes: its tables fit a first cache. */
const fast = {
  params: {
    [constants.ZSTD_c_compressionLevel]: 1,
    [constants.ZSTD_c_windowLog]: 17,
    [constants.ZSTD_c_hashLog]: 13,
  },
  chunkSize: 1 << 19,
}
