import { CsvError, parse } from 'csv-parse/sync'
import { Rejection } from './rejection.ts'

/** The statements about a table in its first lines, as Anki and Excel write them. */
interface Directives {
  delimiter?: string
  columns?: string[]
  /** The number of the column of tags, from 1. */
  tags?: number
  /** Whether Anki wrote them. Its exports have no header. */
  isAnki: boolean
  /** The number of lines. */
  count: number
}

const delimiters: Readonly<Record<string, string>> = {
  comma: ',',
  semicolon: ';',
  tab: '\t',
  space: ' ',
  pipe: '|',
  colon: ':',
}

export interface Table {
  columns: string[]
  /**
   * Each with its cells by column, and the line on which it starts, counted from 1. `extraCells`
   * are those beyond the header, if one of them contains text.
   */
  rows: { record: Record<string, string>; line: number; extraCells?: string[] }[]
  isAnki: boolean
}

/**
 * Reads the rows of a CSV text with a header, separated by commas, semicolons, tabs or bars,
 * whichever the header contains most. Lines before it may say how to read it (Excel's `sep=;`,
 * Anki's `#separator:` and `#columns:`), or be comments. In the names of columns, only letters (in
 * lower case) and digits count. Without a header, the columns have their numbers as names.
 *
 * @throws {Rejection} it is not CSV
 */
export function readCsv(raw: string, hasHeader = true): Table {
  const text = raw.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
  const { count, isAnki, tags, ...directives } = readDirectives(text)
  let columns: string[] = []
  const nameColumns = (header: string[]) => {
    const names = header.map((name, i) => (i + 1 === tags ? 'tags' : columnName(name)))
    // Of two columns with the same name, the first has it.
    columns = names.map((name, i) => (names.indexOf(name) < i ? `${name}${i + 1}` : name))
    return columns
  }
  // Line breaks in their place keep the line numbers.
  const body = '\n'.repeat(count) + text.split('\n').slice(count).join('\n')
  const [firstLine = ''] = body.replace(/^\n+/, '').split('\n', 1)
  const delimiter = directives.delimiter ?? delimiterOf(firstLine)
  const numbers = firstLine.split(delimiter).map((_, i) => String(i + 1))
  const names = directives.columns ?? (hasHeader ? undefined : numbers)
  try {
    const rows = parse(body, {
      columns: names ? nameColumns(names) : nameColumns,
      delimiter,
      info: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      trim: true,
    }) as unknown as ParsedRow[]
    return {
      columns,
      isAnki,
      rows: rows
        .filter(({ record }) => !Object.values(record).every((cell) => markdownRule.test(cell)))
        .map(({ record, info }) => {
          const extraCells = names === numbers ? [] : (info.error?.record.slice(columns.length) ?? [])
          // The parser gives the line on which a row ends. Each line break in a cell means that the
          // row starts one line earlier.
          const rowLines = Object.values(record).concat(extraCells).join('').split('\n')
          const line = info.lines - rowLines.length + 1
          return extraCells.some((cell) => cell !== '') ? { record, line, extraCells } : { record, line }
        }),
    }
  } catch (error) {
    throw error instanceof CsvError ? new Rejection(`is not a CSV file: ${describe(error, body)}`) : error
  }
}

/** A row as `csv-parse` returns it. `error` is set if the header has more or fewer cells. */
interface ParsedRow {
  record: Record<string, string>
  info: { lines: number; error?: { record: string[] } }
}

/** Names the line on which a quoted cell starts, which may be far above the end of the file. */
function describe(error: CsvError, body: string): string {
  const { code, bytes } = error as CsvError & { bytes: number }
  if (code !== 'CSV_QUOTE_NOT_CLOSED') return error.message
  const before = Buffer.from(body).toString('utf8', 0, bytes + 1)
  return `the quote on line ${before.split('\n').length} is not closed`
}

/** A cell below the header of a table in Markdown. */
const markdownRule = /^(?::?-{3,}:?)?$/

/** Returns the form in which names of columns are compared: lower-case letters, and digits. */
export function columnName(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '')
}

function readDirectives(text: string): Directives {
  const directives: Directives = { isAnki: false, count: 0 }
  for (const line of text.split('\n')) {
    const [, excel] = /^"?sep=(.)"?$/i.exec(line) ?? []
    if (excel === undefined && !line.startsWith('#')) break
    directives.count++
    if (excel !== undefined) directives.delimiter = excel
    const [, name, value = ''] = /^#([a-z ]+):(.*)$/.exec(line) ?? []
    if (name === undefined) continue
    if (/^(?:separator|html|tags|notetype|deck|guid)(?: column)?$/.test(name)) directives.isAnki = true
    if (name === 'separator') directives.delimiter = delimiters[value.trim().toLowerCase()] ?? value
    if (name === 'tags column') directives.tags = Number(value)
    if (name === 'columns') directives.columns = value.split(directives.delimiter ?? delimiterOf(value))
  }
  return directives
}

function delimiterOf(text: string): string {
  const header = text.slice(0, text.search(/\n|$/))
  const count = (delimiter: string) => header.split(delimiter).length
  return [',', ';', '\t', '|'].toSorted((a, b) => count(b) - count(a))[0]!
}
