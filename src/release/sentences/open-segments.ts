import { pageDigestOf } from '../lists/clip-list.ts'
import type { Tree } from '../tree.ts'
import type { SegmentEntry } from './layout.ts'
import { Segment } from './reader.ts'

/** The sentence index of a release: by language its segments. Of each the head is in memory. */
export type Segments = ReadonlyMap<string, readonly Segment[]>

/** @throws {MissingFile | SyntaxError} when a file is missing or is not what it should be */
export async function openSegments(tree: Tree, entries: readonly SegmentEntry[]): Promise<Segments> {
  const opened = entries.map(async (entry) => {
    const head = await tree.readRange(entry.path, 0, entry.headBytes, pageDigestOf(entry.digest, 'hex'))
    // In memory of its own, which begins where a typed array may begin.
    return new Segment(new Uint8Array(head), entry)
  })
  return Map.groupBy(await Promise.all(opened), ({ entry }) => entry.language)
}
