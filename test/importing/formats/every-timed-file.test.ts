import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CueTally } from '#importing/cue-tally.ts'
import { parseFile, type ReadFile } from '#importing/formats/parse-file.ts'
import { primaryLanguage } from '#importing/languages.ts'
import { countCues } from './count-cues.ts'
import { seededRandom } from '#kit/seeded-random.ts'
import { describeRealData } from '../../harness/real-data.ts'
import { droppedCount } from '../dropped-count.ts'
import { readIndex } from '../real-transcripts.ts'

const cuts = 2000
const cutSeed = 6

/** A timed file of the test data. */
interface TimedFile {
  path: string
  language: string
  bytes: Uint8Array
}

function readTimedFiles(data: string): TimedFile[] {
  return readIndex(data).map(({ path, language, absolute }) => ({
    path,
    language: primaryLanguage(language) ?? 'en',
    bytes: readFileSync(absolute),
  }))
}

/**
 * What became of a file. Anything but a rejection or a skip with a reason is a crash, and fails the
 * test.
 */
function read({ path, language, bytes }: TimedFile): { tally: CueTally; file: ReadFile | null } {
  const tally = new CueTally()
  try {
    return { tally, file: parseFile(bytes, language, tally) }
  } catch (error) {
    const { name, message } = error as Error
    expect([path, name, message.length > 5]).toEqual([
      path,
      expect.stringMatching(/^(?:Rejection|Skip)$/),
      true,
    ])
    return { tally, file: null }
  }
}

/**
 * Cues in are cues out and cues dropped, and "in" is what somebody counts who only looks for timing
 * lines.
 */
function expectNothingLost(timed: TimedFile): ReadFile | null {
  const { tally, file } = read(timed)
  const { path } = timed
  if (tally.cuesIn > 0 && file !== null) {
    expect([path, tally.cuesIn]).toEqual([path, tally.cuesOut + droppedCount(tally)])
    expect([path, tally.cuesOut]).toEqual([path, file.cues.length])
    const counted = countCues(timed.bytes, file.format, file.encoding)
    if (counted !== null) expect([path, tally.cuesIn]).toEqual([path, counted])
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
      // Three in four are cut at their end, as a broken download is; the others at their
      // beginning.
      const bytes = random() < 0.75 ? file.bytes.subarray(0, at) : file.bytes.subarray(at)
      if (expectNothingLost({ ...file, bytes, path: `${file.path} cut at ${at}` })) readable++
    }
    console.log(`${readable} of ${cuts} cut files hold speech`)
    expect(readable).toBeGreaterThan(cuts / 2)
  })
})
