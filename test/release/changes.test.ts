import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changesText, netChanges, type Changes, type NetChanges } from '#release/changes.ts'
import { MissingFile } from '#release/tree.ts'

/** What is live in a release: clips by id, each with its revision. */
type Live = ReadonlyMap<string, number>

function changesOf(from: string, to: string, before: Live, after: Live): NetChanges {
  const added = [...after.keys()].filter((id) => !before.has(id)).sort()
  const withdrawn = [...before.keys()].filter((id) => !after.has(id)).sort()
  const changed = [...after.keys()].filter((id) => before.has(id) && before.get(id) !== after.get(id)).sort()
  return { from, to, clips: { added, changed, withdrawn }, words: { added: [], changed: [], withdrawn: [] } }
}

const idOf = (number: number) => `${String(number + 1).padStart(6, '0')}-00000000`
const someLive = fc
  .uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.nat(2)), { selector: ([id]) => id })
  .map((entries) => new Map(entries))
/** A night: what is live after it, and how many releases were rolled back before it. */
const someNight = fc.record({ live: someLive, back: fc.constantFrom(0, 0, 0, 1, 2) })

test('net changes name what is there in one release and not in the other, and all that may be another, whatever was rolled back in between', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(someNight, { minLength: 1, maxLength: 8 }),
      fc.nat(7),
      fc.nat(7),
      async (nights, a, b) => {
        const parents = nights.map(({ back }, i) => Math.max(-1, i - 1 - back))
        const liveOf = (i: number): Live => nights[i]?.live ?? new Map()
        const read = (release: string): Promise<NetChanges> => {
          const i = Number.parseInt(release, 10) - 1
          const parent = parents[i]!
          const told = changesOf(idOf(parent), release, liveOf(parent), liveOf(i))
          return Promise.resolve(parent < 0 ? { ...told, from: null } : told)
        }
        const [from, to] = [a % nights.length, b % nights.length]
        const net = await netChanges(idOf(from), idOf(to), read)
        // Two that both began from nothing have no release in common.
        if (net === null) return
        const { clips } = changesOf(idOf(from), idOf(to), liveOf(from), liveOf(to))
        expect(net).toMatchObject({ from: idOf(from), to: idOf(to) })
        expect(net.clips.added).toEqual(clips.added)
        expect(net.clips.withdrawn).toEqual(clips.withdrawn)
        expect(net.clips.changed).toEqual(expect.arrayContaining(clips.changed))
        for (const id of net.clips.changed) expect(liveOf(from).has(id) && liveOf(to).has(id)).toBe(true)
      },
    ),
    { seed: 20, numRuns: 400 },
  )
})

test('from the release itself nothing changed; from one whose changes are gone nobody can tell', async () => {
  const gone = () => Promise.reject(new MissingFile('changes.json', 'gone'))
  const none = { added: [], changed: [], withdrawn: [] }
  expect(await netChanges(idOf(1), idOf(1), gone)).toEqual({
    from: idOf(1),
    to: idOf(1),
    clips: none,
    words: none,
  })
  expect(await netChanges(idOf(0), idOf(1), gone)).toBeNull()
})

test('the text is JSON, an id or path a line, and comes in pieces', () => {
  const many = Array.from({ length: 25_000 }, (_, i) => i)
  const changes: Changes = {
    from: null,
    to: idOf(0),
    clips: { added: ['a', 'b'], changed: [], withdrawn: ['"'] },
    words: { added: many, changed: [], withdrawn: [] },
    files: { added: ['data/corpus.x.json'], removed: [] },
  }
  const pieces = [...changesText(changes)]
  expect(JSON.parse(pieces.join(''))).toEqual(changes)
  expect(pieces.join('')).toContain('"added": [\n"a",\n"b"]')
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(100_000)
})
