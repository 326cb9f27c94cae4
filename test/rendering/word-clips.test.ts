import { expect, test } from 'vitest'
import { indexClip } from '#indexing/index-clip.ts'
import { Lexicon } from '#indexing/lexicon.ts'
import { tokeniseCues } from '#indexing/tokenise.ts'
import { ItemRenderer, itemsVersion, levelRankOf, sortKeyOf } from '#rendering/word-clips.ts'

test('items come easiest first: level, knownShare, occurrenceCount', () => {
  const right = [
    sortKeyOf(0, { knownShare: 0.1, occurrenceCount: 1 }),
    sortKeyOf(1, { knownShare: 0.9, occurrenceCount: 1 }),
    sortKeyOf(1, { knownShare: 0.5, occurrenceCount: 3 }),
    sortKeyOf(1, { knownShare: 0.5, occurrenceCount: 2 }),
    sortKeyOf(5, { knownShare: 0, occurrenceCount: 1 }),
  ]
  expect(right.toReversed().sort((a, b) => a - b)).toEqual(right)
  expect(right.map(levelRankOf)).toEqual([0, 1, 1, 1, 5])
})

test('an item is that of its version', () => {
  const cues = tokeniseCues(
    [
      { tStart: 0, tEnd: 2, text: '🌱 “Look… after”' },
      { tStart: 2, tEnd: 4, text: '🌱 “Look after” me.' },
    ],
    'en',
  )
  const word = {
    wordId: 1,
    word: 'look after',
    level: 'A1',
    meanings: {},
    forms: [],
    language: 'en',
  } as const
  const index = indexClip(cues, new Lexicon('en', [{ ...word, forms: [] }]))
  const [hits] = [...index.hits.values()]
  const item = new ItemRenderer({ clipId: 'id', language: 'en' }, cues, index.spellings).item(0.87, hits!)
  expect(
    { itemsVersion, item: JSON.stringify(item) },
    'If items changed: raise itemsVersion, or nights go on with those that are cached.',
  ).toEqual({
    itemsVersion: 2,
    item: JSON.stringify({
      clip: 'id',
      knownShare: 0.87,
      occurrenceCount: 1,
      occurrences: [
        { tStart: 2, tEnd: 3.636, form: 'Look after', text: '🌱 “Look after” me.', start: 3, end: 13 },
      ],
    }),
  })
})
