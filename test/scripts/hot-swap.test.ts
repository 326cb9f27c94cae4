import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { defaultPlans } from '#contract/plans.ts'
import { pointTo } from '#tree/pointer.ts'
import { readCurrent } from '#release/release.ts'
import { FolderTree } from '#release/tree.ts'
import { Clients } from '../harness/clients.ts'
import { faultRounds } from '../harness/fault-rounds.ts'
import { sharedServedFolder, type ServeProcess } from '../harness/serve-process.ts'
import { amplePlan } from '../harness/service.ts'
import { writeSourceFolder } from '../harness/source-folder.ts'
import type { SourceCorpus } from '../model/source.ts'
import { buildTree, clip, corpus, word } from '../nightly/small-corpus.ts'
import { createKey } from '../harness/command.ts'

const workers = 2
const folder = sharedServedFolder([...defaultPlans, amplePlan])
/** The releases of `editions`. Each corpus contains its number everywhere. */
let releases: string[]

beforeAll(async () => {
  releases = []
  for (let edition = 0; edition < 4; edition++)
    releases.push(await publish(`edition-${edition}`, editionOf(edition)))
})

/** Builds a corpus into the tree, replacing what changed. Returns the release. */
async function publish(source: string, content: SourceCorpus): Promise<string> {
  await writeSourceFolder(join(folder.path, source), content)
  const options = { replace: 'all' as const, maxShrink: 1 }
  return (await buildTree(join(folder.path, source), join(folder.path, 'editions'), options)).release
}

const wordsOf = (edition: number) => 5 + edition
const clipsOf = (edition: number) => 20 + 7 * edition

/** Returns the corpus of an edition: its titles, meanings and counts contain its number. */
function editionOf(edition: number): SourceCorpus {
  const told = { level: 'A2' as const, meanings: { en: `of edition ${edition}` } }
  const more = Array.from({ length: wordsOf(edition) - 1 }, (_, i) => word(2 + i, `moon${i}`, told))
  const films = Array.from({ length: clipsOf(edition) }, (_, i) =>
    clip(`v${i}`, 'The moon.', { title: `Clip ${i} of edition ${edition}` }),
  )
  return corpus(films, [word(1, 'moon', told), ...more])
}

async function serve(): Promise<{ server: ServeProcess; key: string }> {
  const store = folder.freshStore()
  const server = await folder.serve({ store, workers, dist: 'editions' })
  const place = ['--store', store, '--plans', folder.plansFile]
  return { server, key: await createKey(folder.path, ['--plan', 'ample', ...place]) }
}

/** Moves the pointer and tells the service; returns when every worker has loaded the release. */
async function swapTo(server: ServeProcess, release: string): Promise<void> {
  const isTold = new RegExp(`release ${release} is in service`)
  const before = server.lines.filter((line) => isTold.test(line)).length
  await pointTo(join(folder.path, 'editions'), release)
  process.kill(server.pid, 'SIGHUP')
  await server.says(isTold, before + workers)
}

/**
 * Requests, each with a function that returns the edition of the response, and throws if it mixes
 * editions.
 */
const questions: [path: string, editionIn: (answer: Answer) => number][] = [
  ['/v1/words?q=moon&hasClips=false&limit=100', editionOfSearch],
  ['/v1/words?q=moon', ({ words }) => editionOfWord(words[0]!)],
  ['/v1/words/moon/clips?limit=100', editionOfWordClips],
  ['/v1/feed?limit=100', editionOfFeed],
  ['/v1/corpus', editionOfCorpus],
]

type Told = { title?: string; meaning?: string; clipCount?: number }
type Item = { clip: Told; focusWord: Told }
type Answer = {
  words: Told[]
  items: Item[]
  word: Told
  totalCount: number
  clipCount: number
  release: string
}

function editionOfSearch({ words, totalCount }: Answer): number {
  const edition = onlyOne(words.map(({ meaning }) => toldIn(meaning)))
  expect([words.length, totalCount]).toEqual([wordsOf(edition), wordsOf(edition)])
  return edition
}

function editionOfWord({ meaning, clipCount }: Told): number {
  expect(clipCount).toBe(clipsOf(toldIn(meaning)))
  return toldIn(meaning)
}

function editionOfWordClips({ word: asked, items, totalCount }: Answer): number {
  const edition = onlyOne([editionOfWord(asked), ...items.map((item) => toldIn(item.clip.title))])
  expect([items.length, totalCount]).toEqual([clipsOf(edition), clipsOf(edition)])
  return edition
}

function editionOfFeed({ items }: Answer): number {
  const edition = onlyOne(
    items.flatMap(({ clip, focusWord }) => [toldIn(clip.title), toldIn(focusWord.meaning)]),
  )
  expect(items).toHaveLength(clipsOf(edition))
  return edition
}

function editionOfCorpus({ release, clipCount }: Answer): number {
  const edition = releases.indexOf(release)
  expect(clipCount).toBe(clipsOf(edition))
  return edition
}

const toldIn = (text: string | undefined): number => Number(/of edition (\d)$/.exec(text ?? '')![1])

function onlyOne(editions: number[]): number {
  expect(new Set(editions).size).toBe(1)
  return editions[0]!
}

/** More than the number of releases, so that each is in service once. */
const swaps = Math.max(5, faultRounds(50))

test(`${swaps} swaps under 32 busy connections: every request is answered, and every response belongs to one release`, async () => {
  const { server, key } = await serve()
  const answered = new Map(questions.map(([path]) => [path, new Set<number>()]))
  const faults: string[] = []
  let asked = 0
  const load = new Clients({
    origins: [server.origin],
    count: 32,
    pauseMs: 20,
    next: () => ({ path: questions[asked++ % questions.length]![0], key }),
    onAnswer: ({ json, text }, { path }) => {
      try {
        const [, editionIn] = questions.find(([question]) => question === path)!
        answered.get(path)!.add(editionIn(json as Answer))
      } catch (error) {
        faults.push(`${(error as Error).message}\n${text.slice(0, 500)}`)
      }
    },
  })
  for (let swap = 0; swap < swaps; swap++) {
    const edition = (swap + 1) % releases.length
    await swapTo(server, releases[edition]!)
    const allSeen = [...answered.values()]
    for (const editions of allSeen) editions.delete(edition)
    await load.until(() => faults.length > 0 || allSeen.every((editions) => editions.has(edition)))
  }
  await load.stop()
  expect(faults).toEqual([])
  expect(load.answered).toBe(load.sent)
})

test('a worker that receives the signal directly also looks for a release, and stays in service', async () => {
  const { server } = await serve()
  const current = await readCurrent(new FolderTree(join(folder.path, 'editions')))
  for (const pid of server.workerPids()) process.kill(pid, 'SIGHUP')
  await server.says(new RegExp(`release ${current} stays in service`), workers)
  expect(server.lines.filter((line) => line.includes('ended ('))).toEqual([])
})
