import { deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { sharedSmallService } from '../small-service.ts'

const service = sharedSmallService()
const get = (path: string) => service.get(path, { key: service.key })
const packed = (...bytes: number[]) => `p.${deflateRawSync(Uint8Array.from(bytes)).toString('base64url')}`

test('known takes blanks, empty entries, ids that name nothing, and a long list', async () => {
  const plain = await get('/feed?seed=s&known=A1')
  expect(plain.status).toBe(200)
  for (const known of ['%20A1%20,,', 'A1,999999999999999999', `A1${',999999'.repeat(800)}`])
    expect((await get(`/feed?seed=s&known=${known}`)).json).toEqual(plain.json)
})

test('a level, its words as ids, and the same ids packed give the same pages', async () => {
  const { json } = await get('/words?level=A1&hasClips=false&limit=100')
  const ids = (json.words as { wordId: number }[]).map(({ wordId }) => wordId).sort((a, b) => a - b)
  expect(ids.length).toBeGreaterThan(3)
  const differences = ids.map((id, i) => id - (i === 0 ? 0 : ids[i - 1]!))
  const filter = 'minKnownShare=0.1&limit=100'
  for (const path of [`/feed?seed=s&${filter}`, `/words/cat/clips?${filter}`]) {
    const [byLevel, byIds, byPacked] = await Promise.all(
      ['A1', ids.join(), packed(...differences)].map((known) => get(`${path}&known=${known}`)),
    )
    expect(byLevel!.status).toBe(200)
    expect(byIds!.json).toEqual(byLevel!.json)
    expect(byPacked!.json).toEqual(byLevel!.json)
  }
})

test('what one learner knows changes nothing for the next of the same level', async () => {
  const path = '/feed?seed=s&limit=100&known=A1'
  const before = await get(path)
  const { json } = await get('/words?level=A2&hasClips=true&limit=100')
  const ids = (json.words as { wordId: number }[]).map(({ wordId }) => wordId)
  expect((await get(`${path},${ids.join()}`)).json).not.toEqual(before.json)
  expect((await get(path)).json).toEqual(before.json)
})
