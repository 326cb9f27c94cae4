import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  changesText,
  clipsOf,
  historyAfter,
  inverse,
  keptChanges,
  netOf,
  parseItems,
  stepsBetween,
  type Change,
  type Changes,
} from '#release/changes.ts'
import { atOnce } from '#proxy/turns.ts'
import type { Manifest } from '#release/manifest.ts'

/** What is live in a release: clips by id, each with its revision. */
type Live = ReadonlyMap<string, number>

function changeBetween(before: Live, after: Live): Change<string> {
  const added = [...after.keys()].filter((id) => !before.has(id)).sort()
  const withdrawn = [...before.keys()].filter((id) => !after.has(id)).sort()
  const changed = [...after.keys()].filter((id) => before.has(id) && before.get(id) !== after.get(id)).sort()
  return { added, changed, withdrawn }
}

const someLive = fc
  .uniqueArray(fc.tuple(fc.constantFrom<string>('a', 'b', 'c', 'd'), fc.nat(2)), { selector: ([id]) => id })
  .map((entries) => new Map(entries))

test('net changes name what is in one release and not in the other, and all that may differ, forth and back', () => {
  fc.assert(
    fc.property(fc.array(someLive, { minLength: 1, maxLength: 8 }), fc.nat(7), fc.nat(7), (nights, a, b) => {
      const [from, to] = [a % nights.length, b % nights.length]
      const [low, high] = [Math.min(from, to), Math.max(from, to)]
      const forth = nights.slice(low + 1, high + 1).map((live, i) => changeBetween(nights[low + i]!, live))
      const net = atOnce(netOf(from > to ? forth.reverse().map(inverse) : forth))
      const wanted = changeBetween(nights[from]!, nights[to]!)
      expect(net.added.sort()).toEqual(wanted.added)
      expect(net.withdrawn.sort()).toEqual(wanted.withdrawn)
      expect(net.changed).toEqual(expect.arrayContaining(wanted.changed))
      for (const id of net.changed) expect(nights[from]!.has(id) && nights[to]!.has(id)).toBe(true)
    }),
    { seed: 20, numRuns: 400 },
  )
})

test('net changes of clips name exactly those whose record differs', () => {
  const recordsOf = (live: Live) =>
    new Map(
      [...live].map(([id, revision]) => [`data/clips/${id}${revision > 0 ? `.${revision}` : ''}.json`, 0]),
    )
  fc.assert(
    fc.property(fc.array(someLive, { minLength: 1, maxLength: 8 }), (nights) => {
      const steps = nights.slice(1).map((live, i) => changeBetween(recordsOf(nights[i]!), recordsOf(live)))
      const net = atOnce(clipsOf(atOnce(netOf(steps))))
      for (const ids of Object.values<string[]>({ ...net })) ids.sort()
      expect(net).toEqual(changeBetween(nights[0]!, nights.at(-1)!))
    }),
    { seed: 20, numRuns: 400 },
  )
})

const idOf = (number: number) => `${String(number).padStart(6, '0')}-00000000`

/** A release whose history begins with release 1. */
function manifestOf(number: number): Manifest {
  const history = Array.from({ length: number - 1 }, (_, i) => ({
    release: idOf(i + 1),
    changes: `digest of ${i + 1}`,
  }))
  const files = { 'changes.json': `digest of ${number}` }
  return { release: idOf(number), history, files } as unknown as Manifest
}

test('the steps between two releases are those after the older one, in either direction', () => {
  const steps = (from: number, to: number) =>
    stepsBetween(manifestOf(5), idOf(from), idOf(to))?.map(({ release }) => release) ?? null
  expect(steps(2, 5)).toEqual([idOf(3), idOf(4), idOf(5)])
  expect(steps(5, 3)).toEqual([idOf(4), idOf(5)])
  expect(steps(5, 5)).toEqual([])
  expect(steps(0, 5)).toBeNull()
  expect(steps(5, 6)).toBeNull()
})

test('a release remembers the last 60 before it', () => {
  const history = historyAfter(manifestOf(70))
  expect(history).toHaveLength(keptChanges)
  expect(history.at(-1)).toEqual({ release: idOf(70), changes: 'digest of 70' })
})

const many = Array.from({ length: 25_000 }, (_, i) => i)
const changes: Changes = {
  from: null,
  to: idOf(0),
  clips: { added: ['a', 'b'], changed: [], withdrawn: ['"'] },
  words: { added: many, changed: [], withdrawn: [7] },
  files: { added: ['data/clips/a.json', 'data/clips/b.json', 'data/corpus.x.json'], removed: [] },
}

test('the text is JSON, an id or path a line, and comes in pieces', () => {
  const pieces = [...changesText(changes)]
  expect(JSON.parse(pieces.join(''))).toEqual(changes)
  expect(pieces.join('')).toContain('"added": [\n"a",\n"b"\n]')
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(100_000)
})

test('the records and words come back from the text as they were written', () => {
  const records = { added: changes.files.added.slice(0, 2), changed: [], withdrawn: [] }
  const text = [...changesText(changes)].join('')
  expect(atOnce(parseItems(Buffer.from(text)))).toEqual({ records, words: changes.words })
})
