import { expect, test } from 'vitest'
import type { Transcript } from '#contract/transcript.ts'
import { showMatches } from '#proxy/sentences/show-matches.ts'
import { TranscriptReader } from '#release/clips/transcript-reader.ts'

test('shows the earliest matches of cues that overlap, in time order', () => {
  const cueOf = (tStart: number, tEnd: number, times: number[]) => {
    const word = (time: number, i: number) => ({
      text: 'ha',
      tStart: time,
      tEnd: time + 0.5,
      start: 3 * i,
      end: 3 * i + 2,
    })
    return { tStart, tEnd, text: times.map(() => 'ha').join(' '), words: times.map(word) }
  }
  const transcript: Transcript = {
    clipId: '00000000-0000-4000-8000-000000000000',
    videoId: 'v',
    language: 'en',
    durationS: 99,
    wordTiming: 'measured',
    cues: [cueOf(0, 20, [1, 2, 9, 12]), cueOf(5, 8, [6]), cueOf(10, 11, [10])],
  }
  const reader = new TranscriptReader(Buffer.from(JSON.stringify(transcript)))
  const runs = Array.from({ length: 6 }, (_, token) => ({ token, tokenCount: 1, isExact: true }))
  expect(showMatches(runs, reader, 'en', null).map(({ tStart }) => tStart)).toEqual([1, 2, 6])
})
