import { expect, test } from 'vitest'
import { TextMap } from '#kit/text-map.ts'

test('texts are found by what they say', () => {
  const map = new TextMap<number>(8)
  map.set('é', 1)
  map.set('', 2)
  map.set('é', 3)
  expect([map.get('é'), map.get(''), map.get('e')]).toEqual([3, 2, undefined])
})

test('texts that fall together stay apart, and a full map forgets', () => {
  const map = new TextMap<number>(64)
  for (let i = 0; i < 64; i++) map.set(`text ${i}`, i)
  for (let i = 0; i < 64; i++) expect(map.get(`text ${i}`)).toBe(i)
  map.set('one more', 64)
  expect([map.get('one more'), map.get('text 0')]).toEqual([64, undefined])
})
