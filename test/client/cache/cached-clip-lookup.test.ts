import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { CachedClipLookup, memoryStorage, type CacheStorage } from '#client/cache/cached-clip-lookup.ts'
import { folderStorage } from '#client/cache/folder-storage.ts'
import { ClipLookup, type ClientOptions } from '#client/clip-lookup.ts'
import { englishVideoIds, smallCorpus } from '../../fixtures/small-corpus.ts'
import { hasAllFaultRounds } from '../../harness/fault-rounds.ts'
import { browserProgram, startBrowser } from '../../harness/browser.ts'
import { countedFetch } from '../../harness/counted-fetch.ts'
import { root } from '../../harness/site-service.ts'
import { writeSourceFolder } from '../../harness/source-folder.ts'
import { sharedSmallService } from '../../proxy/small-service.ts'

const service = sharedSmallService()
const counted = countedFetch()
let client: ClipLookup
let builds = 0

/** Returns a client of the service that sends its requests with this function. */
function clientWith(fetch: ClientOptions['fetch'], retries?: number): ClipLookup {
  return new ClipLookup({ baseUrl: `${service.origin}/v1`, key: service.key, fetch, retries })
}

beforeAll(() => void (client = clientWith(counted.fetch)))

beforeEach(async () => {
  if (builds > 0) await publish(smallCorpus.clips)
  counted.requests.length = 0
})

/** Builds a release from these clips, which is in service until the next test begins. */
async function publish(clips: typeof smallCorpus.clips): Promise<void> {
  const source = join(service.folder, `source-${builds++}`)
  await writeSourceFolder(source, { ...smallCorpus, clips })
  await service.build(source, { replace: 'all', maxShrink: 1 })
  await service.refresh()
}

const lookUps = () => counted.requests.filter((path) => !/corpus|changes/.test(path))

test('requests a clip and its transcript once, whichever of their ids is used', async () => {
  const cache = new CachedClipLookup(client)
  const clip = await cache.getClip({ clipId: 'cat-sitter' })
  expect(clip).toEqual(await client.getClip({ clipId: 'cat-sitter' }))
  counted.requests.length = 0
  clip.title = 'changed by the caller'
  expect((await cache.getClip({ clipId: clip.clipId.toUpperCase() })).title).not.toBe(clip.title)
  const both = await cache.listClips({ ids: ['cat-sitter', clip.clipId] })
  expect(both).toMatchObject({ items: [{}], missing: [] })
  expect(counted.requests).toEqual([])
  expect(cache.stats).toEqual({ saved: 2, made: 1 })
})

test('requests only the clips of a list that the cache lacks', async () => {
  const cache = new CachedClipLookup(client)
  await cache.getClip({ clipId: 'watchmaker' })
  counted.requests.length = 0
  const ids = ['fast-cats', 'nosuchclip', 'watchmaker', 'fast-cats']
  const batch = await cache.listClips({ ids })
  expect(lookUps()).toEqual(['/v1/clips?ids=fast-cats%2Cnosuchclip'])
  expect(batch).toEqual(await client.listClips({ ids }))
  await expect(cache.listClips({ ids: [] })).rejects.toMatchObject({ parameter: 'ids' })
})

test('requests clips and changes without the cache of the browser, which would return old ones', async () => {
  const requests: [path: string, mode: RequestInit['cache']][] = []
  const fetch = (url: string, init: RequestInit) => {
    requests.push([new URL(url).pathname, init.cache])
    return counted.fetch(url, init)
  }
  const cache = new CachedClipLookup(clientWith(fetch), { refreshMs: 0 })
  const clip = await cache.getClip({ clipId: 'watchmaker' })
  await cache.getTranscript({ clipId: 'watchmaker' })
  await cache.listClips({ ids: ['fast-cats'] })
  await cache.listWords({ q: 'cat' })
  expect(clip.videoId).toBe('watchmaker')
  expect(requests).toEqual([
    ['/v1/corpus', 'no-store'],
    ['/v1/clips/watchmaker', 'no-store'],
    ['/v1/changes', 'no-store'],
    ['/v1/clips/watchmaker/transcript', 'no-store'],
    ['/v1/changes', 'no-store'],
    ['/v1/clips', 'no-store'],
    ['/v1/words', undefined],
  ])
})

