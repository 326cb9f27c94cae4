import { CsvError, parse } from 'csv-parse/sync'
import { Rejection } from './rejection.ts'

/** The cells of a row by the names of their columns, and the line where it ends, from 1. */
interface Row {
  record: Record<string, string>
  info: { lines: number }
}

/**
 * The rows of a CSV text with a header, separated by comma, semicolon or tab, whichever the header
 * has most of. Of the names of columns, only the letters (in lower case) and digits count.
 *
 * @throws {Rejection} it is no CSV
 */
export function readCsv(text: string): { columns: string[]; rows: Row[] } {
  let columns: string[] = []
  try {
    const rows = parse(text, {
      bom: true,
      columns(header: string[]) {
        columns = header.map((name) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''))
        return columns
      },
      delimiter: delimiterOf(text),
      info: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
    })
    return { columns, rows: rows as unknown as Row[] }
  } catch (error) {
    throw error instanceof CsvError ? new Rejection(`is no CSV: ${error.message}`) : error
  }
}

function delimiterOf(text: string): string {
  const header = text.slice(0, text.search(/[\r\n]|$/))
  const count = (delimiter: string) => header.split(delimiter).length
  return [',', ';', '\t'].toSorted((a, b) => count(b) - count(a))[0]!
}
