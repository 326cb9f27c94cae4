import { expect, test } from 'vitest'
import { examinedItemsMax, type WordClipPage } from '#contract/word-clips.ts'
import { smallCorpus } from '../../fixtures/small-corpus.ts'
import { serveForTest } from '../agreement/served.ts'

test('a page of a word’s clips with a filter examines a bounded number of them', async () => {
  const { catalogues, clips } = smallCorpus
  const clipOf = (videoId: string, level: 'A1' | 'A2' | 'B1', channel: string) => ({
    ...clips[0]!,
    videoId,
    level,
    channel: { id: channel, name: channel },
    cues: [{ tStart: 1, tEnd: 2, text: 'Run.' }],
  })
  const easyClips = Array.from({ length: examinedItemsMax - 1 }, (_, i) => clipOf(`v${i}`, 'A1', 'usual'))
  const { get } = await serveForTest({
    catalogues: { en: catalogues.en! },
    forms: {},
    clips: [...easyClips, clipOf('last-examined', 'A2', 'rare'), clipOf('next', 'B1', 'rare')],
  })
  const path = '/words/run/clips?channel=rare'
  const first = (await get(path)).json as WordClipPage
  expect(first.items.map(({ clip }) => clip.videoId)).toEqual(['last-examined'])
  const second = (await get(`${path}&cursor=${first.nextCursor}`)).json as WordClipPage
  expect(second.items.map(({ clip }) => clip.videoId)).toEqual(['next'])
  expect(second.nextCursor).toBeNull()
})
