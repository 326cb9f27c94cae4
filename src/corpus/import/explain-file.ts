import { countText } from '#kit/count-text.ts'
import { CueTally } from './cue-tally.ts'
import { parseFile } from './formats/parse-file.ts'
import { readBytes } from './read-bytes.ts'
import { Rejection, Skip } from './rejection.ts'

/**
 * Returns the cues of a subtitle file as they are read, and what each cleaning step removes (`-`)
 * and adds (`+`), as lines of text. For a file that is refused, the last line gives the reason.
 *
 * @throws {Rejection} the file cannot be read
 *
 *     4 cues as read (srt, utf-8)
 *       0 to 1.5: >> JOHN: Hello.
 *     …
 *     Remove sounds, speakers and readings
 *     - 0 to 1.5: >> JOHN: Hello.
 *     + 0 to 1.5: Hello.
 */
export async function explainFile(path: string, language: string, encoding?: string): Promise<string[]> {
  const tally = new CueTally()
  /** The cues after each cleaning step, one per line. */
  const steps: { name: string; lines: string[] }[] = []
  let outcome: string
  let kind = ''
  const bytes = await readBytes(path)
  try {
    const file = parseFile(bytes, language, tally, encoding, (name, cues) => {
      const lines = cues.map(({ tStart, tEnd, text }) => `${tStart} to ${tEnd ?? '?'}: ${oneLine(text)}`)
      steps.push({ name, lines })
    })
    kind = ` (${file.format}, ${file.encoding})`
    const timedCount = file.cues.filter(({ words }) => words).length
    outcome = `${countText(file.cues.length, 'cue')}, ${timedCount} of them with word times`
  } catch (error) {
    if (!(error instanceof Rejection || error instanceof Skip)) throw error
    outcome = `${error instanceof Skip ? 'skipped' : 'rejected'}: ${error.message}`
  }
  const [first, ...others] = steps
  const reading = first
    ? [`${countText(first.lines.length, 'cue')} as read${kind}`, ...indent(first.lines, ' ')]
    : []
  const changes = others.flatMap(({ name, lines }, i) => {
    const before = steps[i]!.lines
    const difference = [...indent(without(before, lines), '-'), ...indent(without(lines, before), '+')]
    return difference.length === 0 ? [`${name}: no change`] : [name, ...difference]
  })
  const counts = Object.entries({ ...tally.cues.dropped, ...tally.repairs })
  return [...reading, ...changes, outcome, ...counts.map(([what, times]) => `${times} × ${what}`)]
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' / ')
}

function indent(lines: readonly string[], mark: string): string[] {
  return lines.map((line) => `${mark} ${line}`)
}

/** Returns the lines that the other list does not contain; repeated lines are counted. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const remainingLines = Map.groupBy(others, (line) => line)
  return lines.filter((line) => remainingLines.get(line)?.pop() === undefined)
}
