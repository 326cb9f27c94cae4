import { nameDigest } from '#kit/digest.ts'
import type { ClipTable } from '#release/clips/reader.ts'
import type { WordTable } from '#release/words/reader.ts'
import type { Manifest } from '#release/manifest.ts'
import { indexPath, type IndexKind } from '#release/paths.ts'

/**
 * The index for readers of the files without the proxy (contract 3): every word with the files of
 * its list and every clip with its files, one per line. Where a file ends depends on ids and
 * ordinals alone, so a build rewrites only files in which a line changes.
 */

/** The most lines of a file. */
const linesAFile = 10_000
/**
 * A file of words ends where the thousands of the ids change, once it has this many lines, because
 * ids may be far apart.
 */
const fewLines = 1_000

/**
 * Writes the index of a release: calls `write` with each path and its text. Returns the paths by
 * language.
 */
export function writeIndex(
  { words, clips }: { words: WordTable; clips: ClipTable },
  write: (path: string, text: string) => void,
): Manifest['index'] {
  const index: Manifest['index'] = {}
  for (const language of new Set([...words.languages, ...clips.languages].sort())) {
    const publish = (kind: IndexKind, lines: readonly string[]) => {
      const text = `{"items": [\n${lines.join(',\n')}\n]}\n`
      const path = indexPath(language, kind, nameDigest(text))
      write(path, text)
      return path
    }
    const paths = {
      words: Array.from(wordFiles(words, language), (lines) => publish('words', lines)),
      clips: Array.from(clipFiles(clips, language), (lines) => publish('clips', lines)),
    }
    if (paths.words.length + paths.clips.length > 0) index[language] = paths
  }
  return index
}

/** The lines of the words of a language, by wordId, file by file. */
function* wordFiles(words: WordTable, language: string): Generator<string[]> {
  const { first, end } = words.rangeOf(language)
  const rows = Array.from({ length: end - first }, (_, i) => first + i)
  let lines: string[] = []
  let before = 0
  for (const row of rows.sort((a, b) => words.wordId(a) - words.wordId(b))) {
    const thousands = Math.floor(words.wordId(row) / linesAFile)
    if (lines.length === linesAFile || (thousands !== before && lines.length >= fewLines)) {
      yield lines
      lines = []
    }
    before = thousands
    lines.push(wordLine(words, row))
  }
  if (lines.length > 0) yield lines
}

function wordLine(words: WordTable, row: number): string {
  const lists = words.pages(row).map(({ path }) => ({ path }))
  return JSON.stringify({ ...words.entry(row), clipCount: words.clipCount(row), lists })
}

/** The lines of the clips of a language, by ordinal, file by file. */
function* clipFiles(clips: ClipTable, language: string): Generator<string[]> {
  const { base, domain } = clips.rangeOf(language)
  for (let from = 0; from < domain; from += linesAFile) {
    const lines: string[] = []
    for (let ordinal = from; ordinal < Math.min(domain, from + linesAFile); ordinal++)
      if (clips.isLive(base + ordinal)) lines.push(clipLine(clips, base + ordinal))
    if (lines.length > 0) yield lines
  }
}

function clipLine(clips: ClipTable, row: number): string {
  const { clipId, videoId, title, level, durationS, channel } = clips.clip(row)
  const record = clips.recordFile(row).path
  const transcript = clips.transcriptFile(row).path
  return JSON.stringify({ clipId, videoId, title, level, durationS, channel, record, transcript })
}
