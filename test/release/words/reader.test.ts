import fc from 'fast-check'
import { expect, test } from 'vitest'
import { glosses, type Meanings } from '#contract/glosses.ts'
import { levels } from '#contract/levels.ts'
import { ByteWriter } from '#kit/byte-writer.ts'
import type { ClipList } from '#release/lists/clip-list.ts'
import { byRow, type WordRow } from '#release/words/layout.ts'
import { WordTable } from '#release/words/reader.ts'
import { writeWordTable } from '#release/words/writer.ts'

function open(rows: readonly WordRow[]): WordTable {
  const pieces = writeWordTable(rows.length, (row) => rows[row]!)
  return new WordTable(new Uint8Array(Buffer.concat(pieces)), 'words.bin')
}

/**
 * A list of so many clips, spread over the levels: what stands in its files is nobody's concern
 * here.
 */
function listOf(clips: number): ClipList | null {
  if (clips === 0) return null
  const clipsByLevel = levels.map((_, i) => Math.floor((clips + i) / levels.length))
  return {
    clipsByLevel,
    base: { digest: '00112233aabbccdd', checkpoints: Uint32Array.of(40, 90) },
    since: null,
  }
}

const someText = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
  fc.constantFrom('a"b', '\\', '","wordId":7,"level":"A1","meaning":"', '\u2028', 'x'.repeat(300)),
)
const someMeanings = fc.record(
  Object.fromEntries(glosses.map((gloss) => [gloss, fc.oneof(someText, fc.constant(''))])),
  { requiredKeys: [] },
) as fc.Arbitrary<Meanings>
const someWord = fc.record({
  wordId: fc.nat(2 ** 32 - 2),
  language: fc.constantFrom('en', 'tr', 'zz'),
  word: someText,
  level: fc.constantFrom(...levels),
  meanings: someMeanings,
  forms: fc.array(someText, { maxLength: 4 }),
  clips: fc.oneof(fc.constant(0), fc.nat(500)),
})

const word: WordRow = {
  wordId: 12,
  language: 'en',
  word: 'run',
  level: 'A1',
  meanings: { en: 'move fast', es: 'correr' },
  forms: ['ran'],
  list: null,
}

test('every word comes back, and its JSON is that of JSON.stringify in every gloss', () => {
  fc.assert(
    fc.property(fc.uniqueArray(someWord, { selector: ({ wordId }) => wordId, maxLength: 20 }), (words) => {
      const rows = words
        .map(({ clips, ...word }) => ({ ...word, list: listOf(clips), clipCount: clips }))
        .sort(byRow)
      const table = open(rows)
      const other = open([{ ...word, wordId: 2 ** 32 - 1, language: 'aa' }, ...rows])
      const shown = (write: (out: ByteWriter) => void) => {
        const out = new ByteWriter(1)
        out.text('{"word":"')
        write(out)
        out.text('"}')
        return out.view().toString()
      }
      for (const [row, source] of rows.entries()) {
        const { wordId, level, meanings } = source
        expect(table.row(row)).toEqual(source)
        expect(table.find(wordId)).toBe(row)
        expect(table.wordId(row)).toBe(wordId)
        expect(table.isSame(row, other, row + 1)).toBe(true)
        for (const gloss of glosses) {
          const wanted = { word: source.word, wordId, level, meaning: meanings[gloss] ?? meanings.en ?? '' }
          expect(shown((out) => table.writeShown(out, row, gloss))).toBe(JSON.stringify(wanted))
          const at = other.entryAt(row + 1)
          expect(shown((out) => other.writeShownAt(out, at, gloss))).toBe(JSON.stringify(wanted))
        }
      }
      const ids = new Set(words.map(({ wordId }) => wordId))
      const near = [0, 2 ** 32 - 1, ...ids].flatMap((id) => [id - 1, id, id + 1])
      for (const id of near) if (!ids.has(id)) expect(table.find(id)).toBe(-1)
    }),
    { numRuns: 200, seed: 5 },
  )
})

test.each<[string, Partial<WordRow>]>([
  ['wordId', { wordId: 13 }],
  ['headword', { word: 'runs' }],
  ['level', { level: 'A2' }],
  ['language', { language: 'tr' }],
  ['English meaning', { meanings: { en: 'move quickly', es: 'correr' } }],
  ['empty English meaning instead of none', { meanings: { en: '', es: 'correr' } }],
  ['other meaning', { meanings: { en: 'move fast', es: 'andar' } }],
  ['form', { forms: ['runs'] }],
])('a word with another %s is not the same', (what, change) => {
  const before = what.startsWith('empty') ? { ...word, meanings: { es: 'correr' } } : word
  expect(open([before]).isSame(0, open([{ ...before, ...change }]), 0)).toBe(false)
})

test('a table that is cut short, or is one of clips, is refused', () => {
  const pieces = writeWordTable(1, () => word)
  const bytes = Buffer.concat(pieces)
  expect(() => new WordTable(new Uint8Array(bytes.subarray(0, 100)), 'words.bin')).toThrow(/cut short$/)
  bytes.write('clips', 16, 'latin1')
  expect(() => new WordTable(new Uint8Array(bytes), 'words.bin')).toThrow(
    'cannot open "words.bin": it holds "clips", wanted "words"',
  )
})
