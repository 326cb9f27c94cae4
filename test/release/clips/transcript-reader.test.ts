import { expect, test } from 'vitest'
import type { Transcript } from '#contract/transcript.ts'
import { TranscriptReader } from '#release/clips/transcript-reader.ts'

const word = (text: string, tStart: number) => ({ text, tStart, tEnd: tStart + 0.25 })

const transcript: Transcript = {
  clipId: '00000000-0000-4000-8000-000000000000',
  videoId: '{tStart',
  language: 'tr',
  durationS: 9,
  wordTiming: 'measured',
  cues: [
    {
      tStart: 0,
      tEnd: 1.5,
      text: 'Ağaç, {"text":"}]} {"tStart":',
      words: [word('Ağaç', 0.1), word('text', 1)],
    },
    { tStart: 2, tEnd: 2, text: '♪', words: [] },
    { tStart: 2, tEnd: 8.125, text: '"]}"', words: [{ ...word('Sözcük', 2), wordIds: [1, 20] }] },
  ],
}

const reader = (value: Transcript) => new TranscriptReader(Buffer.from(JSON.stringify(value)))

test('each cue equals that of the whole transcript, whatever its text', () => {
  const read = reader(transcript)
  const indexes = [...transcript.cues.keys()]
  expect(read.cueCount).toBe(3)
  expect(indexes.map((cue) => ({ ...read.line(cue), words: read.words(cue) }))).toEqual(transcript.cues)
  expect(indexes.map((cue) => read.hasWords(cue))).toEqual([true, false, true])
  expect(indexes.map((cue) => read.times(cue))).toEqual(
    transcript.cues.map(({ tStart, tEnd }) => ({ tStart, tEnd })),
  )
})

test('numbers tokens across the cues', () => {
  expect([0, 1, 2].map((number) => reader(transcript).tokenAt(number))).toEqual([
    { cue: 0, inCue: 0 },
    { cue: 0, inCue: 1 },
    { cue: 2, inCue: 0 },
  ])
})

test('a transcript without cues has none', () => {
  expect(reader({ ...transcript, cues: [] }).cueCount).toBe(0)
})