test('shares one request among equal calls, and aborting one call does not end it', async () => {
  const controller = new AbortController()
  let onSend = () => {}
  const fetch = (url: string, init: RequestInit) => {
    onSend()
    return counted.fetch(url, init)
  }
  const cache = new CachedClipLookup(clientWith(fetch))
  await cache.update()
  counted.requests.length = 0
  onSend = () => controller.abort('gone')
  const calls = [controller.signal, undefined, undefined].map((signal) =>
    cache.getTranscript({ clipId: 'watchmaker' }, { signal }),
  )
  const [first, ...others] = await Promise.allSettled(calls)
  expect(first).toMatchObject({ status: 'rejected', reason: 'gone' })
  expect(others.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
  expect(counted.requests).toHaveLength(1)
  const ids = ['cat-sitter', 'fast-cats']
  const [batch, equalBatch] = await Promise.all([cache.listClips({ ids }), cache.listClips({ ids })])
  expect(equalBatch).toEqual(batch)
  expect(counted.requests).toHaveLength(2)
  expect(cache.stats).toEqual({ saved: 3, made: 2 })
})

test('ends a call at its deadline while the cache requests the changes', async () => {
  let silence = Promise.withResolvers<void>()
  const fetch = async (url: string, init: RequestInit) => {
    await silence.promise
    return globalThis.fetch(url, init)
  }
  const cache = new CachedClipLookup(clientWith(fetch), { refreshMs: 0 })
  const late = { message: 'the call took longer than 20 ms' }
  await expect(cache.getClip({ clipId: 'cat-sitter' }, { timeoutMs: 20 })).rejects.toMatchObject(late)
  await expect(cache.listClips({ ids: ['cat-sitter'] }, { timeoutMs: 20 })).rejects.toMatchObject(late)
  silence.resolve()
  const clip = await cache.getClip({ clipId: 'cat-sitter' })
  silence = Promise.withResolvers()
  expect(await cache.getClip({ clipId: 'cat-sitter' }, { timeoutMs: 20 })).toEqual(clip)
  const signal = AbortSignal.abort('gone')
  await expect(cache.getClip({ clipId: 'cat-sitter' }, { signal })).rejects.toBe('gone')
})

test('caches lists for their max-age, and never caches feeds', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-03-01T12:00:10Z') })
  onTestFinished(() => void vi.useRealTimers())
  const cache = new CachedClipLookup(client)
  const ask = async () => {
    await cache.listWords({ q: 'cat', language: undefined })
    await cache.listWords({ q: 'cat' })
    await cache.getFeed({ seed: 'a' })
    return lookUps().splice(0).length
  }
  expect(await ask()).toBe(2)
  expect(cache.stats).toEqual({ saved: 1, made: 1 })
  vi.setSystemTime('2026-03-01T13:00:09Z')
  expect(await ask()).toBe(3)
  vi.setSystemTime('2026-03-01T13:00:11Z')
  expect(await ask()).toBe(5)
})

test('does not confuse a value that contains the text of another parameter with that parameter', async () => {
  const cache = new CachedClipLookup(client)
  await cache.listWords({ level: 'A1', q: 'cat' })
  await expect(cache.listWords({ level: 'A1&q=cat' })).rejects.toMatchObject({ parameter: 'level' })
})

test('forgets the least recently used record when the cache is full', async () => {
  const size = JSON.stringify(await client.getTranscript({ clipId: 'watchmaker' })).length
  const cache = new CachedClipLookup(client, { maxSize: 2 * size })
  const ids = ['watchmaker', 'cat-sitter', 'fast-cats', 'morning-run', 'at-the-beach']
  for (const clipId of ids) await cache.getTranscript({ clipId })
  counted.requests.length = 0
  await cache.getTranscript({ clipId: 'at-the-beach' })
  expect(counted.requests).toEqual([])
  await cache.getTranscript({ clipId: 'watchmaker' })
  expect(counted.requests).toHaveLength(1)
})

test('keeps its records when it receives one that is larger than the whole cache', async () => {
  const size = JSON.stringify(await client.getTranscript({ clipId: 'watchmaker' })).length
  const cache = new CachedClipLookup(client, { maxSize: size - 1 })
  await cache.getClip({ clipId: 'cat-sitter' })
  await cache.getTranscript({ clipId: 'watchmaker' })
  counted.requests.length = 0
  await cache.getClip({ clipId: 'cat-sitter' })
  expect(counted.requests).toEqual([])
})

