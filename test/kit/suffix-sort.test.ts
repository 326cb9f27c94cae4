import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sortSuffixes } from '#kit/suffix-sort.ts'

const suffixAt = (text: string, position: number) => text.slice(position, text.indexOf('\0', position))
const isStart = (text: string, position: number) => position === 0 || text[position - 1] === '\0'

test('suffixes are sorted as texts; of equal ones whole texts come first, then by position', () => {
  const someTexts = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'ab'), maxLength: 9 }), {
    minLength: 1,
    maxLength: 60,
  })
  fc.assert(
    fc.property(someTexts, (texts) => {
      const text = texts.join('\0') + '\0'
      const positions = Uint32Array.from([...text].flatMap((char, i) => (char === '\0' ? [] : [i])))
      const right = [...positions].sort((a, b) => {
        const [x, y] = [suffixAt(text, a), suffixAt(text, b)]
        return x < y ? -1 : x > y ? 1 : Number(isStart(text, b)) - Number(isStart(text, a)) || a - b
      })
      sortSuffixes(Buffer.from(text), positions)
      expect([...positions]).toEqual(right)
    }),
    { numRuns: 300, seed: 7 },
  )
})
