import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { clip } from '../nightly/small-corpus.ts'
import type { Service } from '../harness/service.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import { clipIdOf } from '../model/indexed.ts'
import { buildNight, holds, queryText, serve } from './agreement/served.ts'
import { WalkCheck } from './walk-check.ts'

const allRuns = 12

test('a walk returns the clips that are always there once and in order, whatever is added, withdrawn or restored meanwhile', async () => {
  const folder = tempFolder()
  let run = 0
  await holds(someHistory, allRuns, (history) => walkThrough(history, join(folder, String(run++))))
})

test('a clip that was returned and then withdrawn does not appear again when it is restored', async () => {
  const tree = await treeOfTest(5)
  const order = await tree.order('s')
  const { cursor } = await tree.page({ seed: 's', limit: 1 })
  await tree.publish(numbersTo(5).filter((number) => idOf(number) !== order[0]))
  await tree.publish(numbersTo(5))
  expect(await tree.page({ cursor, limit: 100 })).toEqual({ clipIds: order.slice(1), cursor: null })
})

test('a walk ends once every remaining clip has been withdrawn', async () => {
  const tree = await treeOfTest(4)
  const order = await tree.order('s')
  const { cursor } = await tree.page({ seed: 's', limit: 2 })
  await tree.publish(numbersTo(4).filter((number) => order.slice(0, 2).includes(idOf(number))))
  expect(await tree.page({ cursor, limit: 2 })).toEqual({ clipIds: [], cursor: null })
})

/** The changes before one night's build, and the pages that are read after it. */
type Night = { added: number; toggled: number[]; pages: { limit: number; exclude: number[] }[] }
type History = { atFirst: number; seed: string; firstLimit: number; nights: Night[] }

const someLimit = fc.constantFrom(1, 1, 2, 3, 5)
const someNumbers = fc.array(fc.nat({ max: 1000 }), { maxLength: 5 })
const somePage = fc.record({ limit: someLimit, exclude: fc.oneof(fc.constant<number[]>([]), someNumbers) })

/**
 * A history that starts with 1 to 17 clips and ends with a few dozen at most. A toggled number is
 * that of an earlier clip, which is removed or restored.
 */
const someHistory: fc.Arbitrary<History> = fc.record({
  atFirst: fc.constantFrom(1, 3, 4, 7, 8, 12, 16, 17),
  seed: fc.stringMatching(/^[a-z]{1,8}$/),
  firstLimit: someLimit,
  nights: fc.array(
    fc.record({
      added: fc.constantFrom(0, 0, 1, 2, 9, 20),
      toggled: someNumbers,
      pages: fc.array(somePage, { maxLength: 2 }),
    }),
    { minLength: 2, maxLength: 6 },
  ),
})

async function walkThrough({ atFirst, seed, firstLimit, nights }: History, folder: string): Promise<void> {
  const tree = await openTree(folder, atFirst)
  try {
    const order = await tree.order(seed)
    expect(order.toSorted()).toEqual(numbersTo(atFirst).map(idOf).toSorted())
    const walk = new LongWalk(tree, order)
    await walk.read({ seed, limit: firstLimit, exclude: [] })
    let everCount = atFirst
    for (const { added, toggled, pages } of nights) {
      const changed = new Set(toggled.map((number) => number % everCount))
      const kept = numbersTo(everCount).filter((number) => tree.live.has(number) !== changed.has(number))
      const fresh = Array.from({ length: added }, (_, i) => everCount + i)
      everCount += added
      await tree.publish([...kept, ...fresh])
      for (const { limit, exclude } of pages)
        await walk.read({ limit, exclude: exclude.map((number) => idOf(number % everCount)) })
      walk.noteWithdrawn()
    }
    while (!walk.isOver) await walk.read({ limit: 4, exclude: [] })
    walk.checkWhole()
  } finally {
    await tree.service.stop()
  }
}

