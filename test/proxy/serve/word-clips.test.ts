import { expect, test } from 'vitest'
import { examinedItemsMax, type WordClipPage } from '#contract/word-clips.ts'
import { runClip, smallCorpus } from '../../fixtures/small-corpus.ts'
import { serveForTest } from '../agreement/served.ts'

test('a page of a word’s clips with a filter examines a bounded number of them', async () => {
  const { catalogues } = smallCorpus
  const easyClips = Array.from({ length: examinedItemsMax - 1 }, (_, i) => runClip(`v${i}`, 'A1', 'usual'))
  const { get } = await serveForTest({
    catalogues: { en: catalogues.en! },
    forms: {},
    clips: [...easyClips, runClip('last-examined', 'A2', 'rare'), runClip('next', 'B1', 'rare')],
  })
  const path = '/words/run/clips?channel=rare'
  const first = (await get(path)).json as WordClipPage
  expect(first.items.map(({ clip }) => clip.videoId)).toEqual(['last-examined'])
  const second = (await get(`${path}&cursor=${first.nextCursor}`)).json as WordClipPage
  expect(second.items.map(({ clip }) => clip.videoId)).toEqual(['next'])
  expect(second.nextCursor).toBeNull()
})
