/**
 * `npm run bench:import`: cues a second from SRT, beside the fastest subtitle library, in one run,
 * rounds taken in turn. What they do differs, so there are two rows of ours: the parser alone,
 * and the whole way from bytes to the cues of a clip (encoding, format, clean text, noise, times,
 * account). The files are the SRT files below `CLIP_LOOKUP_TEST_DATA`. BENCH_ROUNDS sets the
 * length.
 */
import { globSync, readFileSync } from 'node:fs'
import * as plussub from '@plussub/srt-vtt-parser'
import { CueTally } from '#corpus/import/cue-tally.ts'
import { parseFile } from '#corpus/import/formats/parse-file.ts'
import { parseLines } from '#corpus/import/formats/parse-lines.ts'
import { percentile } from './run.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 7)

// Its types do not resolve under nodenext.
const { parse: parsePlussub } = plussub as unknown as { parse(text: string): { entries: unknown[] } }

/** By name, how many cues each finds in a file. */
const contenders: Record<string, (bytes: Buffer, text: string) => number> = {
  'ours, parser alone': (_, text) => parseLines(text, 'srt').cues.length,
  'ours, bytes to clip cues': countWhole,
  '@plussub/srt-vtt-parser': (_, text) => parsePlussub(text).entries.length,
}

function countWhole(bytes: Buffer): number {
  const account = new CueTally()
  try {
    parseFile(bytes, 'en', account)
  } catch {
    // Refused: in another script, or empty.
  }
  return account.cues.in
}

const data = process.env.CLIP_LOOKUP_TEST_DATA
if (!data) throw new Error('set CLIP_LOOKUP_TEST_DATA to the folder of the test data')
const files = globSync(`${data}/transcripts/**/*.srt`).map((path) => {
  const bytes = readFileSync(path)
  return { bytes, text: bytes.toString('utf8').replace(/^\ufeff/, '') }
})
const rows = Object.entries(contenders).map(([name, count]) => {
  return { name, count, rates: [] as number[], found: 0, failed: 0 }
})
// The first round warms up.
for (let round = 0; round <= rounds; round++) {
  for (const row of rows) {
    Object.assign(row, { found: 0, failed: 0 })
    const startMs = performance.now()
    for (const { bytes, text } of files) {
      try {
        row.found += row.count(bytes, text)
      } catch {
        row.failed++
      }
    }
    if (round > 0) row.rates.push((row.found / (performance.now() - startMs)) * 1000)
  }
}

const megabytes = files.reduce((sum, { bytes }) => sum + bytes.length, 0) / 1e6
console.log(
  `${files.length} files, ${megabytes.toFixed(1)} MB, ${rounds} rounds; cues a second: median (least–most)`,
)
const show = (rate: number) => Math.round(rate).toLocaleString('en')
for (const { name, rates, found, failed } of rows) {
  const spread = `${show(percentile(rates, 0.5))} (${show(Math.min(...rates))}–${show(Math.max(...rates))})`
  const errors = failed > 0 ? `, ${failed} files failed` : ''
  console.log(`${name.padEnd(26)}${spread.padStart(34)}   ${found} cues${errors}`)
}