test('returns a record that cannot be stored, and requests it again next time', async () => {
  const storage = memoryStorage()
  const set = async (name: string, text: string) => {
    if (name !== 'release') throw new Error('the disk is full')
    await storage.set(name, text)
  }
  const cache = new CachedClipLookup(client, { storage: { ...storage, set } })
  for (let i = 0; i < 2; i++) expect((await cache.getClip({ clipId: 'cat-sitter' })).title).not.toBe('')
  expect(cache.stats).toEqual({ saved: 0, made: 2 })
})

test('answers from the cache while the service is down', async () => {
  let isGone = false
  const fetch = async (url: string, init: RequestInit) =>
    isGone ? Promise.reject(new TypeError('gone')) : await globalThis.fetch(url, init)
  const cache = new CachedClipLookup(clientWith(fetch, 0), { refreshMs: 0 })
  const clip = await cache.getClip({ clipId: 'cat-sitter' })
  isGone = true
  expect(await cache.getClip({ clipId: 'cat-sitter' })).toEqual(clip)
  await expect(cache.getClip({ clipId: 'watchmaker' })).rejects.toMatchObject({ code: 'network' })
})

test('waits for the service once a minute at most while it is down', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-03-01T12:00:10Z') })
  onTestFinished(() => void vi.useRealTimers())
  let isGone = false
  const fetch = async (url: string, init: RequestInit) => {
    const response = await counted.fetch(url, init)
    return isGone ? Promise.reject(new TypeError('gone')) : response
  }
  const cache = new CachedClipLookup(clientWith(fetch, 0))
  const clip = await cache.getClip({ clipId: 'cat-sitter' })
  isGone = true
  const requestsAt = async (time: string) => {
    vi.setSystemTime(time)
    counted.requests.length = 0
    for (let i = 0; i < 3; i++) expect(await cache.getClip({ clipId: 'cat-sitter' })).toEqual(clip)
    return counted.requests.length
  }
  expect(await requestsAt('2026-03-01T13:00:09Z')).toBe(0)
  expect(await requestsAt('2026-03-01T13:00:11Z')).toBe(1)
  expect(await requestsAt('2026-03-01T13:01:10Z')).toBe(0)
  isGone = false
  expect(await requestsAt('2026-03-01T13:01:12Z')).toBe(1)
  expect(await requestsAt('2026-03-01T14:01:11Z')).toBe(0)
})

test('counts the look-up of an unknown clip or word', async () => {
  const cache = new CachedClipLookup(client)
  await expect(cache.getClip({ clipId: 'nosuchclip' })).rejects.toMatchObject({ code: 'not_found' })
  await expect(cache.getWord({ word: 'nosuchword' })).rejects.toMatchObject({ code: 'not_found' })
  await expect(cache.listWords({ limit: 0 })).rejects.toMatchObject({ code: 'invalid_parameter' })
  expect(cache.stats).toEqual({ saved: 0, made: 2 })
})

test.each(['memory', 'a folder'])('a mirror in %s is correct after five builds', async (place) => {
  const storage: CacheStorage =
    place === 'memory' ? memoryStorage() : folderStorage(join(service.folder, 'kept', String(builds)))
  const ids = [...smallCorpus.clips.map(({ videoId }) => videoId), 'new-clip']
  const outcome = async (call: Promise<unknown>) => await call.catch((error: { code: string }) => error.code)
  let clips = smallCorpus.clips
  for (let night = 0; night < 5; night++) {
    const [first, second, ...rest] = clips
    const changed = structuredClone(second!)
    changed.title = `Night ${night}`
    changed.cues[0]!.text = `Night ${night} comes.`
    // One clip is withdrawn, one changes, and one from an earlier night returns.
    const returned = smallCorpus.clips.find(({ videoId }) => !clips.some((clip) => clip.videoId === videoId))
    clips = [...rest, changed, ...(returned ? [returned] : [{ ...first!, videoId: 'new-clip' }])]
    const cache = new CachedClipLookup(client, { storage })
    // Records that are being loaded while the release changes.
    const late = ids.map((clipId) => outcome(cache.getTranscript({ clipId })))
    await publish(clips)
    await Promise.all(late)
    await cache.update()
    for (const clipId of ids) {
      expect(await outcome(cache.getClip({ clipId })), clipId).toEqual(
        await outcome(client.getClip({ clipId })),
      )
      const transcript = await outcome(client.getTranscript({ clipId }))
      expect(await outcome(cache.getTranscript({ clipId })), clipId).toEqual(transcript)
    }
  }
})

