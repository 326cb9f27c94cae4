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
      words: [{ ...word('Ağaç', 0.1), start: 0, end: 4 }, word('text', 1), word('"}', 1.25)],
    },
    { tStart: 2, tEnd: 2, text: '♪', translations: { en: '"},' }, words: [] },
    { tStart: 2, tEnd: 8.125, text: '"]}"', words: [{ ...word('Sözcük', 2), wordIds: [1, 20] }] },
  ],
}

const reader = (value: Transcript) => new TranscriptReader(Buffer.from(JSON.stringify(value)))

test('each cue equals that of the whole transcript, whatever its text', () => {
  const read = reader(transcript)
  const indexes = [...transcript.cues.keys()]
  expect([2, 3].map((cue) => read.hasCue(cue))).toEqual([true, false])
  const cues = indexes.map((cue) => {
    const translations = read.translations(cue)
    return {
      ...read.times(cue),
      text: read.text(cue),
      ...(translations && { translations }),
      words: read.words(cue),
    }
  })
  expect(cues).toEqual(transcript.cues)
  expect(indexes.map((cue) => read.hasWords(cue))).toEqual([true, false, true])
})

test('reads a word alone the same as with all words of its cue', () => {
  for (const [cue, { words }] of transcript.cues.entries())
    for (const [inCue, word] of words.entries()) {
      const { wordIds: _, ...fields } = word
      expect(reader(transcript).word(cue, inCue)).toEqual(fields)
      if (inCue === words.length - 1) expect(reader(transcript).word(cue, -1)).toEqual(fields)
    }
})

test('finds the words of a cue that start at a time', () => {
  const words = [word('a', 1), word('b', 1.5), word('c', 1), word('d', 1.25)]
  const cues = [0, 1].map((tStart) => ({ tStart, tEnd: 2, text: ',"tStart":1,', words }))
  const read = reader({ ...transcript, cues })
  expect([1, 1.5, 1.2].map((tStart) => read.placesAt(0, tStart))).toEqual([[0, 2], [1], []])
  expect(read.placesAt(1, 1.25)).toEqual([3])
})

test('numbers tokens across the cues', () => {
  expect([0, 2, 3].map((number) => reader(transcript).tokenAt(number))).toEqual([
    { cue: 0, inCue: 0 },
    { cue: 0, inCue: 2 },
    { cue: 2, inCue: 0 },
  ])
})

test('a transcript without cues has none', () => {
  expect(reader({ ...transcript, cues: [] }).hasCue(0)).toBe(false)
})
