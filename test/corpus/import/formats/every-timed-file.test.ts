import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CueTally } from '#corpus/import/cue-tally.ts'
import { parseFile, type ReadFile } from '#corpus/import/formats/parse-file.ts'
import { primaryLanguage } from '#corpus/import/languages.ts'
import { seededRandom } from '#kit/seeded-random.ts'
import { describeRealData } from '../../../harness/real-data.ts'
import { droppedCount } from '../dropped-count.ts'
import { readIndex } from '../real-transcripts.ts'

const cuts = 2000
const cutSeed = 6

/** The timing lines of each format, as someone would recognise them who reads nothing else. */
const timingLines: Record<string, RegExp> = {
  sbv: /^\s*\d+:\d\w*:\d\w*[.,]\w+,\d+:\d\w*:\d\w*[.,]\w+\s*$/gm,
  starts: /^\s*\d+:\d+:\d+[.,]\d+\s*$/gm,
  stc: /^\*TC\s/gm,
  timedtext: /<(?:p|text)\s[^<>]*>/g,
  realtext: /<time\s[^<>]*>/g,
}

/** A timed file of the test data. */
type TimedFile = { path: string; language: string; bytes: Uint8Array }

function readTimedFiles(data: string): TimedFile[] {
  return readIndex(data).map(({ path, language, absolute }) => ({
    path,
    language: primaryLanguage(language) ?? 'en',
    bytes: readFileSync(absolute),
  }))
}

/** Reads a file. Any error other than a rejection or a skip with a reason fails the test. */
function read({ path, language, bytes }: TimedFile): { tally: CueTally; file: ReadFile | null } {
  const tally = new CueTally()
  try {
    return { tally, file: parseFile(bytes, language, tally) }
  } catch (error) {
    const { name, message } = error as Error
    const expected = [path, expect.stringMatching(/^(?:Rejection|Skip)$/), true]
    expect([path, name, message.length > 5]).toEqual(expected)
    return { tally, file: null }
  }
}

/**
 * Checks that the number of cues read is that of the cues returned and dropped together, and that
 * of the timing lines.
 */
function expectNothingLost(timed: TimedFile): ReadFile | null {
  const { tally, file } = read(timed)
  const { path } = timed
  if (tally.cues.in > 0 && file !== null) {
    expect([path, tally.cues.in]).toEqual([path, tally.cues.out + droppedCount(tally)])
    expect([path, tally.cues.out]).toEqual([path, file.cues.length])
    const counted = countCues(timed.bytes, file.format, file.encoding)
    if (counted !== null) expect([path, tally.cues.in]).toEqual([path, counted])
    expectInOrder(path, file)
  }
  return file
}

function expectInOrder(path: string, { cues }: ReadFile): void {
  const faults = cues.filter(
    (cue, i) =>
      cue.tEnd < cue.tStart ||
      cue.tStart < (cues[i - 1]?.tStart ?? 0) ||
      cue.text.trim() === '' ||
      cue.words?.some((word) => word.tEnd < word.tStart),
  )
  expect([path, faults]).toEqual([path, []])
}

describeRealData('every timed file of the test data', (data) => {
  test('is read or refused with a reason, and no cue is lost', () => {
    const files = readTimedFiles(data)
    expect(files.length).toBeGreaterThan(900)
    const read = files.map(expectNothingLost).filter((file) => file !== null)
    console.log(`${read.length} of ${files.length} timed files hold speech`)
    expect(read.length).toBeGreaterThan(950)
  })

  test(`cut at random bytes (${cuts} cuts, seed ${cutSeed}) is read or refused with a reason, and no cue is lost`, () => {
    const files = readTimedFiles(data)
    const random = seededRandom(cutSeed)
    let readable = 0
    for (let n = 0; n < cuts; n++) {
      const file = files[Math.floor(random() * files.length)]!
      const at = Math.floor(random() * (file.bytes.length + 1))
      // Three in four are cut at their end, like a broken download, and the others at their
      // beginning.
      const bytes = random() < 0.75 ? file.bytes.subarray(0, at) : file.bytes.subarray(at)
      if (expectNothingLost({ ...file, bytes, path: `${file.path} cut at ${at}` })) readable++
    }
    console.log(`${readable} of ${cuts} cut files hold speech`)
    expect(readable).toBeGreaterThan(cuts / 2)
  })
})

/**
 * Counts the cues in a file without the importer's code; null if that is not obvious, because the
 * importer itself groups word timings into cues.
 */
function countCues(bytes: Uint8Array, format: string, encoding: string): number | null {
  const text = new TextDecoder(encoding).decode(bytes)
  if (format === 'tsv') return text.trimEnd().split('\n').length - 1
  if (format === 'json3')
    return JSON.parse(text).events.filter((event: { segs?: unknown }) => event.segs).length
  if (format === 'whisper') return (JSON.parse(text).segments ?? JSON.parse(text)).length
  if (format === 'srt' || format === 'vtt') return countArrows(text) + countUntimed(text)
  const pattern = timingLines[format]
  if (pattern === undefined) return null
  return text.replaceAll('\r\n', '\n').replaceAll('\r', '\n').match(pattern)?.length ?? 0
}

/** Counts lines with an arrow that has a time on at least one side, or nothing before it. */
function countArrows(text: string): number {
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.includes('-->'))
  return lines.filter((line) => /^\s*(?:\d\S*\s*)?-->|-->\s*\d+:\d/.test(line)).length
}

/**
 * Counts SRT cues without a timing line: after a blank line, a line with only the number that
 * follows the previous cue's, and then text.
 */
function countUntimed(text: string): number {
  const blocks = text.split(/\n[ \t\r]*\n/).map((block) => block.trim().split(/\r?\n/))
  return blocks.filter((lines, i) => {
    const before = blocks[i - 1]
    const numbered = /^\d+$/.test(lines[0] ?? '') && !lines[1]?.includes('-->')
    return numbered && before?.[1]?.includes('-->') && Number(lines[0]) === Number(before[0]) + 1
  }).length
}
