import { ClipTable } from './clips/reader.ts'
import { WordTable } from './words/reader.ts'
import type { Manifest } from './manifest.ts'
import { segmentPaths } from './sentences/layout.ts'
import { openTableOf, readManifest } from './release.ts'
import type { Tree } from './tree.ts'

/** The parts of a release that name the files under `data/` that it is served from. */
export interface NamingTables {
  manifest: Manifest
  clips: ClipTable
  words: WordTable
}

/** The same before there is a manifest. */
export type Naming = Pick<NamingTables, 'clips' | 'words'> & {
  manifest: Pick<Manifest, 'corpus' | 'index' | 'sentences'>
}

/** @throws {MissingFile | SyntaxError} a file is missing or damaged */
export async function openNamingTables(tree: Tree, id: string): Promise<NamingTables> {
  const manifest = await readManifest(tree, id)
  return {
    manifest,
    clips: await openTableOf(tree, manifest, 'clips.bin', ClipTable),
    words: await openTableOf(tree, manifest, 'words.bin', WordTable),
  }
}

/** Every file under `data/` that the release is served from. */
export function* namedFiles(release: Naming): Generator<string> {
  yield* jsonFiles(release)
  yield* segmentFiles(release.manifest)
}

/** Those that readers without a proxy need: all but the sentence index. */
export function* jsonFiles({ manifest, clips, words }: Naming): Generator<string> {
  yield manifest.corpus
  yield* indexFiles(manifest)
  for (const row of clips.liveRows()) for (const { path } of clips.files(row)) yield path
  for (let row = 0; row < words.count; row++) for (const { path } of words.pages(row)) yield path
}

/** The files of its index by word id and by ordinal. */
export function indexFiles({ index }: Pick<Manifest, 'index'>): string[] {
  return Object.values(index).flatMap(({ words, clips }) => [...words, ...clips])
}

/** The files of its sentence index. */
export function segmentFiles({ sentences }: Pick<Manifest, 'sentences'>): string[] {
  return sentences.flatMap(segmentPaths)
}
