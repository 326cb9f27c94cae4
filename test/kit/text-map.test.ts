import { expect, test } from 'vitest'
import { TextMap } from '#kit/text-map.ts'

interface Counted {
  text: string
  count: number
}

test('texts are found by what they say', () => {
  const map = new TextMap<Counted>(8)
  map.set({ text: 'é', count: 1 })
  map.set({ text: '', count: 2 })
  map.set({ text: 'é', count: 3 })
  expect([map.get('é')?.count, map.get('')?.count, map.get('e')]).toEqual([3, 2, undefined])
})

test('texts that fall together stay apart, and a full map forgets', () => {
  const map = new TextMap<Counted>(64)
  for (let i = 0; i < 64; i++) map.set({ text: `text ${i}`, count: i })
  for (let i = 0; i < 64; i++) expect(map.get(`text ${i}`)?.count).toBe(i)
  map.set({ text: 'one more', count: 64 })
  expect([map.get('one more')?.count, map.get('text 0')]).toEqual([64, undefined])
})
