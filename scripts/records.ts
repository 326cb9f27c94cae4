import type { Input } from './command-line.ts'

/**
 * Prints one record or a list: as CSV with `--csv`, otherwise as a table, or as a message if empty.
 *
 * @param columns the columns of CSV; by default the fields of the first record
 */
export function printRecords(
  input: Input,
  data: object | readonly object[],
  none = '',
  columns?: readonly string[],
): void {
  const records: readonly object[] = Array.isArray(data) ? data : [data]
  const text = () => (records.length > 0 ? table(records) : none)
  input.print(data, input.switches.csv ? csv(records, columns ?? Object.keys(records[0]!)) : text())
}

/** Formats records, at least one, as aligned columns under the names of their fields. */
export function table(records: readonly object[]): string {
  const rows = [Object.keys(records[0]!), ...records.map((record) => Object.values(record).map(cell))]
  // Compared one by one, because a hundred thousand arguments of Math.max overflow the stack.
  const widths = rows[0]!.map((_, column) =>
    rows.reduce((width, row) => Math.max(width, row[column]!.length), 0),
  )
  const line = (row: readonly string[]) => row.map((text, column) => text.padEnd(widths[column]!)).join('  ')
  return rows.map((row) => line(row).trimEnd()).join('\n')
}

function cell(value: unknown): string {
  if (value === null) return '-'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/**
 * Formats records as CSV (RFC 4180) under the names of their fields; null becomes an empty field.
 */
export function csv(records: readonly object[], columns: readonly string[]): string {
  const rows = records.map((record) => columns.map((name) => (record as Record<string, Field>)[name]))
  return [columns, ...rows].map((row) => row.map(field).join(',')).join('\r\n')
}

type Field = string | number | boolean | null | undefined

/** Matches the beginning of a cell that a spreadsheet would compute as a formula. */
const formulaStart = /^[=+\-@\t\r]/

function field(value: Field): string {
  const text = formulaStart.test(String(value ?? '')) ? `'${value}` : String(value ?? '')
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text
}