test('a walk through a feed during a build returns each clip once', async () => {
  await publish(smallCorpus.clips)
  const videoIds: string[] = []
  for await (const { clip } of client.items('getFeed', { limit: 2 })) {
    videoIds.push(clip.videoId)
    if (videoIds.length !== 2) continue
    const withdrawn = smallCorpus.clips.find(
      ({ videoId, language }) => language === 'en' && !videoIds.includes(videoId),
    )!
    await publish([
      ...smallCorpus.clips.filter((each) => each !== withdrawn),
      { ...withdrawn, videoId: 'late' },
    ])
  }
  expect(new Set(videoIds).size).toBe(videoIds.length)
  expect(videoIds.filter((videoId) => videoId !== 'late')).toHaveLength(englishVideoIds.length - 1)
})

test('a mirror that is too old starts over', async () => {
  const storage = folderStorage(join(service.folder, 'old'))
  await storage.set('release', '["999999-00000000","999999-00000000"]')
  await storage.set('getClip/x', '{"clipId":"x"}')
  const cache = new CachedClipLookup(client, { storage })
  await expect(cache.getClip({ clipId: 'x' })).rejects.toMatchObject({ code: 'not_found' })
  expect(readdirSync(join(service.folder, 'old'))).toHaveLength(1)
  const { release } = await client.getCorpus()
  expect(await storage.get('release')).toBe(JSON.stringify([release, release]))
})

test('drops a record from a server that was late to load a release', async () => {
  const { release } = await client.getCorpus()
  const { clipId } = await client.getClip({ clipId: 'watchmaker' })
  const empty = { added: [], changed: [], withdrawn: [] }
  const changes = (from: string, to: string, changed: string[]) => ({
    from,
    to,
    words: empty,
    clips: { ...empty, changed },
  })
  let served = 'old'
  const answers: Record<string, object> = {
    [release]: changes(release, 'next', [clipId]),
    next: changes('next', 'next', []),
  }
  const fetch = async (url: string) => {
    const since = new URL(url).searchParams.get('since')
    const record = since ? answers[since]! : url.endsWith('/corpus') ? { release } : { clipId, title: served }
    return new Response(JSON.stringify(record))
  }
  const cache = new CachedClipLookup(new ClipLookup({ baseUrl: 'http://service.example', fetch }))
  await cache.update()
  await cache.update()
  expect(await cache.getClip({ clipId })).toMatchObject({ title: 'old' })
  served = 'new'
  await cache.update()
  expect(await cache.getClip({ clipId })).toMatchObject({ title: 'new' })
  await cache.update()
  await cache.update()
  served = 'newer'
  expect(await cache.getClip({ clipId })).toMatchObject({ title: 'new' })
})

test.runIf(hasAllFaultRounds && browserProgram)('stores records in the browser’s database', async () => {
  const entry = join(root, 'src', 'client', 'cache', 'cached-clip-lookup.ts')
  const script = await build({
    stdin: {
      contents: `export * from ${JSON.stringify(entry)}; export * from ${JSON.stringify(entry.replace('cache/cached-clip-lookup', 'clip-lookup'))}`,
      resolveDir: root,
    },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'client',
    tsconfigRaw: {},
  })
  const browser = await startBrowser()
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  for (const isFirst of [true, false]) {
    await page.goto(`${service.origin}/v1/corpus`)
    await page.addScriptTag({ content: script.outputFiles[0]!.text })
    const result = await page.evaluate(
      async ([baseUrl, apiKey]) => {
        const { CachedClipLookup, ClipLookup, indexedDbStorage } = (globalThis as any).client
        const cache = new CachedClipLookup(new ClipLookup({ baseUrl, key: apiKey }), {
          storage: indexedDbStorage(),
        })
        const { videoId } = await cache.getTranscript({ clipId: 'watchmaker' })
        return { videoId, ...cache.stats }
      },
      [`${service.origin}/v1`, service.key],
    )
    expect(result).toEqual({ videoId: 'watchmaker', saved: isFirst ? 0 : 1, made: isFirst ? 1 : 0 })
  }
})
