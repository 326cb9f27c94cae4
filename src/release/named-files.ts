import { ClipTable } from './clips/reader.ts'
import type { NamedSegment } from './lists/clip-list.ts'
import { pagesOf } from './lists/layout.ts'
import { WordTable } from './words/reader.ts'
import type { DataPath } from './data-path.ts'
import type { Manifest } from './manifest.ts'
import { wordClipsPath } from './paths.ts'
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

/** Whether the release is served from the file. It costs a look-up, and no list of all files. */
export function isNamed({ manifest, clips, words }: NamingTables, file: DataPath): boolean {
  if (file.kind === 'corpus') return manifest.corpus === file.path
  if (file.kind === 'sentences') return segmentFiles(manifest).includes(file.path)
  if (file.kind === 'index') return manifest.index[file.language]?.[file.of].includes(file.path) ?? false
  if (file.kind === 'wordClips') {
    const row = words.find(file.wordId)
    if (row < 0) return false
    const isPage = ({ digest, count }: NamedSegment) => digest === file.digest && file.page <= pagesOf(count)
    const path = wordClipsPath(words.language(row), file.wordId, file.digest, file.page)
    return words.segments(row).some(isPage) && path === file.path
  }
  const row = clips.find(file.clipId)
  if (row < 0) return false
  return (file.kind === 'clip' ? clips.recordFile(row) : clips.transcriptFile(row)).path === file.path
}

/** Every file under `data/` that the release is served from. */
export function* namedFiles({ manifest, clips, words }: Naming): Generator<string> {
  yield manifest.corpus
  yield* indexFiles(manifest)
  yield* segmentFiles(manifest)
  for (const row of clips.liveRows()) {
    yield clips.recordFile(row).path
    yield clips.transcriptFile(row).path
  }
  for (const row of wordsWithClips(words)) {
    for (const segment of words.segments(row)) yield* segmentPages(words, row, segment)
  }
}

/** The files of its index by word id and by ordinal. */
export function indexFiles({ index }: Pick<Manifest, 'index'>): string[] {
  return Object.values(index).flatMap(({ words, clips }) => [...words, ...clips])
}

/** The files of its sentence index. */
export function segmentFiles({ sentences }: Pick<Manifest, 'sentences'>): string[] {
  return sentences.flatMap(segmentPaths)
}

/** The rows of the words that have clips. */
export function* wordsWithClips(words: WordTable): Generator<number> {
  for (let row = 0; row < words.count; row++) if (words.clipCount(row) > 0) yield row
}

/** The pages of a segment of a word's list, in order. */
export function segmentPages(words: WordTable, row: number, { digest, count }: NamedSegment): string[] {
  const [language, wordId] = [words.language(row), words.wordId(row)]
  return Array.from({ length: pagesOf(count) }, (_, i) => wordClipsPath(language, wordId, digest, i + 1))
}
