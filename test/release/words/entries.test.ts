import { expect, test } from 'vitest'
import { glosses, type Gloss, type Meanings } from '#contract/glosses.ts'
import { ByteWriter } from '#kit/byte-writer.ts'
import { openTable, writeTable } from '#release/table-file.ts'
import { glossBytes, WordEntries, wordOpening, writeEntry } from '#release/words/entries.ts'

const meanings = { en: 'move "fast"', es: 'correr', zh: '跑' }
const word = { wordId: 12, word: 'run', level: 'A1', meanings, forms: ['ran', 'runs'] } as const

/** The entries of a table that was written with these glosses. */
function entriesOf(list: readonly string[], ...all: Meanings[]): WordEntries {
  const out = new ByteWriter()
  const entryAt = [0]
  for (const meanings of all) {
    writeEntry(out, { ...word, meanings, forms: [...word.forms] }, list)
    entryAt.push(out.length)
  }
  return opened(Uint32Array.from(entryAt), out.view(), list)
}

function opened(
  entryAt: Uint32Array<ArrayBuffer>,
  entries: Uint8Array<ArrayBuffer>,
  list: readonly string[] = glosses,
): WordEntries {
  const pieces = writeTable('words', { entryAt, entries, glosses: glossBytes(list) })
  return new WordEntries(openTable(new Uint8Array(Buffer.concat(pieces)), 'words', 'words.bin'))
}

function shown(entries: WordEntries, row: number, gloss: string): unknown {
  const out = new ByteWriter()
  out.text(wordOpening)
  entries.writeShown(out, entries.entryAt(row), gloss as Gloss)
  out.text('"}')
  return (JSON.parse(out.view().toString()) as { meaning: string }).meaning
}

test('a gloss that a release was written without falls back to English', () => {
  const written = entriesOf(glosses, meanings)
  expect(shown(written, 0, 'xx')).toBe('move "fast"')
  expect(shown(written, 0, 'es')).toBe('correr')
  expect(written.read(0)).toEqual(word)
})

test('a release tells its own glosses, in whatever order and number the program has them', () => {
  const written = entriesOf(['en', 'xx', 'es'], { en: 'move', xx: 'laufen', es: 'correr' } as Meanings)
  expect(['en', 'xx', 'es', 'zh'].map((gloss) => shown(written, 0, gloss))).toEqual([
    'move',
    'laufen',
    'correr',
    'move',
  ])
})

test('an entry holds meanings in as many glosses as the table has: nine, and forty', () => {
  for (const count of [9, 40]) {
    const list = ['en', ...Array.from({ length: count - 1 }, (_, i) => `x${i}`)]
    const all = Object.fromEntries(list.map((gloss) => [gloss, `in ${gloss}`])) as Meanings
    const last = { [list.at(-1)!]: 'the last alone' } as Meanings
    const written = entriesOf(list, all, last)
    expect(written.read(0).meanings).toEqual(all)
    expect(written.read(1).meanings).toEqual(last)
    for (const gloss of list) expect(shown(written, 0, gloss)).toBe(`in ${gloss}`)
    expect(shown(written, 1, list.at(-1)!)).toBe('the last alone')
    expect(shown(written, 1, 'x0')).toBe('')
  }
})

test('glosses begin with English, and are no more than a mask can name', () => {
  expect(() => glossBytes(['es', 'en'])).toThrow('en must be first')
  expect(() => glossBytes(['en', ...Array.from({ length: 53 }, (_, i) => `x${i}`)])).toThrow('at most 53')
})

test('an entry that is cut short is refused, not read on for ever', () => {
  const cut = opened(Uint32Array.of(0, 3), Uint8Array.of(0, 0, 128))
  expect(() => cut.read(0)).toThrow('cannot read a number: the 3 bytes end within it')
})
