import { glosses } from '#contract/glosses.ts'
import { catalogueLineSchema } from '../../catalogue-word.ts'
import { checkRecord, type Problem } from '../../problem.ts'
import type { z } from 'zod'
import { readCsv } from '../read-csv.ts'
import { Rejection } from '../rejection.ts'

const rowSchema = catalogueLineSchema.omit({ wordId: true }).partial({ level: true })

/** A row of a word list, and its line, counted from 1. */
export type WordListRow = z.infer<typeof rowSchema> & { line: number }

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
  const { columns, rows } = readCsv(text)
  if (columns.length > 0 && !columns.some((name) => wordColumns.includes(name)))
    throw new Rejection(`has no column "word": it has ${columns.join(', ')}`)
  for (const { record, info } of rows) {
    const { ok: _, ...read } = checkRecord(rowSchema, readCells(record))
    if ('value' in read) words.push({ ...read.value, line: info.lines })
    else problems.push({ file, line: info.lines, ...read })
  }
  return { words, problems }
}

type Cells = Record<string, string>

function readCells(cells: Cells) {
  const [word = '', ...variants] = split(firstOf(cells, wordColumns) ?? '', '/')
  const meanings = glosses.map((gloss) => {
    const columns = [`meaning${gloss}`, gloss, ...(gloss === 'en' ? ['meaning', 'definition'] : [])]
    return [gloss, firstOf(cells, columns)]
  })
  return {
    word,
    level: firstOf(cells, levelColumns)?.toUpperCase() || undefined,
    meanings: Object.fromEntries(meanings),
    forms: [...variants, ...split(firstOf(cells, formColumns) ?? '', /[|;]/)],
  }
}

/** The cell of the first of these columns that the row has, even if it is empty. */
function firstOf(cells: Cells, columns: readonly string[]): string | undefined {
  return columns.map((column) => cells[column]).find((value) => value !== undefined)
}

function split(cell: string, separator: string | RegExp): string[] {
  const parts = cell.split(separator).map((each) => each.trim())
  return parts.filter((each) => each !== '')
}
