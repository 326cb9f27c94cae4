import { expect, test } from 'vitest'
import { SearchTable } from '#release/search/reader.ts'
import { writeSearchTable } from '#release/search/writer.ts'
import { Chance } from '../../harness/chance.ts'

/**
 * The words of two languages, one behind the other, in tables that list what stands in more than
 * `frequentOver` places.
 */
function tableOf(languages: string[][], frequentOver: number) {
  const folded = languages.flat()
  let first = 0
  const ranges = languages.map((words) => {
    const range = { first, clipsEnd: first + Math.ceil(words.length / 2), end: first + words.length }
    first = range.end
    return range
  })
  const levels = Uint8Array.from(folded, (_, row) => row % 6)
  const bytes = Buffer.concat(writeSearchTable({ folded, levels, ranges, frequentOver }))
  return { folded, ranges, table: new SearchTable(new Uint8Array(bytes), 'search.bin') }
}

/** Every place of a text: the row of its word and where in that word it stands, in code units. */
function placesIn(words: readonly string[], { first, end }: { first: number; end: number }, text: string) {
  const places: string[] = []
  for (let row = first; row < end; row++)
    for (let at = words[row]!.indexOf(text); at >= 0; at = words[row]!.indexOf(text, at + 1))
      places.push(`${row} ${at === 0} ${words[row]!.length === at + text.length}`)
  return places.toSorted()
}

const chance = new Chance(1965)
const letters = ['a', 'b', 'é', '語']
const someWord = () => Array.from({ length: 1 + chance.below(6) }, () => chance.pick(letters)).join('')
const languages = [300, 120].map((count) => Array.from({ length: count }, someWord))
const texts = [...languages.flat(), ...Array.from({ length: 200 }, someWord), 'aa', 'b', 'zz']

test('every place of a text is found, with its row and whether the word begins or ends there', () => {
  const { folded, ranges, table } = tableOf(languages, 1e9)
  for (const range of ranges)
    for (const text of texts) {
      const { from, to, length } = table.places(range, text)
      const found = [...table.suffixes.subarray(from, to)].map(
        (position) =>
          `${table.rowAt(range, position)} ${table.isStart(position)} ${table.isEnd(position + length)}`,
      )
      expect(found.toSorted(), text).toEqual(placesIn(folded, range, text))
    }
})

test('a word holds a text wherever that stands in it, and no text that goes on into the next word', () => {
  const { folded, table } = tableOf(languages, 1e9)
  const rows = [...folded.keys()]
  for (const text of ['', 'ab\0', ...texts]) {
    const sought = Buffer.from(text)
    const holding = rows.filter((row) => table.holds(row, sought))
    expect(holding, text).toEqual(rows.filter((row) => folded[row]!.includes(text)))
  }
})

test('a text longer than every word stands nowhere, and so does any in a language without words', () => {
  const { ranges, table } = tableOf([['abc'], []], 1e9)
  expect(table.places(ranges[0]!, 'abcabcabcabc')).toEqual({ from: 0, to: 0, length: 0 })
  expect(table.places(ranges[1]!, 'a')).toEqual({ from: 0, to: 0, length: 0 })
  expect(table.places({ first: 7, clipsEnd: 7, end: 9 }, 'a')).toEqual({ from: 0, to: 0, length: 0 })
})

test('the words of a text in more places than the bound are listed, those that begin with it first', () => {
  const bound = 12
  const { folded, ranges, table } = tableOf(languages, bound)
  let listed = 0
  for (const range of ranges)
    for (const text of texts) {
      const places = table.places(range, text)
      const frequent = table.frequent(range, places)
      expect(frequent !== null, text).toBe(places.to - places.from > bound)
      if (frequent === null) continue
      listed++
      const rows = Array.from({ length: range.end - range.first }, (_, i) => range.first + i)
      const beginning = rows.filter((row) => folded[row]!.startsWith(text))
      const containing = rows.filter((row) => folded[row]!.includes(text) && !beginning.includes(row))
      expect(readAll(frequent.beginning), text).toEqual(beginning)
      expect(readAll(frequent.containing), text).toEqual(containing)
      expect(frequent.counts.reduce((sum, count) => sum + count, 0)).toBe(
        beginning.length + containing.length,
      )
    }
  expect(listed).toBeGreaterThan(20)
})

function readAll(list: { next(): number }): number[] {
  const rows: number[] = []
  for (let row = list.next(); row >= 0; row = list.next()) rows.push(row)
  return rows
}

test('a NUL in a headword does not end the word', () => {
  const { ranges, table } = tableOf([['a\0b', 'c']], 1e9)
  const { from, to } = table.places(ranges[0]!, 'a b')
  expect(to - from).toBe(1)
  expect(table.rowAt(ranges[0]!, table.suffixes[from]!)).toBe(0)
})

test('bytes that are no search table are refused with the path', () => {
  expect(() => new SearchTable(new Uint8Array(64), 'releases/1/search.bin')).toThrow('releases/1/search.bin')
})
