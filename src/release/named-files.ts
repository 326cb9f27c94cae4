import { ClipTable } from './clips/reader.ts'
import { WordTable } from './words/reader.ts'
import type { Manifest } from './manifest.ts'
import { segmentPaths } from './sentences/layout.ts'
import { openTableOf, readManifest } from './release.ts'
import type { Tree } from './tree.ts'

/** The manifest and the tables of a release, which name its files under `data/`. */
export interface NamingTables {
  manifest: Manifest
  clips: ClipTable
  words: WordTable
}

/** @throws {MissingFile | SyntaxError} a file is missing or damaged */
export async function openNamingTables(tree: Tree, id: string): Promise<NamingTables> {
  const manifest = await readManifest(tree, id)
  const clips = await openTableOf(tree, manifest, 'clips.bin', ClipTable)
  return { manifest, clips, words: await openTableOf(tree, manifest, 'words.bin', WordTable) }
}

/** Yields every file under `data/` from which the release is served. */
export function* namedFiles(release: NamingTables): Generator<string> {
  yield* jsonFiles(release)
  yield* release.manifest.sentences.flatMap(segmentPaths)
}

/** Yields those that readers without a proxy need: all but the sentence index. */
export function* jsonFiles({ manifest, clips, words }: NamingTables): Generator<string> {
  yield manifest.corpus
  yield* indexFiles(manifest)
  for (const row of clips.liveRows()) for (const { path } of clips.files(row)) yield path
  for (let row = 0; row < words.count; row++) for (const { path } of words.pages(row)) yield path
}

/** Returns the files of its index by word id and by ordinal. */
export function indexFiles({ index }: Pick<Manifest, 'index'>): string[] {
  return Object.values(index).flatMap(({ words, clips }) => [...words, ...clips])
}
