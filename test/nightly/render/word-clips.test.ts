import { expect, test } from 'vitest'
import { clipIndexer } from '#nightly/index/index-clip.ts'
import { itemsVersion, renderItems } from '#nightly/render/word-clips.ts'
import { wordsOf } from '../index/words-of.ts'

test('an item has the bytes of its version', () => {
  const index = clipIndexer(
    'en',
    wordsOf('en', { 'look after': [] }),
  )([
    { tStart: 0, tEnd: 2, text: '🌱 “Look… after”' },
    { tStart: 2, tEnd: 4, text: '🌱 “Look after” me.' },
  ])
  const items = renderItems('id', index.cues, index)
  const [item] = Array.from(items, ([, shown]) => shown)
  expect(
    { itemsVersion, item: JSON.stringify(item) },
    'If items changed: raise itemsVersion, or nights go on with those that are cached.',
  ).toEqual({
    itemsVersion: 5,
    item: JSON.stringify({
      clip: 'id',
      knownShare: 1,
      occurrenceCount: 1,
      occurrences: [
        { tStart: 2, tEnd: 3.636, form: 'Look after', text: '🌱 “Look after” me.', start: 3, end: 13 },
      ],
    }),
  })
})
