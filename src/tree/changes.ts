import { isDeepStrictEqual } from 'node:util'
import type { Change, Changes } from '#release/changes.ts'
import { indexFiles, jsonFiles, openNamingTables, type NamingTables } from '#release/named-files.ts'
import { clipPath, transcriptPath } from '#release/paths.ts'
import { FolderTree } from '#release/tree.ts'
import { entryOf, pagePath, type WordRow } from '#release/words/layout.ts'
import type { WordTable } from '#release/words/reader.ts'
import { nameRelease } from './releases.ts'

/** The contents of a release that changes depend on. */
export interface ReleaseContents {
  release: string
  corpus: string
  index: NamingTables['manifest']['index']
  clips(): Iterable<{ clipId: string; revision: number }>
  words(): Iterable<WordRow>
}

/**
 * Returns the changes from one release to another. A clip counts as changed if it has another
 * record; a word, if its catalogue entry or a page of its list differs. If `before` is null,
 * everything is added.
 */
export function changesBetween(before: NamingTables | null, after: ReleaseContents): Changes {
  const removedFiles = new Set(before ? jsonFiles(before) : [])
  const addedFiles: string[] = []
  const addFile = (path: string) => {
    if (!removedFiles.delete(path)) addedFiles.push(path)
  }
  for (const path of [after.corpus, ...indexFiles(after)]) addFile(path)
  const clips = compareClips(before, after, addFile)
  const words = compareWords(before, after, addFile)
  const files = { added: addedFiles.sort(), removed: [...removedFiles].sort() }
  return { from: before?.manifest.release ?? null, to: after.release, clips, words, files }
}

function compareClips(
  before: NamingTables | null,
  after: ReleaseContents,
  addFile: (path: string) => void,
): Change<string> {
  const change: Change<string> = { added: [], changed: [], withdrawn: [] }
  /** Whether the clip in each row of the previous release still exists: 1 or 0. */
  const remainingRows = new Uint8Array(before?.clips.rowCount ?? 0)
  for (const { clipId, revision } of after.clips()) {
    addFile(clipPath(clipId, revision))
    addFile(transcriptPath(clipId, revision))
    const row = before?.clips.findClip(clipId) ?? -1
    if (row < 0) change.added.push(clipId)
    else {
      remainingRows[row] = 1
      if (before!.clips.revision(row) !== revision) change.changed.push(clipId)
    }
  }
  for (const row of before?.clips.liveRows() ?? [])
    if (!remainingRows[row]) change.withdrawn.push(before!.clips.clipId(row))
  for (const ids of Object.values(change)) ids.sort()
  return change
}

function compareWords(
  before: NamingTables | null,
  after: ReleaseContents,
  addFile: (path: string) => void,
): Change<number> {
  const [added, changed]: [number[], number[]] = [[], []]
  const withdrawnIds = new Set(before?.words.wordIds)
  for (const word of after.words()) {
    const { wordId, language, list } = word
    for (const page of list?.pages ?? []) addFile(pagePath(language, wordId, page))
    if (!withdrawnIds.delete(wordId)) {
      added.push(wordId)
      continue
    }
    const wordBefore = wordRow(before!.words, before!.words.find(wordId))
    if (!isDeepStrictEqual(wordBefore, { ...entryOf(word), language, list })) changed.push(wordId)
  }
  const change = { added, changed, withdrawn: [...withdrawnIds] }
  for (const ids of Object.values(change)) ids.sort((a, b) => a - b)
  return change
}

/** Returns the contents of a release on disk. */
function contentsOf({ manifest, clips, words }: NamingTables): ReleaseContents {
  return {
    release: manifest.release,
    corpus: manifest.corpus,
    index: manifest.index,
    clips: () =>
      clips.liveRows().map((row) => ({ clipId: clips.clipId(row), revision: clips.revision(row) })),
    words: () => words.wordIds.keys().map((row) => wordRow(words, row)),
  }
}

function wordRow(words: WordTable, row: number): WordRow {
  return { ...words.entry(row), language: words.language(row), list: words.list(row) }
}

/**
 * Returns the changes from the first release to the second, as if one were built from the other,
 * and the headwords of words in them, keyed by id. Each release is named by its id or number.
 *
 * @throws {Refused} there is no such release
 * @throws {MissingFile | SyntaxError} one of them cannot be opened
 */
export async function diffReleases(outFolder: string, from: string, to: string) {
  const open = async (name: string) =>
    await openNamingTables(new FolderTree(outFolder), await nameRelease(outFolder, name))
  const [before, after] = [await open(from), await open(to)]
  const { files: _, ...changes } = changesBetween(before, contentsOf(after))
  const headwordOf = (wordId: number): string => {
    const { words } = after.words.find(wordId) < 0 ? before : after
    return words.word(words.find(wordId))
  }
  return { changes, headwordOf }
}
