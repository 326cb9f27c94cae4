import { expect, test } from 'vitest'
import { indexClip } from '#indexing/index-clip.ts'
import { Lexicon } from '#indexing/lexicon.ts'
import { tokeniseCues } from '#indexing/tokenise.ts'
import { ItemRenderer, itemsVersion } from '#rendering/word-clips.ts'

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