/** A walk that continues night after night, and is checked with each page. */
class LongWalk {
  isOver = false
  readonly #tree: Tree
  readonly #order: string[]
  readonly #check: WalkCheck
  readonly #served: string[] = []
  /** The clips that were withdrawn or excluded at some time before the walk was over. */
  readonly #leftOutOnce = new Set<string>()
  #cursor: string | null = null

  constructor(tree: Tree, order: string[]) {
    this.#tree = tree
    this.#order = order
    this.#check = new WalkCheck(order)
  }

  async read({ seed, limit, exclude }: { seed?: string; limit: number; exclude: string[] }): Promise<void> {
    if (this.isOver) return
    this.noteWithdrawn()
    for (const clipId of exclude) this.#leftOutOnce.add(clipId)
    const { clipIds, cursor } = await this.#tree.page({ seed, limit, exclude, cursor: this.#cursor })
    expect(this.#served.filter((clipId) => clipIds.includes(clipId))).toEqual([])
    this.#served.push(...clipIds)
    // "a clip that came after the walk began may or may not show up"
    const known = clipIds.filter((clipId) => this.#order.includes(clipId))
    const newcomers = clipIds.length - known.length
    const leftOut = new Set([...exclude, ...this.#withdrawn()])
    this.#check.take({ clipIds: known, limit: limit - newcomers, isIncremental: cursor !== null, leftOut })
    this.#cursor = cursor
    this.isOver = cursor === null
  }

  noteWithdrawn(): void {
    if (!this.isOver) for (const clipId of this.#withdrawn()) this.#leftOutOnce.add(clipId)
  }

  checkWhole(): void {
    const isThereAllAlong = (clipId: string) => this.#order.includes(clipId) && !this.#leftOutOnce.has(clipId)
    expect(this.#served.filter(isThereAllAlong)).toEqual(this.#order.filter(isThereAllAlong))
  }

  #withdrawn(): string[] {
    const live = new Set([...this.#tree.live].map(idOf))
    return this.#order.filter((clipId) => !live.has(clipId))
  }
}

type PageQuery = { seed?: string | undefined; limit: number; exclude?: string[]; cursor?: string | null }

/** A tree that is built repeatedly from numbered clips, and the service that follows it. */
type Tree = {
  service: Service
  /** The numbers of the clips in service. */
  live: Set<number>
  publish(numbers: number[]): Promise<void>
  page(query: PageQuery): Promise<{ clipIds: string[]; cursor: string | null }>
  /** Returns every clip of a shuffle. */
  order(seed: string): Promise<string[]>
}

/** Returns a tree that is deleted after the test. */
async function treeOfTest(clipCount: number): Promise<Tree> {
  const tree = await openTree(tempFolder(), clipCount)
  onTestFinished(() => tree.service.stop())
  return tree
}

const corpusOf = (numbers: number[]) => ({ catalogues: {}, forms: {}, clips: numbers.map(clipOf) })

async function openTree(folder: string, clipCount: number): Promise<Tree> {
  const served = await serve(corpusOf(numbersTo(clipCount)), folder)
  const tree: Tree = {
    service: served.service,
    live: new Set(numbersTo(clipCount)),
    async publish(numbers) {
      await buildNight(served, corpusOf(numbers))
      tree.live = new Set(numbers)
    },
    async page({ seed, limit, exclude = [], cursor }) {
      const excluded = exclude.length === 0 ? undefined : exclude.join(',')
      const query = queryText({ seed, limit, exclude: excluded, cursor: cursor ?? undefined })
      const { status, json } = await served.get(`/feed?${query}`)
      expect(status).toBe(200)
      const items = json.items as { clip: { clipId: string } }[]
      return { clipIds: items.map(({ clip }) => clip.clipId), cursor: json.nextCursor }
    },
    async order(seed) {
      const { clipIds, cursor } = await tree.page({ seed, limit: 100 })
      expect(cursor).toBeNull()
      return clipIds
    },
  }
  return tree
}

const clipOf = (number: number) => clip(`video-${number}`, 'Hello.')

const idOf = (number: number): string => clipIdOf(clipOf(number))

const numbersTo = (count: number): number[] => Array.from({ length: count }, (_, number) => number)
