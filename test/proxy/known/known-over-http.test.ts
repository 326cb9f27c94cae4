import { deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { sharedSmallService } from '../small-service.ts'

const service = sharedSmallService()
const get = (path: string) => service.get(path, { key: service.key })
const packed = (...bytes: number[]) => `p.${deflateRawSync(Uint8Array.from(bytes)).toString('base64url')}`

test.each([
  ['/feed?known=B7', 'known'],
  ['/feed?known=run', 'known'],
  ['/feed?known=A1,--4', 'known'],
  ['/feed?known=p.%21', 'known'],
  ['/feed?known=p.AAAA', 'known'],
  [`/feed?known=${packed(5, 0)}`, 'known'],
  [`/feed?known=${packed(5)},${packed(6)}`, 'known'],
  [`/feed?known=${'1,'.repeat(3001)}`, 'known'],
  ['/feed?known=A1&level=A2', 'level'],
  ['/feed?minKnownShare=0.9', 'minKnownShare'],
  ['/feed?maxUnknown=2', 'maxUnknown'],
  ['/feed?known=A1&minKnownShare=1.01', 'minKnownShare'],
  ['/feed?known=A1&minKnownShare=0.901', 'minKnownShare'],
  ['/feed?known=A1&minKnownShare=.9', 'minKnownShare'],
  ['/feed?known=A1&maxUnknown=101', 'maxUnknown'],
  ['/words/cat/clips?maxUnknown=2', 'maxUnknown'],
  [`/words/cat/clips?known=${packed(5, 0)}`, 'known'],
])('%s is refused, naming %s', async (path, parameter) => {
  const answer = await get(path)
  expect(answer.status).toBe(400)
  expect(answer.json.error).toMatchObject({ code: 'invalid_parameter', parameter })
})

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
