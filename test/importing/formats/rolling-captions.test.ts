import { expect, test } from 'vitest'
import { CueTally } from '#importing/cue-tally.ts'
import { parseFile } from '#importing/formats/parse-file.ts'
import { unroll } from '#importing/formats/rolling-captions.ts'

const cue = (tStart: number, tEnd: number, text: string) => ({ tStart, tEnd, text })

/** As automatic captions are exported: each line is shown twice, the second time above the next. */
const rolling = [
  'WEBVTT',
  'Kind: captions',
  'Language: en',
  '',
  '00:00:00.500 --> 00:00:02.000 align:start position:0%',
  ' ',
  'the<00:00:00.900><c> ferry</c><00:00:01.400><c> leaves</c>',
  '',
  '00:00:02.000 --> 00:00:02.010 align:start position:0%',
  'the ferry leaves',
  ' ',
  '',
  '00:00:02.010 --> 00:00:04.000 align:start position:0%',
  'the ferry leaves',
  'at<00:00:02.400><c> noon</c><00:00:03.000><c> today</c>',
  '',
  '00:00:04.000 --> 00:00:04.010 align:start position:0%',
  'at noon today',
  ' ',
  '',
  '00:00:04.010 --> 00:00:06.000 align:start position:0%',
  'at noon today',
  'no<00:00:05.000><c> no</c>',
  '',
].join('\n')

test('two-line automatic captions say each word once, at its time', () => {
  const tally = new CueTally()
  const { cues } = parseFile(Buffer.from(rolling), 'en', tally)
  expect(cues.map(({ tStart, tEnd, text }) => [tStart, tEnd, text])).toEqual([
    [0.5, 2, 'the ferry leaves'],
    [2.01, 4, 'at noon today'],
    [4.01, 6, 'no no'],
  ])
  expect(cues.flatMap((one) => one.words!).map(({ text, tStart }) => [text, tStart])).toEqual([
    ['the', 0.5],
    ['ferry', 0.9],
    ['leaves', 1.4],
    ['at', 2.01],
    ['noon', 2.4],
    ['today', 3],
    ['no', 4.01],
    ['no', 5],
  ])
  expect(tally.summary()).toEqual({
    cues: { in: 5, out: 3, dropped: { 'repeats the previous cue': 2 } },
    repairs: { 'line repeated from the previous cue: dropped': 2 },
  })
})

test('somebody who says a line twice is left alone', () => {
  const cues = [cue(0, 1, 'No.'), cue(1, 2, 'No.'), cue(2, 3, 'Oh\nno.'), cue(3, 4, 'Yes.')]
  expect(unroll(cues, new CueTally())).toEqual(cues)
})

test('what was shown long before is no repetition', () => {
  const cues = [cue(0, 1, 'a'), cue(5, 6, 'a\nb'), cue(9, 10, 'b\nc')]
  expect(unroll(cues, new CueTally())).toEqual(cues)
})
