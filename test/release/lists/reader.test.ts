import { expect, test } from 'vitest'
import { ByteWriter } from '#kit/byte-writer.ts'
import { clipTableOf, someClipEntry } from '../../harness/clip-table.ts'
import { itemsPerStep } from '#release/lists/layout.ts'
import { cutItems, joinItems, mergeItems, writeItems } from '#release/lists/reader.ts'
import { WordListWriter } from '#release/lists/writer.ts'

const head = { wordId: 1, language: 'en' }

/** The pages of a list, and its checkpoints. */
function written(items: readonly string[]): { pages: string[]; checkpoints: ArrayLike<number> } {
  const pages: string[] = []
  const writer = new WordListWriter(head, items.length, (bytes) => pages.push(bytes.toString()))
  for (const item of items) writer.add((out) => out.text(item))
  return { pages, ...writer.finish() }
}

test('a page is JSON, and its items come back without being parsed', () => {
  const items = ['{"a":",\\n"}', '{"b":[1,2]}']
  const { pages, checkpoints } = written(items)
  const text = pages[0]!
  expect(JSON.parse(text)).toEqual({
    ...head,
    page: 1,
    pages: 1,
    items: items.map((item) => JSON.parse(item)),
  })
  const [from, to] = checkpoints as number[]
  const bytes = Buffer.from(text).subarray(from, to)
  expect(cutItems(bytes, 0, 2).toString()).toBe(items.join(',\n'))
  expect(cutItems(bytes, 1, 1).toString()).toBe(items[1])
  expect(cutItems(bytes, 0, 1).toString()).toBe(items[0])
})

test('any run of items is cut between two checkpoints', () => {
  const items = Array.from({ length: 50 }, (_, i) => JSON.stringify({ i, text: 'é'.repeat(i) }))
  const { pages, checkpoints } = written(items)
  const bytes = Buffer.from(pages[0]!)
  expect(checkpoints).toHaveLength(7)
  for (let start = 0; start < items.length; start++) {
    for (let end = start + 1; end <= items.length; end++) {
      const step = Math.floor(start / itemsPerStep)
      const piece = bytes.subarray(checkpoints[step], checkpoints[Math.ceil(end / itemsPerStep)])
      const cut = cutItems(piece, start - step * itemsPerStep, end - start).toString()
      if (cut !== items.slice(start, end).join(',\n'))
        expect.fail(`items ${start} to ${end} are cut as ${cut}`)
    }
  }
})

test('runs of items become one, with later items at their places and without those that are gone', () => {
  const run = (...items: number[]) => Buffer.from(items.map((i) => `{"i":${i}}`).join(',\n'))
  const merged = (base: Buffer, later: Buffer, places: number[], gone: number[]) =>
    mergeItems(base, later, { places: Uint32Array.from(places), gone: Uint32Array.from(gone) }).toString()
  expect(joinItems([run(1, 2), run(3)])).toEqual(run(1, 2, 3))
  expect(joinItems([]).toString()).toBe('')
  expect(merged(run(1, 2, 3), run(), [], [])).toBe(run(1, 2, 3).toString())
  expect(merged(run(1, 2, 3), run(8, 9), [0, 1], [])).toBe(run(8, 9, 1, 2, 3).toString())
  expect(merged(run(1, 2, 3), run(8, 9), [1, 4], [])).toBe(run(1, 8, 2, 3, 9).toString())
  expect(merged(run(1, 2, 3), run(8, 9), [1, 2], [0, 2])).toBe(run(2, 8, 9).toString())
  expect(merged(run(), run(8, 9), [0, 1], [])).toBe(run(8, 9).toString())
  expect(merged(run(1), run(), [], [0])).toBe('')
})

test('the JSON of each clip takes the place of its id', () => {
  const ids = ['0f3c5a52-7a0e-5b1c-9d64-0f5a2f7f9b11', '0f3c5a52-7a0e-5b1c-9d64-0f5a2f7f9b12']
  const entries = ids.map((clipId, ordinal) => someClipEntry(ordinal, { clipId, title: 'é' }))
  const clips = entries.map(({ clip }) => clip)
  const table = clipTableOf(entries)
  const shown = (wanted: string[]) => {
    const items = wanted.map((clip) => JSON.stringify({ clip, occurrences: [{ text: '\n,"é' }] }))
    const out = new ByteWriter()
    writeItems(out, Buffer.from(items.join(',\n')), table)
    return JSON.parse(`[${out.view().toString()}]`) as unknown
  }
  expect(shown(ids)).toEqual(clips.map((clip) => ({ clip, occurrences: [{ text: '\n,"é' }] })))
  expect(() => shown([ids[0]!.replace('0f', '1f')])).toThrow(/the release lacks one of them$/)
})
