import { expect, test } from 'vitest'
import { sharedSmallService } from '../small-service.ts'

const service = sharedSmallService()

test('a search lists the exact word first, then prefixes, then the rest', async () => {
  const found = async (q: string) =>
    (await service.get(`/words?hasClips=false&q=${q}`, { key: service.key })).json.words.map(
      ({ word }: { word: string }) => word,
    )
  expect(await found('look')).toEqual(['look', 'look after'])
  expect(await found('c')).toEqual(['cat', 'café', 'ice-cream', 'meticulous'])
  expect(await found('after')).toEqual(['look after'])
})

test('the clips of a word start with the easiest, and say where it occurs', async () => {
  const { json } = await service.get('/words/look%20after/clips', { key: service.key })
  expect(json.totalCount).toBe(2)
  expect(json.items.map(({ clip }: { clip: { videoId: string } }) => clip.videoId)).toEqual([
    'cat-sitter',
    'watchmaker',
  ])
  expect(json.items[0].occurrences.map(({ form }: { form: string }) => form)).toEqual([
    'looking after',
    'look after',
  ])
  expect(json.items[1].occurrences[0].text).toBe('The cat looks after the shop.')
})

test('the focus word is one level above, with its meaning in the requested gloss', async () => {
  const focusOf = async (query: string) => {
    const { json } = await service.get(`/feed?limit=100&${query}`, { key: service.key })
    return Object.fromEntries(
      json.items.map(
        ({
          clip,
          focusWord,
        }: {
          clip: { videoId: string }
          focusWord: { word: string; meaning: string } | null
        }) => [clip.videoId, focusWord && `${focusWord.word}: ${focusWord.meaning}`],
      ),
    )
  }
  expect(await focusOf('gloss=es')).toEqual({
    'at-the-beach': null,
    'cat-sitter': null,
    'fast-cats': null,
    'morning-run': 'café: cafetería',
    'the-contract': null,
    watchmaker: 'meticulous: meticuloso',
  })
  expect((await focusOf('level=A2'))['cat-sitter']).toBe('look after: to take care of')
})
