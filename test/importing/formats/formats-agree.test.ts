import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { CueTally } from '#importing/cue-tally.ts'
import { parseFile } from '#importing/formats/parse-file.ts'
import { describeRealData } from '../../harness/real-data.ts'
import { editDistance } from '../edit-distance.ts'

/** The words of a file in order, by their letters and digits alone. */
function wordsOf(path: string, language: string): string[] {
  const { cues } = parseFile(readFileSync(path), language, new CueTally())
  const text = cues.map((cue) => cue.text).join(' ')
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

/** Where a word is said: its cue's or its own time, in seconds. */
function timesOf(path: string, language: string): { tStart: number; tEnd: number } {
  const { cues } = parseFile(readFileSync(path), language, new CueTally())
  return { tStart: cues[0]!.tStart, tEnd: Math.max(...cues.map((cue) => cue.tEnd)) }
}

describeRealData('formats of one recording', (data) => {
  test('whisper-timestamped: JSON, SRT, WebVTT and TSV, of cues and of words, hold the same words at the same times', () => {
    const folder = join(data, 'transcripts/whisper-timestamped-json')
    const groups = new Map<string, string[]>()
    for (const path of globSync(`${folder}/{punctuations_*,split_subtitles}/*.{json,srt,vtt,tsv}`)) {
      const recording = `${basename(dirname(path))}/${basename(path).split('.')[0]}`
      groups.set(recording, [...(groups.get(recording) ?? []), path])
    }
    let compared = 0
    for (const [recording, paths] of groups) {
      const [first, ...others] = paths.toSorted()
      for (const other of others) {
        expect([recording, other, wordsOf(other, 'fr')]).toEqual([recording, other, wordsOf(first!, 'fr')])
        expect([recording, other, timesOf(other, 'fr')]).toEqual([recording, other, timesOf(first!, 'fr')])
        compared++
      }
    }
    console.log(`${compared} pairs of ${groups.size} recordings agree`)
    expect(compared).toBeGreaterThan(20)
  })

  test('3b1b: word timings and the SRT of the same video agree in nearly all words', () => {
    const shares: number[] = []
    for (const timings of globSync(join(data, 'transcripts/3b1b/**/english/word_timings.json'))) {
      const captions = join(dirname(timings), 'captions.srt')
      if (!existsSync(captions) || JSON.parse(readFileSync(timings, 'utf8')).length === 0) continue
      const [a, b] = [wordsOf(timings, 'en'), wordsOf(captions, 'en')]
      shares.push(1 - editDistance(a, b) / (a.length + b.length))
    }
    const sorted = shares.toSorted((a, b) => a - b)
    const median = sorted[Math.floor(sorted.length / 2)]!
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length
    console.log(
      `${shares.length} videos: words in common ${(mean * 100).toFixed(2)} % on average, median ${(median * 100).toFixed(2)} %, least ${(sorted[0]! * 100).toFixed(2)} %, second ${(sorted[1]! * 100).toFixed(2)} %`,
    )
    expect(shares.length).toBeGreaterThan(50)
    expect(median).toBeGreaterThan(0.99)
  })

  test('no letter of a word timing is lost or added', () => {
    for (const path of globSync(join(data, 'transcripts/3b1b/**/word_timings.json'))) {
      const entries = JSON.parse(readFileSync(path, 'utf8')) as [string, number, number][]
      if (entries.length === 0) continue
      const given = entries.map(([word]) => word).join('')
      const { cues } = parseFile(readFileSync(path), 'en', new CueTally())
      const words = cues.flatMap((cue) => cue.words ?? []).map((word) => word.text)
      expect([path, lettersOf(cues.map((cue) => cue.text).join(''))]).toEqual([path, lettersOf(given)])
      expect([path, lettersOf(words.join(''))]).toEqual([path, lettersOf(given)])
    }
  })
})

function lettersOf(text: string): string {
  return text.normalize('NFC').replace(/[^\p{L}\p{N}]/gu, '')
}
