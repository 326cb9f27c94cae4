import { CsvError, parse, type Options } from 'csv-parse/sync'
import { Rejection } from './rejection.ts'

/**
 * The rows of a CSV text with a header, separated by comma, semicolon or tab, whichever the header
 * has most of.
 *
 * @throws {Rejection} it is no CSV
 */
export function readCsv<Row>(text: string, options: Options): Row[] {
  try {
    return parse(text, {
      bom: true,
      delimiter: delimiterOf(text),
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
      ...options,
    }) as unknown as Row[]
  } catch (error) {
    if (error instanceof CsvError) throw new Rejection(`is no CSV: ${error.message}`)
    throw error
  }
}

function delimiterOf(text: string): string {
  const header = text.slice(0, text.search(/[\r\n]|$/))
  const count = (delimiter: string) => header.split(delimiter).length
  return [',', ';', '\t'].toSorted((a, b) => count(b) - count(a))[0]!
}
