import { glosses } from '#contract/glosses.ts'
import { levels, levelRank } from '#contract/levels.ts'
import { wordSchema } from '#contract/word.ts'
import { writeTable } from '../table-file.ts'
import { columns, rowsByNumber, tableName, type WordRange, type WordRow } from './layout.ts'

/** Returns the bytes of the file, in pieces to be read once. Words are ordered by `byRow`. */
export function writeWordTable(words: readonly WordRow[]): Generator<Uint8Array> {
  return writeTable(tableName, columns, {
    languages: languagesOf(words),
    wordIds: words.map(({ wordId }) => wordId),
    rowsByNumber: rowsByNumber(words),
    levels: Uint8Array.from(words, ({ level }) => levelRank(level)),
    glosses,
    shownParts: words.flatMap(shownParts),
    forms: words.map(({ forms }) => JSON.stringify(forms)),
    ...listColumns(words),
  })
}

/** The fields before the meaning, in order. */
const shownFields = wordSchema.omit({ meaning: true, clipCount: true }).keyof().options

function shownParts(row: WordRow): string[] {
  const fields = Object.fromEntries(shownFields.map((name) => [name, row[name]]))
  const opening = JSON.stringify({ ...fields, meaning: '' }).slice(0, -2)
  return [opening, ...glosses.map((gloss) => JSON.stringify(row.meanings[gloss] ?? '').slice(1, -1))]
}

function languagesOf(words: readonly WordRow[]): Record<string, WordRange> {
  const languages: Record<string, WordRange> = {}
  for (const [row, { language, list }] of words.entries()) {
    const range = (languages[language] ??= { first: row, clipsEnd: row, end: row })
    range.end = row + 1
    if (list) range.clipsEnd = row + 1
  }
  return languages
}

/** Returns the lists of the words, and their pages one after another. */
function listColumns(words: readonly WordRow[]) {
  const clipsByLevel = new Uint32Array(words.length * levels.length)
  const pageAt = [0]
  const pageEnds: number[] = []
  const digests: string[] = []
  for (const [row, { list }] of words.entries()) {
    clipsByLevel.set(list?.clipsByLevel ?? [], row * levels.length)
    let end = 0
    for (const { count, digest } of list?.pages ?? []) {
      pageEnds.push((end += count))
      digests.push(digest)
    }
    pageAt.push(pageEnds.length)
  }
  return { clipsByLevel, pageAt, pageEnds, pageDigests: Buffer.from(digests.join(''), 'base64url') }
}
