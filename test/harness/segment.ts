import { sentencesPath, type DataFile } from '#release/paths.ts'
import type { Release } from '#release/release.ts'
import { segmentName } from '#release/sentences/layout.ts'
import { Segment } from '#release/sentences/reader.ts'
import { SegmentWriter } from '#release/sentences/writer.ts'

/** A clip of a segment: its spoken tokens, with an empty text at the end of a sentence. */
export interface SaidClip {
  said: readonly string[]
  /** An index in the tokens, a word id and the number of tokens, by turns. */
  words?: number[]
  clipId?: string
}

const someId = '00000000-0000-5000-8000-000000000000'

/** Returns a segment of English clips, and a release that has only its files. */
export function segmentOf(clips: readonly SaidClip[]) {
  const writer = new SegmentWriter('en', 0)
  for (const [ordinal, { said, words = [], clipId = someId }] of clips.entries())
    writer.add({ ordinal, clipId }, { tokens: said, words, forms: [] })
  const { entry, files } = writer.finish()
  const segment = new Segment(new Uint8Array(files[0]!), entry)
  /** The parts that were read. */
  const read: { part: number }[] = []
  const paths = files.map((_, part) => sentencesPath('en', segmentName(entry), part))
  const readFile = async ({ path }: DataFile) => {
    const part = paths.indexOf(path)
    read.push({ part })
    return Buffer.from(files[part]!)
  }
  const release = { sentences: new Map([['en', [segment]]]), read: readFile } as unknown as Release
  return { segment, release, read }
}
