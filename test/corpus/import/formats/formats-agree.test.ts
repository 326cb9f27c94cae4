import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { CueTally } from '#corpus/import/cue-tally.ts'
import { parseFile } from '#corpus/import/formats/parse-file.ts'
import { describeRealData } from '../../../harness/real-data.ts'

/** Returns the words of a file in order, as their letters and digits. */
function wordsOf(path: string, language: string): string[] {
  const { cues } = parseFile(readFileSync(path), language, new CueTally())
  const text = cues.map((cue) => cue.text).join(' ')
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

/** Returns the time of each word: its own or that of its cue, in seconds. */
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

  test('3b1b: the word timings and the SRT file of a video agree in nearly all words', () => {
    const shares: number[] = []
    for (const timings of globSync(join(data, 'transcripts/3b1b/**/english/word_timings.json'))) {
      const captions = join(dirname(timings), 'captions.srt')
      if (!existsSync(captions) || JSON.parse(readFileSync(timings, 'utf8')).length === 0) continue
      shares.push(shareInCommon(wordsOf(timings, 'en'), wordsOf(captions, 'en')))
    }
    expect(shares.length).toBeGreaterThan(50)
    expect(shares.toSorted((a, b) => a - b)[shares.length >> 1]).toBeGreaterThan(0.99)
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

/** Returns the share of the words in two texts that both have, each as often as both contain it. */
function shareInCommon(a: readonly string[], b: readonly string[]): number {
  const left = new Map<string, number>()
  for (const word of a) left.set(word, (left.get(word) ?? 0) + 1)
  let common = 0
  for (const word of b) {
    const count = left.get(word) ?? 0
    left.set(word, count - 1)
    if (count > 0) common++
  }
  return (2 * common) / (a.length + b.length)
}

const lettersOf = (text: string): string => text.normalize('NFC').replace(/[^\p{L}\p{N}]/gu, '')
