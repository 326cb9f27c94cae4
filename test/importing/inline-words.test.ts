import { expect, test } from 'vitest'
import { inlineWords } from '#importing/inline-words.ts'

const spans = (raw: string) => inlineWords(raw, 1, 5)?.map(({ text, tStart, tEnd }) => [text, tStart, tEnd])

test('a cue without inline times has no words', () => {
  expect(inlineWords('Good morning', 1, 5)).toBeUndefined()
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
  expect(inlineWords('Good<00:09.000> bread', 1, 5)).toBeUndefined()
})
