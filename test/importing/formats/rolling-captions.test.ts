import { expect, test } from 'vitest'
import { CueTally } from '#importing/cue-tally.ts'
import { unroll } from '#importing/formats/rolling-captions.ts'

const cue = (tStart: number, tEnd: number, text: string) => ({ tStart, tEnd, text })

test('somebody who says a line twice is left alone', () => {
  const cues = [cue(0, 1, 'No.'), cue(1, 2, 'No.'), cue(2, 3, 'Oh\nno.'), cue(3, 4, 'Yes.')]
  expect(unroll(cues, new CueTally())).toEqual(cues)
})

test('what was shown long before is no repetition', () => {
  const cues = [cue(0, 1, 'a'), cue(5, 6, 'a\nb'), cue(9, 10, 'b\nc')]
  expect(unroll(cues, new CueTally())).toEqual(cues)
})
