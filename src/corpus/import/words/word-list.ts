import type { z } from 'zod'
import { catalogueLineSchema } from '../../catalogue-word.ts'
import { levels } from '#contract/levels.ts'
import { kana } from '#language/analysers/kana-readings.ts'
import { sentenceEnd } from '#language/sentence-end.ts'
import { checkRecord, type Problem } from '../../problem.ts'
import { cleanText, foldBlanks, plainText } from '../formats/clean-text.ts'
import { isInOwnScript } from '../formats/other-language.ts'
import { readCsv, type Table } from '../read-csv.ts'
import { Rejection } from '../rejection.ts'
import { parseDictionary, type ListedRow } from './dictionaries.ts'
import { parseForm, parseHeadword } from './headword.ts'
import { ListColumns } from './list-columns.ts'
import { levelOfTags, parseLevel } from './parse-level.ts'

const rowSchema = catalogueLineSchema.omit({ wordId: true }).partial({ level: true })

/** A row of a word list, and its line, counted from 1. */
export type WordListRow = z.infer<typeof rowSchema> & { line: number }

/**
 * Parses a word list: a CSV with a header (`readCsv`), or a dictionary (`parseDictionary`). The
 * columns of a CSV are found by their names (`columns.txt`): words, levels, meanings by gloss (an
 * unnamed one is English) and forms, with `|` or `;` between the forms in a cell; other columns are
 * ignored. Headwords may be written as `parseHeadword` reads them. `noLevel` is the reason why a
 * word has no level.
 *
 * @param file the name of the list in problems
 * @throws {Rejection} the list has no known format, or no column of words
 */
export function parseWordList(text: string, file: string, language: string) {
  const dictionary = parseDictionary(text, language)
  const list = dictionary ?? readTable(text, language)
  const words: WordListRow[] = []
  const problems: Problem[] = []
  for (const { line, ...row } of list.rows) {
    if ('reason' in row) {
      problems.push({ file, line, ...row })
      continue
    }
    for (const word of row.words) {
      const { ok: _, ...result } = checkRecord(rowSchema, word)
      if (!('value' in result)) problems.push({ file, line, ...result })
      else if (isDamaged(result.value))
        problems.push({ file, line, reason: `"${word.word}" has damaged characters` })
      else words.push({ ...result.value, line })
    }
  }
  return { words, problems, noLevel: list.noLevel }
}

/** Whether a row has the replacement character, which stands for bytes that were no text. */
function isDamaged({ word, meanings, forms }: z.infer<typeof rowSchema>): boolean {
  return [word, ...Object.values(meanings), ...forms].some((text) => text.includes('\ufffd'))
}

/**
 * A quote at the start of a cell that means an umlaut and has no closing quote: "-er, "er. The next
 * quote, if there is one, opens another cell.
 */
const umlautQuote =
  /(?<=[,;\t|])"(?=(?:[-–~]\p{L}{0,5}|er?|en|)(?:[,;\t|][^"\n]*)?$(?![^"]*(?<![,;\t|\n])"))/gmu

function readTable(text: string, language: string): { rows: ListedRow[]; noLevel: string } {
  const csv = language === 'de' ? text.replace(umlautQuote, '¨') : text
  const { table, listColumns } = findColumns(csv, readCsv(csv), language)
  const { columns, rows, isAnki } = table
  if (columns.length > 0 && listColumns.word === undefined)
    throw new Rejection(
      isAnki
        ? 'does not name its columns. Add a first line such as "#columns:word,meaning,level", with the separator of the list'
        : `has no column "word". Its columns are ${columns.filter((name) => !/^\d*$/.test(name)).join(', ')}`,
    )
  return {
    rows: rows.map(({ record, line, extraCells }) => ({
      line,
      ...(extraCells ? tooManyCells(extraCells) : readRow(record, listColumns, language)),
    })),
    noLevel: listColumns.noLevel,
  }
}

/** The first line of a spreadsheet, if it has only one cell: a title above the header. */
const title = /^\ufeff?[^\n,;\t]+([,;\t])\1*\r?\n/

/**
 * Finds the columns of a table, below its title if it has one. In an Anki export without names,
 * the words are in the only column in the script of the language.
 */
function findColumns(csv: string, table: Table, language: string) {
  const columnsOf = (one: Table, word?: string) => new ListColumns(one, language, word)
  const listColumns = columnsOf(table)
  if (listColumns.word !== undefined) return { table, listColumns }
  if (!table.isAnki) {
    const tableBelow = readCsv(csv.replace(title, '\n'))
    const columnsBelow = columnsOf(tableBelow)
    return columnsBelow.word === undefined
      ? { table, listColumns }
      : { table: tableBelow, listColumns: columnsBelow }
  }
  const unnamedTable = readCsv(csv, false)
  const cellsOf = (column: string) => unnamedTable.rows.map(({ record }) => cleanText(record[column] ?? ''))
  const ownColumns = unnamedTable.columns
    .map((column) => ({ column, cells: cellsOf(column) }))
    .filter(({ cells }) => isInOwnScript(cells, language))
  const [words, other] = ownColumns
  // Notes whose words are in sentences would make catalogue words of whole sentences.
  return words === undefined ||
    other !== undefined ||
    words.cells.some((cell) => sentenceEnd.test(cell.at(-1) ?? ''))
    ? { table, listColumns }
    : { table: unnamedTable, listColumns: columnsOf(unnamedTable, words.column) }
}

/** Returns the fault of a row in which a separator inside a cell has probably cut it in two. */
function tooManyCells(extraCells: readonly string[]) {
  const text = extraCells.find((cell) => cell !== '')
  return { reason: `has more cells than the header: "${text}". Quote a cell that contains the separator` }
}

/** The value of a spreadsheet's formula that failed. */
const formulaError = /^#(?:NAME\?|N\/A|(?:REF|VALUE|NUM|NULL|DIV\/0)!)$/

function readRow(cells: Record<string, string>, columns: ListColumns, language: string) {
  const cellOf = (column = '') => (cells[column] ?? '').replace(formulaError, '')
  const textOf = (column: string | undefined) => cleanText(cellOf(column))
  const lines = plainText(cellOf(columns.word)).trim()
  const cell = foldBlanks(lines)
  if (lines.includes('\n')) return { reason: `"${cell}" has several lines` }
  const headword = parseHeadword(cell, language)
  if ('fault' in headword) return { reason: `"${cell}" ${headword.fault}` }
  const levelText = textOf(columns.level)
  const level = levelText === '' ? levelOfTags(textOf(columns.tags)) : parseLevel(levelText)
  if (levelText !== '' && level === undefined)
    return { field: 'level', reason: `must be one of ${levels.join(', ')}, not "${levelText}"` }
  const meanings = columns.meanings.map(([gloss, column]) => [gloss, textOf(column)])
  const formTexts = columns.forms.flatMap((column) => textOf(column).split(/[|;]/))
  const forms = formTexts.map((form) => parseForm(form, language)).filter((form) => form !== '')
  // Words with the same reading are spellings of one word: 会う・逢う.
  const isOneWord = language === 'ja' && forms.length === 1 && kana.test(forms[0]!)
  if (headword.words.length > 1 && forms.length > 0 && !isOneWord)
    return { reason: `"${cell}" has several words, and its forms may belong to any of them` }
  const [words, variants] = isOneWord
    ? [headword.words.slice(0, 1), headword.words.slice(1)]
    : [headword.words, []]
  return {
    words: words.map((word) => ({
      word,
      level,
      meanings: Object.fromEntries(meanings) as Record<string, string>,
      forms: [...variants, ...headword.forms, ...forms],
    })),
  }
}
