import { expect, test } from 'vitest'
import { ByteWriter } from '#kit/byte-writer.ts'
import { bucketCount, bucketOf, readBucket, WordSpool } from '#nightly/word-spool.ts'
import { tempFolder } from '../harness/temp-folder.ts'

test('what the hands put down clip by clip is taken up word by word', () => {
  const folder = tempFolder()
  const [one, other] = [new WordSpool(folder, 0), new WordSpool(folder, 1)]
  const sameBucket = 7 + bucketCount
  one.put(7, { slot: 64, hardness: 2 ** 41 + 1, tie: 2 ** 48 - 1 }, '{"a":"ü"}')
  one.put(sameBucket, { slot: 64, hardness: 1, tie: 5 }, '{}')
  one.end()
  one.put(7, { slot: 128, hardness: 3, tie: 0 }, '{"b":1}')
  other.put(7, { slot: 1, hardness: 2, tie: 0 }, '{"c":1}')
  one.end()
  other.end()
  const items = readBucket(folder, bucketOf(7), 2, new ByteWriter())
  const texts = (wordId: number) =>
    items
      .get(wordId)!
      .map(({ slot, hardness, tie, bytes, from, to }) => [
        slot,
        hardness,
        tie,
        bytes.toString('utf8', from, to),
      ])
  expect(texts(7)).toEqual([
    [64, 2 ** 41 + 1, 2 ** 48 - 1, '{"a":"ü"}'],
    [128, 3, 0, '{"b":1}'],
    [1, 2, 0, '{"c":1}'],
  ])
  expect(texts(sameBucket)).toEqual([[64, 1, 5, '{}']])
})

test('a bucket that nothing was put in is empty', () => {
  expect(readBucket(tempFolder(), 3, 2, new ByteWriter()).size).toBe(0)
})
