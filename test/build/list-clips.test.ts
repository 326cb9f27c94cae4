import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { levels } from '#contract/levels.ts'
import { inMemory, ListItems } from '#build/list-items.ts'
import { listClips } from '#build/list-clips.ts'
import { itemsPerPage } from '#release/lists/layout.ts'
import { tempFolder } from '../harness/temp-folder.ts'

interface Made {
  rank: number
  clip: string
  knownShare: number
  occurrenceCount: number
}

/**
 * A seeded item: few levels, shares and counts, so that many are as hard as others; ids that begin
 * alike, so that ties go further.
 */
function make(i: number): Made {
  const chance = (n: number, salt: number) => (((i + 1) * 2_654_435_761 * (salt + 1)) % 4_294_967_291) % n
  const head = ['00000000', 'abcdef01'][chance(2, 1)]!
  return {
    rank: chance(6, 2),
    clip: `${head}-0a0b-4000-8000-${String(i).padStart(12, '0')}`,
    knownShare: [0, 1, 0.5, 0.05, 0.87, 0.29][chance(6, 3)]!,
    occurrenceCount: [1, 2, 10, 123][chance(4, 4)]!,
  }
}

function itemsOf(all: readonly Made[]): ListItems {
  const items = new ListItems()
  for (const { rank, ...item } of all) {
    const bytes = Buffer.from(JSON.stringify({ ...item, occurrences: [{ form: 'é', text: '1,\\n' }] }))
    items.add(inMemory(bytes), 0, bytes, 0, bytes.length, rank)
  }
  return items
}

function easiestFirst(a: Made, b: Made): number {
  return (
    a.rank - b.rank ||
    b.knownShare - a.knownShare ||
    b.occurrenceCount - a.occurrenceCount ||
    (a.clip < b.clip ? -1 : 1)
  )
}

test('night after night a list is what it would be if it were made at once, in the order of the contract', async () => {
  const outFolder = tempFolder()
  const place = { outFolder, workFolder: join(outFolder, 'aside') }
  const word = { wordId: 7, language: 'en', isAmended: false, removed: [] as string[] }
  const all = Array.from({ length: itemsPerPage * 2 + 200 }, (_, i) => make(i))
  const [first, came, gone] = [
    all.slice(0, itemsPerPage + 40),
    all.slice(itemsPerPage + 40),
    all.slice(30, 90),
  ]
  const made = listClips({ ...word, before: null }, itemsOf(first), place)!
  const before = { clipsByLevel: made.clipsByLevel, base: made.digest, basePages: [], since: null }
  const removed = gone.map(({ clip }) => clip)
  const list = listClips({ ...word, before, removed }, itemsOf(came), place)!
  const left = all.filter((item) => !gone.includes(item)).toSorted(easiestFirst)
  expect(list.clipsByLevel).toEqual(levels.map((_, rank) => left.filter((item) => item.rank === rank).length))
  const pages = await Promise.all(
    ['', '.2', '.3'].map((page) =>
      readFile(join(outFolder, `data/words/en/7.${list.digest}${page}.json`), 'utf8'),
    ),
  )
  const shown = pages.flatMap((page) => (JSON.parse(page) as { items: { clip: string }[] }).items)
  expect(shown.map(({ clip }) => clip)).toEqual(left.map(({ clip }) => clip))
  expect(listClips({ ...word, before: null }, itemsOf(left), place)).toEqual(list)
})

test('a word that no clip is left of has no list', () => {
  const outFolder = tempFolder()
  const place = { outFolder, workFolder: join(outFolder, 'aside') }
  const word = { wordId: 7, language: 'en', isAmended: false }
  const made = listClips({ ...word, before: null, removed: [] }, itemsOf([make(1)]), place)!
  const before = { clipsByLevel: made.clipsByLevel, base: made.digest, basePages: [], since: null }
  expect(listClips({ ...word, before, removed: [make(1).clip] }, itemsOf([]), place)).toBeNull()
})
