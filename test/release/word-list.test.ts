import { expect, test } from 'vitest'
import { cutItems, formatWordList, showClips } from '#release/word-list.ts'
import { itemsPerStep } from '#release/word-table.ts'

const head = { wordId: 1, language: 'en', page: 1, pages: 2 }

test('a page is JSON, and its items come back without being parsed', () => {
  const items = ['{"a":",\\n"}', '{"b":[1,2]}']
  const { text, checkpoints } = formatWordList(head, items)
  expect(JSON.parse(text)).toEqual({ ...head, items: items.map((item) => JSON.parse(item)) })
  const [from, to] = checkpoints as [number, number]
  const bytes = Buffer.from(text).subarray(from, to)
  expect(cutItems(bytes, 0, 2).toString()).toBe(items.join(',\n'))
  expect(cutItems(bytes, 1, 1).toString()).toBe(items[1])
  expect(cutItems(bytes, 0, 1).toString()).toBe(items[0])
})

test('any run of items is cut between two checkpoints', () => {
  const items = Array.from({ length: 50 }, (_, i) => JSON.stringify({ i, text: 'é'.repeat(i) }))
  const { text, checkpoints } = formatWordList(head, items)
  const bytes = Buffer.from(text)
  expect(checkpoints).toHaveLength(5)
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

test('the JSON of each clip takes the place of its id', () => {
  const ids = ['0f3c5a52-7a0e-5b1c-9d64-0f5a2f7f9b11', '0f3c5a52-7a0e-5b1c-9d64-0f5a2f7f9b12']
  const items = ids.map((clip) => JSON.stringify({ clip, occurrences: [{ text: '\n,"é' }] })).join(',\n')
  const shown = showClips(items, (clipId) => JSON.stringify({ clipId }))
  expect(JSON.parse(`[${shown}]`)).toEqual(
    ids.map((clipId) => ({ clip: { clipId }, occurrences: [{ text: '\n,"é' }] })),
  )
})
