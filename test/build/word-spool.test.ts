import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { levels, type Level } from '#contract/levels.ts'
import { ByteWriter } from '#kit/byte-writer.ts'
import { tieOf } from '#build/item-order.ts'
import { bucketCount, bucketOf, readBucket, WordSpool, type SpooledItem } from '#build/word-spool.ts'
import { CuesJson } from '#rendering/cues-json.ts'
import { WordClipPacker } from '#rendering/packed-word-clip.ts'
import { sortKeyOf } from '#rendering/word-clips.ts'
import { tempFolder } from '../harness/temp-folder.ts'

/** The packed item of a clip of one token, and what it comes out as. */
function item(n: number, level: Level, rank: number) {
  const clipId = `ffffffff-fff${n}-4000-8000-000000000000`
  const token = { text: 'é', tStart: n, tEnd: n + 0.5, startsSentence: false }
  const cues = [{ tStart: 0, tEnd: 9, text: `"é" ${n}`, tokens: [token] }]
  const json = new CuesJson()
  json.write(cues, [[[]]])
  const packer = new WordClipPacker(
    { clipId, language: 'en', level },
    levels.map(() => 100),
    cues,
    json,
  )
  const hits = [{ tStart: n, tEnd: n + 0.5, cue: 0, start: 0, length: 1 }]
  const pack = (out: ByteWriter) => packer.pack(out, 'A1', hits)
  const counted = { knownShare: 1, occurrenceCount: 1 }
  const occurrences = [{ tStart: n, tEnd: n + 0.5, form: 'é', text: `"é" ${n}` }]
  const place = { sortKey: sortKeyOf(rank, counted), tie: tieOf(clipId) }
  return { pack, out: { ...place, json: JSON.stringify({ clip: clipId, ...counted, occurrences }) } }
}

function jsonOf(spooled: SpooledItem): string {
  const out = new ByteWriter()
  spooled.writeTo(out)
  return out.view().toString()
}

test('what the workers put down clip by clip is taken up word by word', () => {
  const folder = tempFolder()
  const [one, other] = [new WordSpool(folder, 0), new WordSpool(folder, 1)]
  const sameBucket = 7 + bucketCount
  const [a, b, c, d] = [item(1, 'A1', 0), item(2, 'C2', 5), item(3, 'B1', 2), item(4, 'A2', 1)]
  one.put(7, a.pack)
  one.put(sameBucket, b.pack)
  one.end()
  one.put(7, c.pack)
  other.put(7, d.pack)
  one.end()
  other.end()
  const items = readBucket(folder, bucketOf(7), 2, new ByteWriter())
  const told = (wordId: number) =>
    items.get(wordId)!.map((spooled) => ({
      sortKey: spooled.sortKey,
      tie: spooled.tie,
      json: jsonOf(spooled),
    }))
  expect(told(7)).toEqual([a.out, c.out, d.out])
  expect(told(sameBucket)).toEqual([b.out])
})

test('buckets are taken up in the same memory one after the other, and leave empty files', async () => {
  const folder = tempFolder()
  const spool = new WordSpool(folder, 0)
  const items = [item(1, 'A1', 0), item(2, 'A1', 0), item(3, 'A1', 0)]
  for (const { pack } of items) spool.put(1, pack)
  spool.put(2, items[2]!.pack)
  spool.end()
  const memory = new ByteWriter()
  const read = (wordId: number) => {
    const found = readBucket(folder, bucketOf(wordId), 1, memory).get(wordId)!
    return found.map(jsonOf)
  }
  expect(read(1)).toEqual(items.map(({ out }) => out.json))
  expect(read(2)).toEqual([items[2]!.out.json])
  const sizes = () => readdirSync(folder).map((name) => statSync(join(folder, name)).size)
  await vi.waitFor(() => expect(sizes()).toEqual([0, 0]))
})

test('a bucket that nothing was put in is empty', () => {
  expect(readBucket(tempFolder(), 3, 2, new ByteWriter()).size).toBe(0)
})
