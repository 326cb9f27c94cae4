import type { FileChange } from '#release/changes.ts'
import type { ClipTable } from '#release/clips/reader.ts'
import type { WordTable } from '#release/words/reader.ts'
import { indexFiles, namedFiles, segmentFiles, segmentPages, type Naming } from '#release/named-files.ts'
import { rowOf, type ClipChanges } from './changes.ts'

/**
 * The JSON files under `data/`, which `index.json` leads to, that one release names and the other
 * does not. `before` is null if there is no previous release. Unchanged clips and words are skipped
 * without looking at their files.
 */
export function fileChanges(before: Naming | null, after: Naming, clips: ClipChanges): FileChange {
  if (!before) {
    const segments = new Set(segmentFiles(after.manifest))
    const added = namedFiles(after).filter((path) => !segments.has(path))
    return { added: [...added].sort(), removed: [] }
  }
  return {
    added: filesMissing(after, before, [...clips.added, ...clips.replaced]),
    removed: filesMissing(before, after, [...clips.withdrawn, ...clips.replaced]),
  }
}

/** The files of these clips, and all others that one release names and the other does not. */
function filesMissing(one: Naming, other: Naming, clipIds: readonly string[]): string[] {
  return [
    ...filesOf(one.clips, clipIds),
    ...pagesMissing(one.words, other.words),
    ...without(indexFiles(one.manifest), indexFiles(other.manifest)),
    ...without([one.manifest.corpus], [other.manifest.corpus]),
  ].sort()
}

function* filesOf(clips: ClipTable, clipIds: readonly string[]): Generator<string> {
  for (const clipId of clipIds) {
    const row = rowOf(clips, clipId)
    yield clips.recordFile(row).path
    yield clips.transcriptFile(row).path
  }
}

/** The pages of lists that one table names and another does not. */
function* pagesMissing(words: WordTable, others: WordTable): Generator<string> {
  for (let row = 0; row < words.count; row++) {
    const other = others.find(words.wordId(row))
    const known = other < 0 || others.language(other) !== words.language(row) ? [] : others.segments(other)
    // Segments with the same digest have the same items, and so as many pages.
    for (const segment of words.segments(row))
      if (!known.some(({ digest }) => digest === segment.digest)) yield* segmentPages(words, row, segment)
  }
}

function without(paths: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others)
  return paths.filter((path) => !known.has(path))
}
