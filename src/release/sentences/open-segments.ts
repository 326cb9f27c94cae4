import { sha256 } from '#kit/digest.ts'
import { sentencesPath } from '../paths.ts'
import type { Tree } from '../tree.ts'
import { segmentName, type SegmentEntry } from './layout.ts'
import { Segment } from './reader.ts'

/** The sentence index of a release: its segments by language. Only their heads are in memory. */
export type Segments = ReadonlyMap<string, readonly Segment[]>

/** @throws {MissingFile | SyntaxError} when a file is missing or is not what it should be */
export async function openSegments(tree: Tree, entries: readonly SegmentEntry[]): Promise<Segments> {
  const opened = entries.map(async (entry) => {
    const path = sentencesPath(entry.language, segmentName(entry), 0)
    const head = await tree.readChecked(path, (bytes) => sha256(bytes).toString('hex') === entry.digest)
    // Copied, because a typed array must be aligned.
    return new Segment(new Uint8Array(head), entry)
  })
  return Map.groupBy(await Promise.all(opened), ({ entry }) => entry.language)
}
