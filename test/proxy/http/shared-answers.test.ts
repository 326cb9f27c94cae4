import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Body } from '#proxy/http/body.ts'
import { AnswerCache } from '#proxy/http/caches.ts'
import { compressors } from '#proxy/http/coding.ts'
import { matchPath } from '#proxy/http/match.ts'
import type { Release } from '#release/release.ts'
import { FolderTree } from '#release/tree.ts'
import { smallCorpus } from '../../fixtures/small-corpus.ts'
import { holdStore } from '../../harness/hold-store.ts'
import { startService } from '../../harness/service.ts'
import { writeSourceFolder } from '../../harness/source-folder.ts'
import { tempFolder } from '../../harness/temp-folder.ts'
import { buildNight } from '../agreement/served.ts'

/** Longer than any test takes. */
const patienceMs = 600_000

const match = matchPath('/v1/changes')!
const target = (since: string) => ({ url: `/v1/changes?since=${since}`, match, key: `getChanges ${since}` })
const release = {} as Release

/** A cache for the release, and its answers: each waits until it is settled. */
function cacheWithGate() {
  const cache = new AnswerCache()
  cache.get(release, '')
  const made: PromiseWithResolvers<Body>[] = []
  const make = () => {
    made.push(Promise.withResolvers<Body>())
    return made.at(-1)!.promise
  }
  return { cache, made, make }
}

test('requests share an answer while it is computed, and the first one of an expensive kind is cached', async () => {
  const { cache, made, make } = cacheWithGate()
  const answers = ['a', 'a', 'b', 'a'].map(
    async (since) => await cache.answer(release, target(since), make, 4),
  )
  expect(made).toHaveLength(2)
  const bodies = [new Body('a'), new Body('b')]
  for (const [i, body] of bodies.entries()) made[i]!.resolve(body)
  expect(await Promise.all(answers)).toEqual([bodies[0], bodies[0], bodies[1], bodies[0]])
  expect(cache.answer(release, target('a'), make, 4)).toBe(bodies[0])
  expect(made).toHaveLength(2)
})

test('computes no more answers than the limit at once, including failed ones but not shared ones', async () => {
  const { cache, made, make } = cacheWithGate()
  const ask = (since: string) => cache.answer(release, target(since), make, 2) as Promise<Body>
  const [first] = [ask('a'), ask('b')]
  expect(() => ask('c')).toThrow('too many responses')
  void ask('b')
  made[0]!.reject(new Error('no such file'))
  await expect(first).rejects.toThrow('no such file')
  void ask('a')
  expect(made).toHaveLength(3)
  expect(() => ask('c')).toThrow('too many responses')
})

test('a new release shares no answer of the previous one, not even one in progress', async () => {
  const { cache, made, make } = cacheWithGate()
  const old = cache.answer(release, target('a'), make, 4)
  const next = {} as Release
  cache.get(next, '')
  const fresh = cache.answer(next, target('a'), make, 4)
  made[0]!.resolve(new Body('old'))
  await old
  made[1]!.resolve(new Body('new'))
  await fresh
  expect((cache.answer(next, target('a'), make, 4) as Body).payload).toBe('new')
})

test('caches the latest of the answers that are larger than the cache', async () => {
  const cache = new AnswerCache()
  cache.get(release, '')
  let count = 0
  const make = () => {
    count++
    return new Body(Buffer.alloc(33 * 1024 * 1024))
  }
  for (const since of ['a', 'a', 'b', 'b']) await cache.answer(release, target(since), make, 4)
  expect(count).toBe(2)
})

/**
 * Returns the service after a number of nights: the releases before the current one, and how often
 * a `changes.json` was read. Each of these reads waits for `opened`.
 */
async function serviceAfterNights(nights: number, opened?: Promise<void>) {
  const folder = tempFolder()
  const corpusFolder = join(folder, 'source')
  await writeSourceFolder(corpusFolder, smallCorpus)
  const tree = new FolderTree(join(folder, 'dist'))
  const openDigested = tree.openDigested.bind(tree)
  const reads = { count: 0 }
  tree.openDigested = async (path, ...rest) => {
    if (path.endsWith('/changes.json')) {
      reads.count++
      await opened
    }
    return await openDigested(path, ...rest)
  }
  const service = await startService({ folder, corpusFolder, tree, patienceMs })
  onTestFinished(() => service.stop())
  const releases: string[] = []
  for (let night = 1; night < nights; night++) {
    releases.push((await service.get('/corpus')).json.release)
    await buildNight({ service }, { ...smallCorpus, clips: smallCorpus.clips.slice(night % 2) })
  }
  return { service, folder, releases, since: releases[0]!, reads }
}

test('computes and compresses /changes once for all spellings of its parameters', async () => {
  const { service, since, reads } = await serviceAfterNights(2)
  const compress = vi.spyOn(compressors, 'gzip')
  const written = [
    `since=${since}`,
    `since=${since}&`,
    `&&since=${since}`,
    `%73ince=${since}`,
    `since=%30${since.slice(1)}`,
  ]
  const ask = () =>
    written.flatMap((query) =>
      (['HEAD', 'GET'] as const).map((method) =>
        service.get(`/changes?${query}`, { method, headers: { 'accept-encoding': 'gzip' } }),
      ),
    )
  const answers = [...(await Promise.all(ask())), ...(await Promise.all(ask()))]
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(new Set(answers.map(({ headers }) => headers.etag)).size).toBe(1)
  expect(reads.count).toBe(1)
  expect(compress.mock.calls.length).toBeLessThanOrEqual(1)
})

test('answers a request for a fifth difference with 503 while four are computed', async () => {
  const gate = Promise.withResolvers<void>()
  const { service, releases, reads } = await serviceAfterNights(6, gate.promise)
  const path = (since: string) => `/changes?since=${since}`
  const pending = releases.slice(0, 4).map((since) => service.get(path(since)))
  await vi.waitFor(() => expect(reads.count).toBe(4))
  const { status, json } = await service.get(path(releases[4]!))
  expect({ status, code: json.error.code }).toEqual({ status: 503, code: 'unavailable' })
  gate.resolve()
  for (const { status } of await Promise.all(pending)) expect(status).toBe(200)
  expect((await service.get(path(releases[4]!))).status).toBe(200)
})

test('answers operations without a key while another process holds the store', async () => {
  const { service, folder, since } = await serviceAfterNights(2)
  onTestFinished(holdStore(join(folder, 'store.sqlite')))
  for (const path of ['/corpus', '/openapi.json', `/changes?since=${since}`]) {
    const { status, headers } = await service.get(path)
    expect({ path, status }).toEqual({ path, status: 200 })
    expect(headers).not.toHaveProperty('x-ratelimit-limit')
  }
})
