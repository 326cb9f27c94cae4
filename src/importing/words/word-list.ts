import { glosses, type Gloss, type Meanings } from '#contract/glosses.ts'
import { levels, type Level } from '#contract/levels.ts'
import type { Problem } from '#corpus/problem.ts'
import { spellingFault, textFault } from '#corpus/text-bounds.ts'
import { readCsv } from '../read-csv.ts'
import { Rejection } from '../rejection.ts'

/** A row of a word list. */
export interface WordListRow {
  /** Line of the list, counted from 1. */
  line: number
  word: string
  level?: Level
  meanings: Meanings
  forms: string[]
}

const wordColumns = ['word', 'headword', 'lemma', 'term', 'expression']
const levelColumns = ['level', 'cefr']
const formColumns = ['forms', 'form', 'inflections', 'variants']

/**
 * Parses a word list: a CSV with a header, separated by commas, semicolons or tabs. Its columns are
 * `word`, `level`, `meaning_<gloss>` (or `meaning`, which is English) and `forms`, with `|` or `;`
 * between the forms in a cell; other columns are ignored. Of spellings separated by a slash
 * (`a.m./A.M./am`), the first is the headword and the others are forms.
 *
 * @param file the name of the list in problems
 * @throws {Rejection} the list is not a CSV, or has no column of words
 */
export function parseWordList(text: string, file: string): { words: WordListRow[]; problems: Problem[] } {
  const words: WordListRow[] = []
  const problems: Problem[] = []
  for (const { record, line } of readRows(text)) {
    const read = readRow(record, line)
    if (typeof read === 'string') problems.push({ file, line, reason: read })
    else words.push(read)
  }
  return { words, problems }
}

type Cells = Record<string, string>

function readRows(text: string): { record: Cells; line: number }[] {
  const rows = readCsv<{ record: Cells; info: { lines: number } }>(text, {
    info: true,
    columns: (header: string[]) =>
      header.map((name) =>
        name
          .trim()
          .toLowerCase()
          .replace(/[\s-]+/g, '_'),
      ),
  })
  const first = rows[0]
  if (first && cell(first.record, wordColumns) === undefined)
    throw new Rejection(`has no column "word": it has ${Object.keys(first.record).join(', ')}`)
  return rows.map(({ record, info }) => ({ record, line: info.lines }))
}

/** The first of these columns that the row has, even if its cell is empty. */
function cell(cells: Cells, columns: readonly string[]): string | undefined {
  return columns.map((column) => cells[column]).find((value) => value !== undefined)
}

/** The word of a row, or what is wrong with the row. */
function readRow(cells: Cells, line: number): WordListRow | string {
  const named = spellings(cell(cells, wordColumns), '/')
  const listed = spellings(cell(cells, formColumns), /[|;]/)
  const fault = [...named, ...listed].map(spellingFault).find((found) => found !== null)
  if (fault !== undefined) return fault
  const meant = Object.values(cells)
    .map((text) => textFault(text))
    .find((found) => found !== null)
  if (meant !== undefined) return meant
  const [word, ...variants] = named.map(normalise)
  if (word === undefined) return 'names no word'
  const said = (cell(cells, levelColumns) ?? '').trim().toUpperCase()
  const level = levels.find((known) => known === said)
  if (said !== '' && level === undefined) return `"${word}": level "${said}" is none of ${levels.join(', ')}`
  const forms = [...variants, ...listed.map(normalise)]
  return { line, word, ...(level && { level }), meanings: meaningsOf(cells), forms }
}

function spellings(text: string | undefined, separator: string | RegExp): string[] {
  const written = (text ?? '').split(separator).map((each) => each.trim())
  return written.filter((each) => each !== '')
}

function normalise(text: string): string {
  return text.normalize('NFC')
}

function meaningsOf(cells: Cells): Meanings {
  const found = glosses.map((gloss): [Gloss, string] => {
    const named = cells[`meaning_${gloss}`] ?? cells[gloss]
    const meant = named ?? (gloss === 'en' ? (cells.meaning ?? cells.definition) : undefined)
    return [gloss, (meant ?? '').trim()]
  })
  return Object.fromEntries(
    found.filter(([, text]) => text !== '').map(([gloss, text]) => [gloss, text.normalize('NFC')]),
  )
}
