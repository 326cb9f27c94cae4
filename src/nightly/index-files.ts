/**
 * The index for readers of the files without the proxy (contract 3): every word with the files of
 * its list and every clip with its files, one per line. The end of a file depends only on ids and
 * ordinals, so a build rewrites only files in which a line changes.
 */
import type { FeedClip } from '#contract/clip.ts'
import { nameDigest } from '#kit/digest.ts'
import type { Manifest } from '#release/manifest.ts'
import { clipPath, indexPath, transcriptPath, type IndexKind } from '#release/paths.ts'
import { entryOf, pagePath } from '#release/words/layout.ts'
import type { CountedWord } from './build-tables.ts'

const linesPerFile = 10_000
/**
 * A file of words with at least this many lines ends at the next ten thousand of the ids. Shorter
 * files continue, because ids may be far apart.
 */
const fewLines = 1_000

/** Writes the index of a release: calls `write` with each path and its text. */
export class IndexFilesWriter {
  readonly #write: (path: string, text: string) => void
  readonly #paths: Manifest['index'] = {}
  #language = ''
  /** The number of the file of clips that is being collected, in its language. */
  #file = 0
  #lines: string[] = []

  constructor(write: (path: string, text: string) => void) {
    this.#write = write
  }

  /** Adds a clip. Clips come by language and ordinal. */
  addClip(clip: FeedClip, ordinal: number, revision: number): void {
    const file = Math.floor(ordinal / linesPerFile)
    if (clip.language !== this.#language || file !== this.#file) this.#endClips()
    this.#language = clip.language
    this.#file = file
    const { clipId, videoId, title, level, durationS, channel } = clip
    const record = clipPath(clipId, revision)
    const transcript = transcriptPath(clipId, revision)
    const line = { clipId, videoId, title, level, durationS, channel, record, transcript }
    this.#lines.push(JSON.stringify(line))
  }

  /** Adds all words, after the clips. Returns the paths of the files, keyed by language. */
  finish(words: readonly CountedWord[]): Manifest['index'] {
    this.#endClips()
    for (const [language, languageWords] of Map.groupBy(words, (word) => word.language))
      for (const lines of wordFiles(languageWords)) this.#writeFile(language, 'words', lines)
    const byLanguage = Object.entries(this.#paths).sort(([a], [b]) => (a < b ? -1 : 1))
    return Object.fromEntries(byLanguage)
  }

  #endClips(): void {
    if (this.#lines.length > 0) this.#writeFile(this.#language, 'clips', this.#lines)
    this.#lines = []
  }

  #writeFile(language: string, kind: IndexKind, lines: readonly string[]): void {
    const text = `{"items": [\n${lines.join(',\n')}\n]}\n`
    const path = indexPath(language, kind, nameDigest(text))
    this.#write(path, text)
    this.#paths[language] ??= { words: [], clips: [] }
    this.#paths[language][kind].push(path)
  }
}

/** Yields the lines for the words of a language, by wordId, file by file. */
function* wordFiles(words: readonly CountedWord[]): Generator<string[]> {
  let lines: string[] = []
  let thousandsBefore = 0
  for (const word of words.toSorted((a, b) => a.wordId - b.wordId)) {
    const thousands = Math.floor(word.wordId / linesPerFile)
    if (lines.length === linesPerFile || (thousands !== thousandsBefore && lines.length >= fewLines)) {
      yield lines
      lines = []
    }
    thousandsBefore = thousands
    lines.push(wordLine(word))
  }
  if (lines.length > 0) yield lines
}

function wordLine(word: CountedWord): string {
  const { language, wordId, list, clipCount } = word
  const lists = list?.pages.map((page) => ({ path: pagePath(language, wordId, page) })) ?? []
  return JSON.stringify({ ...entryOf(word), clipCount, lists })
}
