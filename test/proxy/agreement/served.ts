/**
 * Compares the real service with the model: random corpora, written as source folders, built by the
 * real build, served by the real server. `FAST_CHECK_SEED` and `FAST_CHECK_RUNS` in the environment
 * choose other corpora and their number.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished } from 'vitest'
import { FolderTree } from '#release/tree.ts'
import { faultRounds } from '../../harness/fault-rounds.ts'
import { startService, type Service } from '../../harness/service.ts'
import type { HttpAnswer, RequestOptions } from '../../harness/http-client.ts'
import { writeSourceFolder } from '../../harness/source-folder.ts'
import { tempFolder } from '../../harness/temp-folder.ts'
import { corpora } from '../../model/generate.ts'
import { modelOf, type Model } from '../../model/model.ts'
import type { SourceCorpus } from '../../model/source.ts'

/** A corpus in service, and its model. */
export type Served = {
  corpus: SourceCorpus
  model: Model
  service: Service
  /** Contains the tree (`dist`), the store and the source (`corpus`). */
  folder: string
  /** Sends a request below /v1 with a key. */
  get(path: string, options?: RequestOptions): Promise<HttpAnswer>
}

const seed = Number(process.env.FAST_CHECK_SEED ?? 20260301)
/** The time for finding smaller counterexamples, because each takes a build. */
const shrinkForMs = 10_000

/** Returns how many of all its runs a test makes. */
const runsOf = (allRuns: number): number => Number(process.env.FAST_CHECK_RUNS ?? faultRounds(allRuns))

/** Checks a property with the fixed seed, which it prints. */
export async function holds<T>(
  arbitrary: fc.Arbitrary<T>,
  allRuns: number,
  check: (value: T) => Promise<void>,
): Promise<void> {
  const numRuns = runsOf(allRuns)
  console.log(`FAST_CHECK_SEED=${seed} FAST_CHECK_RUNS=${numRuns}`)
  let shrinkUntilMs = Infinity
  const property = fc.asyncProperty(arbitrary, async (value) => {
    if (Date.now() > shrinkUntilMs) return
    try {
      await check(value)
    } catch (error) {
      if (shrinkUntilMs === Infinity) shrinkUntilMs = Date.now() + shrinkForMs
      throw error
    }
  })
  await fc.assert(property, { seed, numRuns })
}

/** Checks a property of served corpora, each with generated requests. */
export async function holdsForCorpora<Requests>(
  allRuns: number,
  requestsFor: (corpus: SourceCorpus) => fc.Arbitrary<Requests>,
  check: (served: Served, requests: Requests) => Promise<void>,
): Promise<void> {
  const folder = tempFolder()
  const someCorpus = corpora().chain((corpus) => fc.tuple(fc.constant(corpus), requestsFor(corpus)))
  let run = 0
  await holds(someCorpus, allRuns, async ([corpus, requests]) => {
    const runFolder = join(folder, String(run++))
    const served = await serve(corpus, runFolder)
    try {
      await check(served, requests)
    } finally {
      await served.service.stop()
      rmSync(runFolder, { recursive: true })
    }
  })
}

/** Builds and serves a corpus from a folder. */
export async function serve(corpus: SourceCorpus, folder: string): Promise<Served> {
  const corpusFolder = join(folder, 'corpus')
  await writeSourceFolder(corpusFolder, corpus)
  // Texts stay on disk, which otherwise only happens with large catalogues.
  const tree = new FolderTree(join(folder, 'dist'), 0)
  const service = await startService({ folder, corpusFolder, tree })
  const key = await service.newKey()
  const get = (path: string, options: RequestOptions = {}) => service.get(path, { key, ...options })
  return { corpus, model: modelOf(corpus), service, folder, get }
}

/** Builds and serves a corpus for the running test. */
export async function serveForTest(corpus: SourceCorpus): Promise<Served> {
  const served = await serve(corpus, tempFolder())
  onTestFinished(() => served.service.stop())
  return served
}

/** Replaces the clips and catalogues by those of the next night. Returns the release. */
export async function buildNight(
  { service }: Pick<Served, 'service'>,
  corpus: SourceCorpus,
  segmentOrdinals?: number,
): Promise<string> {
  const corpusFolder = tempFolder()
  await writeSourceFolder(corpusFolder, corpus)
  service.clock.ms += 24 * 3600 * 1000
  const { release } = await service.build(corpusFolder, { maxShrink: 1, replace: 'all', segmentOrdinals })
  await service.refresh()
  return release
}

type Parameters = Record<string, string | number | boolean | readonly string[] | undefined>

const defaults: Parameters = { language: 'en', hasClips: true, gloss: 'en', limit: 20, match: 'forms' }

/**
 * Returns the query of a page. The first must contain all parameters that a cursor will be bound to
 * except for defaults; the later ones omit them, or send some of them again.
 */
export function pageText(
  bound: Parameters,
  free: Parameters,
  cursor: string | null,
  again: readonly string[],
): string {
  const given = { ...bound, ...free }
  for (const [name, value] of Object.entries(given)) {
    const mayBeAbsent = cursor !== null && name in bound ? true : value === defaults[name]
    if (mayBeAbsent && !again.includes(name)) delete given[name]
  }
  return queryText({ ...given, cursor: cursor ?? undefined })
}

/** Returns the text of a query; parameters that are undefined are left out. */
export function queryText(parameters: Parameters): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) query.append(name, String(value))
  return query.toString()
}

/** Expects the same values, with the fields in the same order. */
export function expectSame(actual: unknown, expected: unknown): void {
  expect(actual).toEqual(expected)
  expect(JSON.stringify(actual)).toBe(JSON.stringify(expected))
}

export function expectNotFound(answer: HttpAnswer): void {
  expect(answer.status).toBe(404)
  expect(answer.json.error.code).toBe('not_found')
}
