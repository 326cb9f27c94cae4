/**
 * Holds the real service against the model: random corpora, written as source folders, built by the
 * real build, served by the real server. `FAST_CHECK_SEED` and `FAST_CHECK_RUNS` in the environment
 * choose others, and how many.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect } from 'vitest'
import { faultRounds } from '../../harness/fault-rounds.ts'
import { startService, type Service } from '../../harness/service.ts'
import type { HttpAnswer } from '../../harness/http-client.ts'
import { writeSourceFolder } from '../../harness/source-folder.ts'
import { tempFolder } from '../../harness/temp-folder.ts'
import { corpora } from '../../model/generate.ts'
import { modelOf, type Model } from '../../model/model.ts'
import type { SourceCorpus } from '../../model/source.ts'

/** A corpus in service, and what the model says of it. */
export type Served = {
  corpus: SourceCorpus
  model: Model
  service: Service
  /** Holds the tree (`dist`), the store and the source (`corpus`). */
  folder: string
  /** A keyed request below /v1. */
  get(path: string): Promise<HttpAnswer>
}

const seed = Number(process.env.FAST_CHECK_SEED ?? 20260301)
/** Smaller counterexamples are looked for only so long: each takes a build. */
const shrinkForMs = 10_000

/** How many of all its runs a test makes. */
function runsOf(allRuns: number): number {
  return Number(process.env.FAST_CHECK_RUNS ?? faultRounds(allRuns))
}

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

/** Checks a property of served corpora, each with requests of its own. */
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
  const service = await startService({ folder, corpusFolder })
  const key = await service.newKey()
  const get = (path: string) => service.get(path, { key })
  return { corpus, model: modelOf(corpus), service, folder, get }
}

/** The text of a query; parameters that are undefined are left out. */
export function queryText(parameters: Record<string, string | number | boolean | undefined>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) query.append(name, String(value))
  return query.toString()
}

/** The same values, and the fields in the same order. */
export function expectSame(actual: unknown, expected: unknown): void {
  expect(actual).toEqual(expected)
  expect(JSON.stringify(actual)).toBe(JSON.stringify(expected))
}

export function expectNotFound(answer: HttpAnswer): void {
  expect(answer.status).toBe(404)
  expect(answer.json.error.code).toBe('not_found')
}
