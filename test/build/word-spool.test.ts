import { readdirSync, statSync } from 'node:fs'
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
function item(n: number, rank: number) {
  const clipId = `ffffffff-fff${n}-4000-8000-000000000000`
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
  const bucket = new Bucket(folder, bucketOf(7), 2)
  expect(told(bucket.items(7))).toEqual([a.out, c.out, d.out])
  expect(told(bucket.items(sameBucket))).toEqual([b.out])
  bucket.close()
})

test('of a large bucket, the items are read from its file', () => {
  const folder = tempFolder()
  const [one, other] = [new WordSpool(folder, 0), new WordSpool(folder, 1)]
  const items = Array.from({ length: 60 }, (_, n) => item(n % 10, n % 6))
  for (const each of items) each.putInto(one, 7)
  items[4]!.putInto(other, 7)
  one.end()
  other.end()
  const bucket = new Bucket(folder, bucketOf(7), 2, 16 * 400)
  expect(told(bucket.items(7))).toEqual([...items, items[4]!].map(({ out }) => out))
  bucket.close()
})

test('buckets are taken up one after the other, and leave empty files', async () => {
  const folder = tempFolder()
  const spool = new WordSpool(folder, 0)
  const items = [item(1, 0), item(2, 0), item(3, 0)]
  for (const each of items) each.putInto(spool, 1)
  items[2]!.putInto(spool, 2)
  spool.end()
  const read = (wordId: number) => {
    const bucket = new Bucket(folder, bucketOf(wordId), 1)
    const found = told(bucket.items(wordId))
    bucket.close()
    return found
  }
  expect(read(1)).toEqual(items.map(({ out }) => out))
  expect(read(2)).toEqual([items[2]!.out])
  const sizes = () => readdirSync(folder).map((name) => statSync(join(folder, name)).size)
  await vi.waitFor(() => expect(sizes()).toEqual([0, 0]))
})

test('a bucket that nothing was put in is empty', () => {
  const bucket = new Bucket(tempFolder(), 3, 2)
  expect(bucket.items(3).count).toBe(0)
  bucket.close()
})
