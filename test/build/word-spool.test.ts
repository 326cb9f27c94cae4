import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { levels } from '#contract/levels.ts'
import { ByteWriter } from '#kit/byte-writer.ts'
import { tieOf, type ListItem } from '#build/list-item.ts'
import { bucketCount, bucketOf, readBucket, WordSpool } from '#build/word-spool.ts'
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
  const place = { sortKey: sortKeyOf(rank, counted), tie: tieOf(clipId) }
  return { putInto, out: { ...place, json: JSON.stringify({ clip: clipId, ...counted, occurrences }) } }
}

function jsonOf(spooled: ListItem): string {
  const out = new ByteWriter()
  spooled.writeTo(out)
  return out.view().toString()
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
  const items = readBucket(folder, bucketOf(7), 2)
  const told = (wordId: number) =>
    items.get(wordId)!.map((spooled) => ({
      sortKey: spooled.sortKey,
      tie: spooled.tie,
      json: jsonOf(spooled),
    }))
  expect(told(7)).toEqual([a.out, c.out, d.out])
  expect(told(sameBucket)).toEqual([b.out])
})

test('buckets are taken up one after the other, and leave empty files', async () => {
  const folder = tempFolder()
  const spool = new WordSpool(folder, 0)
  const items = [item(1, 0), item(2, 0), item(3, 0)]
  for (const each of items) each.putInto(spool, 1)
  items[2]!.putInto(spool, 2)
  spool.end()
  const read = (wordId: number) => {
    const found = readBucket(folder, bucketOf(wordId), 1).get(wordId)!
    return found.map(jsonOf)
  }
  expect(read(1)).toEqual(items.map(({ out }) => out.json))
  expect(read(2)).toEqual([items[2]!.out.json])
  const sizes = () => readdirSync(folder).map((name) => statSync(join(folder, name)).size)
  await vi.waitFor(() => expect(sizes()).toEqual([0, 0]))
})

test('a bucket that nothing was put in is empty', () => {
  expect(readBucket(tempFolder(), 3, 2).size).toBe(0)
})
