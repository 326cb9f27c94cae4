import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Input } from './command-line.ts'

/** The number of lines from which on a report is shortened. */
const maxLines = 20

/**
 * Prints the lines of a report, or the first of them and the file that contains all.
 *
 * @param kind the first word of each line: `rejected`
 * @param reportPath the file, if the report has been written
 */
export function sayReport(
  { say }: Pick<Input, 'say'>,
  report: readonly string[],
  kind?: string,
  reportPath?: string,
): void {
  const lines = kind === undefined ? report : report.map((line) => `${kind.padEnd(8)}  ${line}`)
  for (const line of lines.slice(0, maxLines)) say(line)
  if (lines.length <= maxLines) return
  const file = reportPath ?? join(mkdtempSync(join(tmpdir(), 'clip-lookup-')), 'report.txt')
  if (!reportPath) writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 })
  say(`… and ${lines.length - maxLines} more; all ${lines.length} are in ${file}`)
}
