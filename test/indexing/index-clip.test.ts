import { expect, test } from 'vitest'
import type { Level } from '#contract/levels.ts'
import { indexClip } from '#indexing/index-clip.ts'
import { Lexicon } from '#indexing/lexicon.ts'
import { tokenise } from '#indexing/tokenise.ts'

const word = (wordId: number, headword: string, level: Level, ...forms: string[]) => ({
  wordId,
  language: 'en',
  word: headword,
  level,
  meanings: {},
  forms,
})
const lexicon = new Lexicon('en', [
  word(9, 'look', 'A1', 'looks'),
  word(7, 'looks', 'B1'),
  word(5, 'look after', 'C1', 'looks after'),
  word(3, 'glance', 'C2', 'looks'),
  word(2, 'gaze', 'A2', 'looks'),
])
const cue = (tStart: number, tEnd: number, text: string) => ({
  tStart,
  tEnd,
  text,
  tokens: tokenise({ tStart, tEnd, text }, 'en'),
})

test('a token carries all its words: most tokens first, then headword before form, then the lower id', () => {
  expect(indexClip([cue(0, 4, 'She looks after him')], lexicon).wordIds).toEqual([
    [[], [5, 7, 2, 3, 9], [5], []],
  ])
})

test('a token counts at the level of its easiest word, a token without words not at all', () => {
  expect(indexClip([cue(0, 4, 'She looks after him')], lexicon).tokensByLevel).toEqual([1, 0, 0, 0, 1, 0])
})

test('hits are in time order, also where cues overlap', () => {
  const index = indexClip([cue(0, 8, 'we all look'), cue(1, 2, 'look')], lexicon)
  const look = [...index.hits].find(([{ wordId }]) => wordId === 9)![1]
  expect(look.map(({ tStart, tEnd, cue }) => [tStart, tEnd, cue])).toEqual([
    [1, 2, 1],
    [4.444, 8, 0],
  ])
})

test('without a catalogue a clip is indexed under nothing', () => {
  const index = indexClip([cue(0, 4, 'Look after')], new Lexicon('en', []))
  const spelling = (text: string, key: string) => ({
    text,
    key,
    caseKey: key,
    folded: key,
    entries: [],
    keys: [key],
    growing: [],
  })
  expect(index).toEqual({
    hits: new Map(),
    spellings: [[spelling('Look', 'look'), spelling('after', 'after')]],
    wordIds: [[[], []]],
    tokensByLevel: [0, 0, 0, 0, 0, 0],
  })
})
