import type { Change, Changes } from '#release/changes.ts'
import type { ClipTable } from '#release/clips/reader.ts'
import { jsonFiles, openNamingTables, type Naming } from '#release/named-files.ts'
import { folderTree } from '#release/tree.ts'
import type { WordTable } from '#release/words/reader.ts'
import { nameRelease } from './releases.ts'

/** A release by its id and what it names. */
export interface NamedRelease extends Naming {
  release: string
}

/**
 * The changes from one release to another, found by comparing what they list. A clip counts as
 * changed if it has another record; a word, if its catalogue entry or a page of its list differs.
 * If `before` is null, all is added.
 */
export function changesBetween(before: NamedRelease | null, after: NamedRelease): Changes {
  const clips = compareClips(before?.clips ?? null, after.clips)
  const words = compareWords(before?.words ?? null, after.words)
  const removed = new Set(before ? jsonFiles(before) : [])
  const added = [...jsonFiles(after)].filter((path) => !removed.delete(path))
  const files = { added: added.sort(), removed: [...removed].sort() }
  return { from: before?.release ?? null, to: after.release, clips, words, files }
}

function compareClips(before: ClipTable | null, after: ClipTable): Change<string> {
  const change: Change<string> = { added: [], changed: [], withdrawn: [] }
  for (const row of after.liveRows()) {
    const clipId = after.clipId(row)
    const old = before?.findClip(clipId) ?? -1
    if (old < 0) change.added.push(clipId)
    else if (before!.revision(old) !== after.revision(row)) change.changed.push(clipId)
  }
  const ids = before?.liveRows().map((row) => before.clipId(row)) ?? []
  for (const clipId of ids) if (after.findClip(clipId) < 0) change.withdrawn.push(clipId)
  for (const list of Object.values<string[]>({ ...change })) list.sort()
  return change
}

function compareWords(before: WordTable | null, after: WordTable): Change<number> {
  const change: Change<number> = { added: [], changed: [], withdrawn: [] }
  for (const [row, wordId] of after.wordIds.entries()) {
    const old = before?.find(wordId) ?? -1
    if (old < 0) change.added.push(wordId)
    else if (!after.isSame(row, before!, old)) change.changed.push(wordId)
  }
  for (const wordId of before?.wordIds ?? []) if (after.find(wordId) < 0) change.withdrawn.push(wordId)
  for (const list of Object.values<number[]>({ ...change })) list.sort((a, b) => a - b)
  return change
}

/**
 * The changes from the first release to the second, as if one were built from the other, and the
 * headwords of words in them by id. Each release is named by its id or number.
 *
 * @throws {Refused} there is no such release
 * @throws {MissingFile | SyntaxError} one of them cannot be opened
 */
export async function diffReleases(outFolder: string, from: string, to: string) {
  const open = async (named: string) => {
    const release = await nameRelease(outFolder, named)
    return { release, ...(await openNamingTables(folderTree(outFolder), release)) }
  }
  const [before, after] = [await open(from), await open(to)]
  const { files: _, ...changes } = changesBetween(before, after)
  const headwordOf = (wordId: number): string => {
    const { words } = after.words.find(wordId) < 0 ? before : after
    return words.word(words.find(wordId))
  }
  return { changes, headwordOf }
}
