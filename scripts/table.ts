/** Records of one kind as aligned columns, under the names of their fields. At least one record. */
export function table(records: readonly object[]): string {
  const rows = [Object.keys(records[0]!), ...records.map((record) => Object.values(record).map(cell))]
  // One by one: as arguments of Math.max, a hundred thousand rows overflow the stack.
  const widths = rows[0]!.map((_, column) =>
    rows.reduce((width, row) => Math.max(width, row[column]!.length), 0),
  )
  return rows
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function cell(value: unknown): string {
  if (value === null) return '-'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
