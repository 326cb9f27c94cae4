import { isDeepStrictEqual } from 'node:util'
import type { Change, Changes } from '#release/changes.ts'
import type { ClipTable } from '#release/clips/reader.ts'
import { indexFiles, namedFiles, segmentFiles, type Naming } from '#release/named-files.ts'
import type { DataFile } from '#release/paths.ts'
import type { WordTable } from '#release/words/reader.ts'

/** A release by its id and what it names. */
export interface NamedRelease extends Naming {
  release: string
}

/**
 * The changes from one release to another, found by comparing the digests that they list. A clip
 * counts as changed if its record or transcript differs; a word, if its catalogue entry or a page
 * of its list does. If `before` is null, all is added.
 */
export function changesBetween(before: NamedRelease | null, after: NamedRelease): Changes {
  const files: string[][] = [[], []]
  const [added, removed] = files as [string[], string[]]
  const clips: Change<string> = { added: [], changed: [], withdrawn: [] }
  const words: Change<number> = { added: [], changed: [], withdrawn: [] }
  if (before) {
    compareClips(before.clips, after.clips, clips, { added, removed })
    compareWords(before.words, after.words, words, { added, removed })
    compareFiles(otherFiles(before), otherFiles(after), { added, removed })
  } else {
    for (const row of after.clips.liveRows()) clips.added.push(after.clips.clipId(row))
    for (let row = 0; row < after.words.count; row++) words.added.push(after.words.wordId(row))
    // Only a proxy reads the sentence index.
    const segments = new Set(segmentFiles(after.manifest))
    for (const path of namedFiles(after)) if (!segments.has(path)) added.push(path)
  }
  for (const ids of Object.values<string[]>({ ...clips })) ids.sort()
  for (const ids of Object.values<number[]>({ ...words })) ids.sort((a, b) => a - b)
  const from = before?.release ?? null
  return { from, to: after.release, clips, words, files: { added: added.sort(), removed: removed.sort() } }
}

type FileChange = Changes['files']

function compareClips(before: ClipTable, after: ClipTable, changes: Change<string>, files: FileChange): void {
  for (const row of after.liveRows()) {
    const clipId = after.clipId(row)
    const old = before.findClip(clipId)
    if (old >= 0 && isDeepStrictEqual(filesOf(before, old), filesOf(after, row))) continue
    changes[old < 0 ? 'added' : 'changed'].push(clipId)
    compareFiles(old < 0 ? [] : filesOf(before, old), filesOf(after, row), files)
  }
  for (const row of before.liveRows()) {
    if (after.findClip(before.clipId(row)) >= 0) continue
    changes.withdrawn.push(before.clipId(row))
    compareFiles(filesOf(before, row), [], files)
  }
}

function filesOf(clips: ClipTable, row: number): DataFile[] {
  return [clips.recordFile(row), clips.transcriptFile(row)]
}

function compareWords(before: WordTable, after: WordTable, changes: Change<number>, files: FileChange): void {
  for (let row = 0; row < after.count; row++) {
    const old = before.find(after.wordId(row))
    if (old >= 0 && after.isSame(row, before, old)) continue
    changes[old < 0 ? 'added' : 'changed'].push(after.wordId(row))
    compareFiles(old < 0 ? [] : before.pages(old), after.pages(row), files)
  }
  for (let row = 0; row < before.count; row++) {
    if (after.find(before.wordId(row)) >= 0) continue
    changes.withdrawn.push(before.wordId(row))
    compareFiles(before.pages(row), [], files)
  }
}

/** The files that are neither a clip's nor a word's. */
function otherFiles({ manifest }: Naming): Pick<DataFile, 'path'>[] {
  return [manifest.corpus, ...indexFiles(manifest)].map((path) => ({ path }))
}

function compareFiles(
  before: readonly Pick<DataFile, 'path'>[],
  after: readonly Pick<DataFile, 'path'>[],
  { added, removed }: FileChange,
): void {
  const [old, now] = [new Set(before.map(({ path }) => path)), new Set(after.map(({ path }) => path))]
  added.push(...now.difference(old))
  removed.push(...old.difference(now))
}
