import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { searchFold } from '#language/search-fold.ts'
import { findWords, type SearchIndex, type SearchOptions } from '#proxy/search/find-words.ts'
import { SearchTable } from '#release/search/reader.ts'
import { writeSearchTable } from '#release/search/writer.ts'

interface Word {
  folded: string
  level: number
  hasClips: boolean
}

/** Words of one language in the order of rows: those with clips first. */
function indexOf(words: readonly Word[], frequentOver?: number): SearchIndex {
  const range = { first: 0, clipsEnd: words.filter(({ hasClips }) => hasClips).length, end: words.length }
  const levels = Uint8Array.from(words, ({ level }) => level)
  const folded = words.map((word) => word.folded)
  const pieces = writeSearchTable({
    folded,
    levels,
    ranges: [range],
    ...(frequentOver === undefined ? {} : { frequentOver }),
  })
  const search = new SearchTable(new Uint8Array(Buffer.concat(pieces)), 'search.bin')
  return { search, levels, range }
}

/** The contract's order, the slow and obvious way. */
function expected(
  words: readonly Word[],
  folded: string,
  { levelMask, hasClips, offset, limit }: SearchOptions,
) {
  const rows = words
    .map((word, row) => ({ ...word, row }))
    .filter((word) => (word.hasClips || !hasClips) && (levelMask >> word.level) & 1)
  const group = (word: Word) =>
    word.folded === folded ? 0 : word.folded.startsWith(folded) ? 1 : word.folded.includes(folded) ? 2 : 3
  const matches =
    folded === '' ? rows : [0, 1, 2].flatMap((wanted) => rows.filter((word) => group(word) === wanted))
  return { rows: matches.map(({ row }) => row).slice(offset, offset + limit), totalCount: matches.length }
}

const all: SearchOptions = { levelMask: 63, hasClips: false, offset: 0, limit: 100 }
const simple = (...texts: string[]) => texts.map((folded): Word => ({ folded, level: 0, hasClips: true }))

describe('words that hold a text', () => {
  const words = simple('lookout', 'outlook', 'look', 'out', 'overlook', 'look after')
  const found = (text: string) => findWords(indexOf(words), text, all).rows.map((row) => words[row]!.folded)

  test('come the word itself first, then words that begin with it, then words that contain it, each in their order', () => {
    expect(found('look')).toEqual(['look', 'lookout', 'look after', 'outlook', 'overlook'])
    expect(found('out')).toEqual(['out', 'outlook', 'lookout'])
  })

  test('are none for a text that is in no word', () => {
    expect(found('lookz')).toEqual([])
  })

  test('are all for an empty text', () => {
    expect(found('')).toEqual(words.map(({ folded }) => folded))
  })

  test('are told once, however often they hold it', () => {
    const many = simple('banana', 'an', 'ananas', 'ban')
    expect(findWords(indexOf(many), 'an', all)).toEqual({ rows: [1, 2, 0, 3], totalCount: 4 })
  })

  test('are found by whole characters, not by their bytes', () => {
    const cjk = simple('猫', '小猫', '猫科動物', '狗', 'か', 'が')
    expect(findWords(indexOf(cjk), '猫', all).rows).toEqual([0, 2, 1])
    expect(findWords(indexOf(cjk), 'か', all).rows).toEqual([4])
  })

  test('may be as long as a headword can be', () => {
    const long = 'a'.repeat(700)
    const words = simple(long, `${long}b`, 'a')
    expect(findWords(indexOf(words), 'a'.repeat(100), all).rows).toEqual([0, 1])
  })

  test('of which none is there', () => {
    expect(findWords(indexOf([]), 'a', all)).toEqual({ rows: [], totalCount: 0 })
    expect(findWords(indexOf([]), '', all)).toEqual({ rows: [], totalCount: 0 })
  })
})

// Few letters make doubles, shared beginnings and overlaps; a low bound makes nearly every text a
// frequent one.
const someText = fc.string({
  unit: fc.constantFrom('a', 'b', 'ab', ' ', 'é', 'が', '猫', '😀'),
  minLength: 1,
  maxLength: 6,
})
const someWords = fc
  .array(
    fc.record({
      folded: someText.map((text) => searchFold(text, 'en')),
      level: fc.nat(5),
      hasClips: fc.boolean(),
    }),
    { maxLength: 40 },
  )
  .map((words) => words.toSorted((a, b) => Number(b.hasClips) - Number(a.hasClips)))
const someOptions = fc.record({
  levelMask: fc.oneof(fc.constant(63), fc.nat(63)),
  hasClips: fc.boolean(),
  offset: fc.nat(12),
  limit: fc.integer({ min: 1, max: 10 }),
})

test.each([0, 1, 3, 10, undefined])(
  'agree with a scan of all words, their total too (texts in more than %s places are listed)',
  (frequentOver) => {
    fc.assert(
      fc.property(someWords, fc.oneof(someText, fc.constant('')), someOptions, (words, text, options) => {
        const folded = searchFold(text, 'en')
        expect(findWords(indexOf(words, frequentOver), folded, options)).toEqual(
          expected(words, folded, options),
        )
      }),
      { numRuns: 400, seed: 20_261_120 },
    )
  },
)
