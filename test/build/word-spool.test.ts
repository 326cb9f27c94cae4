import { readdirSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { levels } from '#contract/levels.ts'
import { ByteWriter } from '#kit/byte-writer.ts'
import type { ListItems } from '#build/list-items.ts'
import { Bucket, bucketCount, bucketOf, WordSpool } from '#build/word-spool.ts'
import { CuesJson } from '#rendering/cues-json.ts'
import { ItemWriter } from '#rendering/item-writer.ts'
import { sortKeyOf } from '#rendering/word-clips.ts'
import { tempFolder } from '../harness/temp-folder.ts'

/** The item of a clip of one token, and what it comes out as. */
function item(n: number, rank: number, last = 0) {
  const clipId = `ffffffff-fff${n}-4000-8000-${String(last).padStart(12, '0')}`
  const token = { text: 'é', tStart: n, tEnd: n + 0.5, startsSentence: false }
  const cues = [{ tStart: 0, tEnd: 9, text: `"é" ${n}`, tokens: [token] }]
  const json = new CuesJson()
  json.write(cues, [[[]]])
  const shares = levels.map(() => 100)
  const writer = new ItemWriter({ clipId, language: 'en' }, shares, cues, json)
  const hits = [{ tStart: n, tEnd: n + 0.5, cue: 0, start: 0, length: 1 }]
  const putInto = (spool: WordSpool, wordId: number) =>
    spool.put(wordId, rank, (out) => writer.write(out, 'A1', hits))
  const counted = { knownShare: 1, occurrenceCount: 1 }
  const occurrences = [{ tStart: n, tEnd: n + 0.5, form: 'é', text: `"é" ${n}` }]
  const sortKey = sortKeyOf(rank, counted)
  return { putInto, out: { sortKey, json: JSON.stringify({ clip: clipId, ...counted, occurrences }) } }
}

/** The items, in the order in which they were put down. */
function told(items: ListItems): { sortKey: number; json: string }[] {
  return Array.from({ length: items.count }, (_, number) => {
    const out = new ByteWriter()
    items.writeTo(out, number)
    return { sortKey: items.sortKey(number), json: out.view().toString() }
  })
}

test('what the workers put down clip by clip is taken up word by word', () => {
  const folder = tempFolder()
  const [one, other] = [new WordSpool(folder, 0), new WordSpool(folder, 1)]
  const sameBucket = 7 + bucketCount
  const [a, b, c, d] = [item(1, 0), item(2, 5), item(3, 2), item(4, 1)]
  a.putInto(one, 7)
  b.putInto(one, sameBucket)
  one.end()
  c.putInto(one, 7)
  d.putInto(other, 7)
  one.end()
  other.end()
  using bucket = new Bucket(folder, bucketOf(7), 2)
  expect(told(bucket.take(7))).toEqual([a.out, c.out, d.out])
  expect(told(bucket.take(sameBucket))).toEqual([b.out])
})

/** More than a bucket keeps until it is written. Many ids begin alike. */
const many = Array.from({ length: 600 }, (_, n) => item(n % 10, n % 6, n))

function spoolMany(folder: string): void {
  const [one, other] = [new WordSpool(folder, 0), new WordSpool(folder, 1)]
  for (const each of many) each.putInto(one, 7)
  many[4]!.putInto(other, 7)
  one.end()
  other.end()
}

const sizesIn = (folder: string) => readdirSync(folder).map((name) => statSync(join(folder, name)).size)

test('the items of a large bucket are read from its file', async () => {
  const folder = tempFolder()
  spoolMany(folder)
  const [large, small] = [new Bucket(folder, bucketOf(7), 2, 16 * 400), new Bucket(folder, bucketOf(7), 2)]
  const [inFile, inMemory] = [large.take(7), small.take(7)]
  expect(told(inFile)).toEqual([...many, many[4]!].map(({ out }) => out))
  expect(inFile.sorted()).toEqual(inMemory.sorted())
  large[Symbol.dispose]()
  await vi.waitFor(() => expect(sizesIn(folder)).toEqual([0, 0]))
})

test.each([
  ['read whole', undefined],
  ['read in pieces', 16 * 400],
])('a file that was cut is an error: %s', (_, mostInMemory) => {
  const folder = tempFolder()
  spoolMany(folder)
  const path = join(folder, `${bucketOf(7)}.0`)
  truncateSync(path, statSync(path).size - 1)
  expect(() => new Bucket(folder, bucketOf(7), 2, mostInMemory)).toThrow(/ends inside the item at \d+$/)
})

test('buckets are taken up one after the other, and leave empty files', async () => {
  const folder = tempFolder()
  const spool = new WordSpool(folder, 0)
  const items = [item(1, 0), item(2, 0), item(3, 0)]
  for (const each of items) each.putInto(spool, 1)
  items[2]!.putInto(spool, 2)
  spool.end()
  const read = (wordId: number) => {
    using bucket = new Bucket(folder, bucketOf(wordId), 1)
    return told(bucket.take(wordId))
  }
  expect(read(1)).toEqual(items.map(({ out }) => out))
  expect(read(2)).toEqual([items[2]!.out])
  await vi.waitFor(() => expect(sizesIn(folder)).toEqual([0, 0]))
})

test('a bucket that nothing was put in is empty', () => {
  using bucket = new Bucket(tempFolder(), 3, 2)
  expect(bucket.take(3).count).toBe(0)
})
