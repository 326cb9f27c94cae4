import { constants, deflateRawSync, inflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { ClipLookup } from '#client/clip-lookup.ts'
import { inflate } from '#client/known/inflate.ts'
import { KnownWords, packIds, unpackIds } from '#client/known/known-words.ts'
import { countedFetch } from '../../harness/counted-fetch.ts'
import { sharedSmallService } from '../../proxy/small-service.ts'

const service = sharedSmallService()
let client: ClipLookup
const counted = countedFetch()

beforeAll(() => {
  client = new ClipLookup({ baseUrl: `${service.origin}/v1`, key: service.key, fetch: counted.fetch })
})

afterEach(() => void vi.unstubAllGlobals())

test('decompresses data of every block type', () => {
  const { Z_FIXED, Z_HUFFMAN_ONLY, Z_DEFAULT_STRATEGY } = constants
  const options = fc.record({
    level: fc.constantFrom(0, 1, 9),
    strategy: fc.constantFrom(Z_FIXED, Z_HUFFMAN_ONLY, Z_DEFAULT_STRATEGY),
  })
  const pieces = fc.array(fc.tuple(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 1, max: 40 })))
  fc.assert(
    fc.property(pieces, options, (parts, settings) => {
      const bytes = Buffer.concat(parts.flatMap(([piece, times]) => Array<Uint8Array>(times).fill(piece)))
      expect(Buffer.from(inflate(deflateRawSync(bytes, settings)))).toEqual(bytes)
    }),
    { numRuns: 60 },
  )
})

test('refuses damaged data', () => {
  const bytes = deflateRawSync(Buffer.from('twelve monkeys twelve monkeys'))
  expect(() => inflate(bytes.subarray(0, -4))).toThrow(RangeError)
  expect(() => inflate(Uint8Array.of(7))).toThrow('unknown type')
  for (const text of ['A1', 'p.', 'p.A', 'p.AAAAA'])
    expect(() => unpackIds(text)).toThrow(new RangeError(`"${text}" is no packed set`))
})

test.each(['a browser that compresses', 'a browser that does not'])('%s packs any set', async (browser) => {
  if (browser.endsWith('not')) vi.stubGlobal('CompressionStream', undefined)
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.nat({ max: 2 ** 31 })), async (ids) => {
      expect(unpackIds(await packIds(ids))).toEqual(ids.sort((a, b) => a - b))
    }),
    { numRuns: 50 },
  )
})

test('a packed set is raw DEFLATE of LEB128 differences in base64url', async () => {
  const packed = await packIds([300, 5, 6, 5])
  expect([...inflateRawSync(Buffer.from(packed.slice(2), 'base64url'))]).toEqual([5, 1, 166, 2])
})

test('the service reads the same words from a set', async () => {
  const known = new KnownWords({ level: 'A1', wordIds: [9, 4] })
  known.remove(7)
  known.add(...Array.from({ length: 500 }, (_, i) => 1000 + 3 * i))
  const text = await known.toParameter()
  expect(text).toMatch(/^A1,p\.[\w-]+,-7$/)
  expect(text.length).toBeLessThan(200)
  const { items } = await client.getFeed({ known: text, limit: 100 })
  const unknownCounts = new Map(items.map(({ clip, unknownCount }) => [clip.videoId, unknownCount]))
  for (const videoId of unknownCounts.keys()) {
    const { cues } = await client.getTranscript({ clipId: videoId })
    const tokens = cues.flatMap(({ words }) => words).filter(({ wordIds }) => wordIds)
    const ids = [...new Set(tokens.flatMap(({ wordIds }) => wordIds!))]
    const { words } = ids.length > 0 ? await client.listWords({ ids }) : { words: [] }
    const newIds = words.filter((word) => !known.has(word)).map(({ wordId }) => wordId)
    const isNew = ({ wordIds = [] }: { wordIds?: number[] }) => wordIds.every((id) => newIds.includes(id))
    const expected = new Set(tokens.filter(isNew).flatMap(({ wordIds }) => wordIds!)).size
    expect(unknownCounts.get(videoId), videoId).toBe(expected)
  }
})

test('an empty set is valid', async () => {
  const known = await new KnownWords().toParameter()
  const { items } = await client.getFeed({ known, maxUnknown: 100 })
  expect(items.every(({ unknownCount }) => unknownCount !== undefined)).toBe(true)
  expect(items.some(({ unknownCount }) => unknownCount! > 0)).toBe(true)
})

test('resolves spellings in bulk, and returns those that name no word', async () => {
  const known = new KnownWords()
  counted.requests.length = 0
  const spellings = ['ran', 'Cats', 'nosuchword', 'a, b', ...Array.from({ length: 130 }, (_, i) => `x${i}`)]
  const missing = await known.addSpellings(client, spellings)
  expect(known.toJSON()).toEqual({ level: null, wordIds: [1, 7], exceptIds: [] })
  expect(missing.slice(0, 2)).toEqual(['nosuchword', 'a, b'])
  expect(missing).toHaveLength(132)
  expect(counted.requests).toHaveLength(2)
  const long = Array.from({ length: 40 }, (_, i) => `${'食'.repeat(50)}${i}`)
  expect(await known.addSpellings(client, long, { language: 'ja' })).toEqual(long)
})

test('a set survives JSON and the parameter’s text form', async () => {
  const known = new KnownWords({ level: 'B1', wordIds: [3, 1], exceptIds: [8] })
  expect(JSON.parse(JSON.stringify(known))).toEqual({ level: 'B1', wordIds: [1, 3], exceptIds: [8] })
  const copy = new KnownWords(known.toJSON())
  expect(await copy.toParameter()).toBe('B1,1,3,-8')
  known.add(...Array.from({ length: 300 }, (_, i) => i * i + 10))
  expect(KnownWords.parse(await known.toParameter()).toJSON()).toEqual(known.toJSON())
  expect(() => KnownWords.parse('A1,xyz')).toThrow('"xyz" is no part of a set')
})

test('refuses a set that does not fit into the parameter', async () => {
  let id = 1
  const wordIds = Array.from({ length: 4000 }, () => (id = (Math.imul(id, 1_103_515_245) + 12_345) >>> 1))
  const scattered = new KnownWords({ wordIds })
  await expect(scattered.toParameter()).rejects.toThrow('known has at most 6000')
})
