import { expect, test } from 'vitest'
import { clip, corpus, word } from '../../nightly/small-corpus.ts'
import { serveForTest } from '../agreement/served.ts'
import { sharedSmallService } from '../small-service.ts'

const service = sharedSmallService()

interface Item {
  clip: { videoId: string }
  focusWord: { word: string } | null
  knownShare: number
  unknownCount: number
}

/** Returns the known share, the number of unknown words and the focus word of each clip. */
const fitsOf = (items: Item[]) =>
  Object.fromEntries(
    items.map(({ clip, focusWord, knownShare, unknownCount }) => [
      clip.videoId,
      [knownShare, unknownCount, focusWord?.word ?? null],
    ]),
  )

test.each([
  // A token of "look after" is known with "look".
  ['known=2&clipLevel=A1', { 'cat-sitter': [0.22, 4, 'cat'], 'morning-run': [0, 3, 'run'] }],
  ['known=1&clipLevel=C1', { 'fast-cats': [0.75, 1, 'cat'] }],
  ['known=102,1&language=tr', { 'ilik-su': [0.5, 1, 'ılık'] }],
  ['known=A1&language=fr', { bonjour: [1, 0, null] }],
  ['known=A1&maxUnknown=0&clipLevel=A1,C1', { 'fast-cats': [1, 0, null] }],
  ['known=10&maxUnknown=1&clipLevel=A1,C1', {}],
  ['known=10&maxUnknown=2&clipLevel=A1,C1', { 'fast-cats': [0, 2, 'run'] }],
  ['known=A1,-2&clipLevel=A1', { 'cat-sitter': [0.56, 2, 'look'], 'morning-run': [0.8, 1, 'café'] }],
  ['known=A1,-2&minKnownShare=0.7&clipLevel=A1', { 'morning-run': [0.8, 1, 'café'] }],
])('the clips of /feed?%s', async (query, expected) => {
  const { json } = await service.get(`/feed?${query}`, { key: service.key })
  expect(fitsOf(json.items as Item[])).toEqual(expected)
})

test('a share is compared with the limit as it is shown', async () => {
  const { get } = await serveForTest(corpus([clip('v', 'Cat, cat, cat, cat, cat, cat, cat, moon!')]))
  const clipsFor = async (limit: string) =>
    fitsOf((await get(`/feed?known=1&minKnownShare=${limit}`)).json.items)
  // 7 / 8 = 0.875.
  expect(await clipsFor('0.88')).toEqual({ v: [0.88, 1, 'moon'] })
  expect(await clipsFor('0.89')).toEqual({})
})

test('tokens that two words share are new if neither is known', async () => {
  const words = ['run', 'look', 'cat', 'cat nap', 'moon', 'moon walk'].map((text, i) => word(i + 1, text))
  const { get } = await serveForTest(corpus([clip('v', 'Run, look, cat nap, moon walk!')], words))
  expect(fitsOf((await get('/feed?known=2')).json.items)).toEqual({ v: [0.17, 5, 'run'] })
})

test('finds the new word of a clip with 300 words', async () => {
  const letter = (i: number) => String.fromCharCode(97 + i)
  const headwords = Array.from({ length: 300 }, (_, i) => `x${letter(Math.floor(i / 26))}${letter(i % 26)}`)
  const words = headwords.map((headword, i) => word(i + 1, headword, { level: i === 299 ? 'A2' : 'A1' }))
  const cues = Array.from({ length: 30 }, (_, i) => {
    return { tStart: i, tEnd: i + 1, text: headwords.slice(10 * i, 10 * i + 10).join(' ') }
  })
  const { get } = await serveForTest(corpus([clip('v', '', { cues, durationS: 30 })], words))
  expect(fitsOf((await get('/feed?known=A1')).json.items)).toEqual({ v: [1, 1, headwords[299]] })
})
