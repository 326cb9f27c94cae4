import { deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { clips, corpus } from '../../nightly/small-corpus.ts'
import { buildNight, serveForTest } from '../agreement/served.ts'

interface Page {
  seed: string
  items: { clip: { clipId: string }; focusWord: { meaning: string } | null }[]
  nextCursor: string | null
}

const thirtyClips = corpus(clips(30))

test('a page stays the same over many requests, in every coding, and its key contains everything that it depends on', async () => {
  const { get } = await serveForTest(thirtyClips)
  const paths = [
    '/feed?seed=day',
    '/feed?seed=day&limit=5',
    '/feed?seed=day&level=B2',
    '/feed?seed=day&gloss=es',
    '/feed?seed=day&language=tr',
    '/feed?seed=other',
  ]
  const first = await Promise.all(paths.map((path) => get(path)))
  for (let time = 0; time < 3; time++)
    for (const [i, path] of paths.entries()) {
      const again = await get(path, time === 2 ? { headers: { 'accept-encoding': 'gzip' } } : {})
      expect(again.json, path).toEqual(first[i]!.json)
      expect(again.headers.etag).toBeUndefined()
      expect(again.headers['cache-control']).toBe('no-store')
    }
  const { nextCursor, items } = first[0]!.json as Page
  const excluded = await get(`/feed?seed=day&exclude=${items[0]!.clip.clipId}`)
  expect((excluded.json as Page).items[0]).toEqual(items[1])
  for (let time = 0; time < 3; time++) {
    const next = (await get(`/feed?cursor=${nextCursor}`)).json as Page
    expect(next.items).toHaveLength(10)
  }
})

test('lists have 20 items by default', async () => {
  const { get } = await serveForTest(thirtyClips)
  for (const path of ['/words/cat/clips?', '/sentences?q=cat&', '/feed?'])
    for (const [query, count] of [
      ['', 20],
      ['limit=21', 21],
    ])
      expect((await get(path + query)).json.items).toHaveLength(count as number)
})

test('a learner’s known words do not affect the next learner of the same level', async () => {
  const { get } = await serveForTest(thirtyClips)
  const path = '/feed?seed=day&known=A1'
  const before = await get(path)
  const packedTwo = `p.${deflateRawSync(Uint8Array.of(2)).toString('base64url')}`
  for (const [i, more] of ['2', '-1', '2,-3', packedTwo].entries()) {
    expect((await get(`${path},${more}`)).json, more).not.toEqual(before.json)
    // A list that is written in another way is not taken from the cache.
    for (const list of [path, path + ','.repeat(i + 1)])
      expect((await get(list)).json, more).toEqual(before.json)
  }
})

test('a new release has new pages', async () => {
  const served = await serveForTest(thirtyClips)
  const { get } = served
  for (let time = 0; time < 3; time++) await get('/feed?seed=day&limit=100')
  await buildNight(served, corpus(clips(29)))
  const page = (await get('/feed?seed=day&limit=100')).json as Page
  expect(page.items).toHaveLength(29)
})
