import type { Input } from './command-line.ts'

/**
 * Prints a record, or all records of one kind: as CSV under `--csv`, else as a table, or with what
 * is said of none.
 *
 * @param columns of CSV; unless given, the fields of the first record
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

/** Records as aligned columns, under the names of their fields. At least one record. */
export function table(records: readonly object[]): string {
  const rows = [Object.keys(records[0]!), ...records.map((record) => Object.values(record).map(cell))]
  // One by one: as arguments of Math.max, a hundred thousand rows overflow the stack.
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

/** Records as CSV (RFC 4180) under the names of their fields; null is an empty field. */
export function csv(records: readonly object[], columns: readonly string[]): string {
  const rows = records.map((record) => columns.map((name) => (record as Record<string, Field>)[name]))
  return [columns, ...rows].map((row) => row.map(field).join(',')).join('\r\n')
}

type Field = string | number | boolean | null | undefined

/** What makes a spreadsheet take a cell for a formula. */
const formulaStart = /^[=+\-@\t\r]/

function field(value: Field): string {
  const text = formulaStart.test(String(value ?? '')) ? `'${value}` : String(value ?? '')
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text
}
