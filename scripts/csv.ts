import { UsageError, type Input } from './command-line.ts'

type Field = string | number | boolean | null | undefined

/** Records as CSV (RFC 4180) under the names of their fields; null is an empty field. */
export function csv(records: readonly object[], columns: readonly string[]): string {
  const rows = [
    columns,
    ...records.map((record) => columns.map((name) => (record as Record<string, Field>)[name])),
  ]
  return rows.map((row) => row.map(field).join(',')).join('\r\n')
}

/** What makes a spreadsheet take a cell for a formula. */
const formulaStart = /^[=+\-@\t\r]/

function field(value: Field): string {
  const text = formulaStart.test(String(value ?? '')) ? `'${value}` : String(value ?? '')
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text
}

/** Whether `--csv` was given. @throws {UsageError} `--json` was given, too */
export function wantsCsv({ switches }: Input): boolean {
  if (switches.csv && switches.json) throw new UsageError('--csv and --json cannot be used together')
  return switches.csv === true
}
