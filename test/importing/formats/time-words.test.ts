import { expect, test } from 'vitest'
import { CueTally } from '#importing/cue-tally.ts'
import { parseInlineTimes, timeWords } from '#importing/formats/time-words.ts'

/**
 * The words of a cue from 1 to 5 s, with their times; `shown` is its text where not all of it is
 * spoken.
 */
function spans(raw: string, shown?: string, language = 'en', tally = new CueTally()) {
  const cue = { ...parseInlineTimes(raw), tStart: 1, tEnd: 5 }
  const words = timeWords(cue, shown ?? cue.text, language, tally)
  return words?.map(({ text, tStart, tEnd }) => [text, tStart, tEnd])
}

test('a cue without inline times has no words', () => {
  expect(spans('Good morning')).toBeUndefined()
})

test('each word lasts until the next time', () => {
  expect(spans('Good<00:02.000> old<00:03.000> bread')).toEqual([
    ['Good', 1, 2],
    ['old', 2, 3],
    ['bread', 3, 5],
  ])
})

test('words under one time share it by their letters', () => {
  expect(spans('Good<00:02.000> warm bread is')).toEqual([
    ['Good', 1, 2],
    ['warm', 2, 3.091],
    ['bread', 3.091, 4.455],
    ['is', 4.455, 5],
  ])
})

test('a pause between words belongs to none, and a time at the end ends the last', () => {
  expect(spans('Good<00:02.000><c> </c><00:02.500>bread<00:03.000>')).toEqual([
    ['Good', 1, 2],
    ['bread', 2.5, 3],
  ])
})

test('a time inside a word does not split it', () => {
  expect(spans('Good<00:02.000> extra<00:03.000>ordinary')).toEqual([
    ['Good', 1, 2],
    ['extraordinary', 2, 5],
  ])
})

test('a time outside the cue, or before the one before it, does not count', () => {
  expect(spans('Good<00:09.000> old<00:03.000> rye<00:02.000> bread')).toEqual([
    ['Good', 1, 2.143],
    ['old', 2.143, 3],
    ['rye', 3, 3.75],
    ['bread', 3.75, 5],
  ])
  expect(spans('Good<00:09.000> bread')).toBeUndefined()
})

test('what is not spoken is no word, and the others keep their times', () => {
  expect(spans('[Music]<00:02.000> good<00:03.000> bread', '        good bread')).toEqual([
    ['good', 2, 3],
    ['bread', 3, 5],
  ])
})

test('a word of no length lasts until the next one, at most a quarter of a second', () => {
  const tally = new CueTally()
  expect(spans('Good<00:02.000><00:02.000> old<00:02.000><00:02.100> bread', undefined, 'en', tally)).toEqual(
    [
      ['Good', 1, 2],
      ['old', 2, 2.1],
      ['bread', 2.1, 5],
    ],
  )
  expect(tally.summary().repairs).toEqual({ 'word of zero length: end set to the next word': 1 })
})

test('in a language without blanks words are found by their boundaries', () => {
  expect(spans('我喜欢<00:03.000>猫。', undefined, 'zh')).toEqual([
    ['我', 1, 1.667],
    ['喜欢', 1.667, 3],
    ['猫', 3, 4],
  ])
})
