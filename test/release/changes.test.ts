import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  changesText,
  historyAfter,
  NetChange,
  stepsBetween,
  type Change,
  type Changes,
} from '#release/changes.ts'
import { atOnce } from '#proxy/turns.ts'
import type { Manifest } from '#release/manifest.ts'

/** The live clips of a release: each id with its revision. */
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

const ascending = (a: number, b: number) => a - b
const someNights = fc.array(someLive, { minLength: 1, maxLength: 8 })
const idsOf = { a: 1, b: 2, c: 3, d: 4 }
const recordsOf = (live: Live) =>
  new Map([...live].map(([id, revision]) => [`data/clips/${id}${revision ? `.${revision}` : ''}.json`, 0]))

/** Returns the changes of a night, in which every clip has a word. */
function changesOf(before: Live, after: Live): Changes {
  const clips = changeBetween(before, after)
  const words = Object.entries(clips).map(([kind, ids]) => [
    kind,
    (ids as (keyof typeof idsOf)[]).map((id) => idsOf[id]),
  ])
  const { added, withdrawn } = changeBetween(recordsOf(before), recordsOf(after))
  const files = { added, removed: withdrawn }
  return { from: null, to: '', clips, words: Object.fromEntries(words) as Changes['words'], files }
}

test('net changes name the clips and words that differ between two releases, in both directions', () => {
  fc.assert(
    fc.property(someNights, fc.nat(7), fc.nat(7), (nights, a, b) => {
      const [from, to] = [a % nights.length, b % nights.length]
      const [low, high] = [Math.min(from, to), Math.max(from, to)]
      const steps = nights.slice(low + 1, high + 1).map((live, i) => changesOf(nights[low + i]!, live))
      const net = new NetChange(from > to)
      for (const step of from > to ? steps.reverse() : steps)
        atOnce(net.add(Buffer.from([...changesText(step)].join(''))))
      const { clips, words } = atOnce(net.result())
      for (const ids of Object.values<string[]>({ ...clips })) ids.sort()
      // Exactly those with a different record.
      expect(clips).toEqual(changeBetween(nights[from]!, nights[to]!))
      const wanted = changesOf(nights[from]!, nights[to]!).words
      expect(words.added.sort(ascending)).toEqual(wanted.added)
      expect(words.withdrawn.sort(ascending)).toEqual(wanted.withdrawn)
      // Words that may differ.
      expect(words.changed).toEqual(expect.arrayContaining(wanted.changed))
      for (const id of words.changed) expect([...words.added, ...words.withdrawn]).not.toContain(id)
    }),
    { seed: 20, numRuns: 400 },
  )
})

const idOf = (number: number) => `${String(number).padStart(6, '0')}-00000000`

/** Returns a release whose history starts with release 1. */
function manifestOf(number: number): Manifest {
  const history = Array.from({ length: number - 1 }, (_, i) => ({
    release: idOf(i + 1),
    changes: `digest of ${i + 1}`,
  }))
  const files = { 'changes.json': `digest of ${number}` }
  return { release: idOf(number), history, files } as unknown as Manifest
}

test('the steps between two releases are those after the older one, in both directions', () => {
  const steps = (from: number, to: number) =>
    stepsBetween(manifestOf(5), idOf(from), idOf(to))?.map(({ release }) => release) ?? null
  expect(steps(2, 5)).toEqual([idOf(3), idOf(4), idOf(5)])
  expect(steps(5, 3)).toEqual([idOf(4), idOf(5)])
  expect(steps(5, 5)).toEqual([])
  expect(steps(0, 5)).toBeNull()
  expect(steps(5, 6)).toBeNull()
})

test('a release remembers the 60 releases before it', () => {
  const history = historyAfter(manifestOf(70))
  expect(history).toHaveLength(60)
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

test('the text is JSON with an id or path on each line, and is written in pieces', () => {
  const pieces = [...changesText(changes)]
  expect(JSON.parse(pieces.join(''))).toEqual(changes)
  expect(pieces.join('')).toContain('"added": [\n"a",\n"b"\n]')
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(100_000)
})
