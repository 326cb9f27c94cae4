import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packWords, unpackWords } from '#indexing/pack-words.ts'
import { attachWords } from '#indexing/attach-words.ts'
import type { TokenisedCue } from '#indexing/tokenise.ts'

const token = (text: string) => ({ text, tStart: 0, tEnd: 0, startsSentence: false })
const cueOf = (...texts: string[]): TokenisedCue => ({
  tStart: 0,
  tEnd: 1,
  text: texts.join(''),
  tokens: texts.map(token),
})
const word = (start: number, end: number, lemmas: string[], isFunctionWord = false) => ({
  start,
  end,
  lemmas,
  isFunctionWord,
})

test('a line holds what the spelling of a token does not tell', () => {
  const cue = cueOf('食べ', 'まし', 'た', '図書', '館')
  attachWords(cue, [
    word(0, 2, ['食べる', '食べ']),
    word(2, 4, ['ます'], true),
    word(4, 5, ['た'], true),
    word(5, 8, ['図書館']),
  ])
  expect(packWords([cue])).toBe('0.0\t 食べる\n0.1\t* ます\n0.3\t2~ 図書館')
})

test('what is packed and unpacked names the same lemmas, and tokens inside a word have none', () => {
  const cue = cueOf('図書', '館', 'で')
  attachWords(cue, [word(0, 3, ['図書館']), word(3, 4, ['で'], true)])
  const again = cueOf('図書', '館', 'で')
  unpackWords([again], packWords([cue]))
  expect(again.tokens.map(({ words }) => words?.map(({ lemmas }) => lemmas))).toEqual([
    [['図書館']],
    [],
    undefined,
  ])
})

test('packing what was unpacked changes nothing', () => {
  const lemma = fc.string({
    minLength: 1,
    maxLength: 4,
    unit: fc.constantFrom('a', '食', '|', '\t', ' ', '~', '*', '2'),
  })
  const words = fc.array(
    fc.tuple(fc.nat(8), fc.integer({ min: 1, max: 5 }), fc.array(lemma, { maxLength: 3 }), fc.boolean()),
    { maxLength: 5 },
  )
  fc.assert(
    fc.property(words, (found) => {
      const cue = cueOf('ab', 'c', 'def', 'gh')
      const sorted = found.toSorted((a, b) => a[0] - b[0])
      attachWords(
        cue,
        sorted.map(([start, length, lemmas, isFunction]) =>
          word(start, Math.min(8, start + length), lemmas, isFunction),
        ),
      )
      const packed = packWords([cue])
      const again = cueOf('ab', 'c', 'def', 'gh')
      unpackWords([again], packed)
      expect(packWords([again])).toBe(packed)
    }),
    { seed: 1, numRuns: 300 },
  )
})
