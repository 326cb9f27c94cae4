import { afterEach, describe, expect, test, vi } from 'vitest'
import { ClipLookup, ClipLookupError, type ClientOptions } from '#client/clip-lookup.ts'
import { paths } from '#client/operations.ts'
import { setPlan } from '#metering/administer.ts'
import { englishVideoIds } from '../fixtures/small-corpus.ts'
import { countedFetch } from '../harness/counted-fetch.ts'
import { amplePlan } from '../harness/service.ts'
import { startUpstream } from '../harness/upstream.ts'
import { sharedSmallService } from '../proxy/small-service.ts'

const plans = [
  { name: 'trial', perPeriod: 20, perMinute: 60 },
  { name: 'slow', perPeriod: null, perMinute: 60 },
  { name: 'small', perPeriod: 3, perMinute: 60 },
  amplePlan,
]

const service = sharedSmallService({ plans, clock: { now: () => Date.now() } })
let accounts = 0

afterEach(() => void vi.useRealTimers())

/** Returns a client with its own account, and the requests that it sends. */
async function newClient(plan: string, options: Partial<ClientOptions> = {}) {
  const account = `client-${accounts++}`
  const key = await service.newKey(account, plan)
  const counted = countedFetch()
  const baseUrl = `${service.origin}/v1`
  const client = new ClipLookup({ baseUrl, key, fetch: counted.fetch, ...options })
  return { client, counted, key, account }
}

/** Advances a clock that stands still until a promise is settled; responses take no time. */
async function moveTime<T>(promise: Promise<T>, inFlight: () => number, onStep = async () => {}): Promise<T> {
  let isSettled = false
  const settle = () => void (isSettled = true)
  promise.then(settle, settle)
  while (!isSettled) {
    await new Promise((resolve) => setImmediate(resolve))
    if (inFlight() > 0) continue
    await onStep()
    await vi.advanceTimersByTimeAsync(100)
  }
  return await promise
}

function stopTime(at: string): void {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: Date.parse(at) })
}

const catClips = { word: 'cat' }

describe('operations', () => {
  test('every operation has a method that returns the record of the response', async () => {
    const { client, key } = await newClient('ample')
    const { release } = await client.getCorpus()
    const parameters: Record<string, object> = {
      getFeed: { seed: 'a', limit: 2, known: ['A1', 12, -7], context: true },
      listClips: { ids: ['cat-sitter', 'nosuchclip'] },
      getClip: { clipId: 'cat-sitter' },
      getTranscript: { clipId: 'cat-sitter' },
      listWords: { q: 'lo', level: ['A1', 'B1'] },
      getWord: { word: 'and/or' },
      listWordClips: { word: 'look after', limit: 1 },
      searchSentences: { q: 'looking after?' },
      getChanges: { since: release },
    }
    const targets: Record<string, string> = {
      getFeed: '/feed?seed=a&limit=2&known=A1%2C12%2C-7&context=true',
      listClips: '/clips?ids=cat-sitter,nosuchclip',
      getClip: '/clips/cat-sitter',
      getTranscript: '/clips/cat-sitter/transcript',
      listWords: '/words?q=lo&level=A1,B1',
      getWord: '/words/and%2For',
      listWordClips: '/words/look%20after/clips?limit=1',
      searchSentences: '/sentences?q=looking%20after%3F',
      getChanges: `/changes?since=${release}`,
    }
    for (const [id, path] of Object.entries(paths)) {
      const record = await (client as any)[id](parameters[id])
      const { json } = await service.get(targets[id] ?? path, { key })
      expect({ ...record, requests: 0 }, id).toEqual({ ...json, requests: 0 })
    }
  })

  test('an error has the code, the status and the fields of the response', async () => {
    const { client } = await newClient('ample')
    const error = await client.getFeed({ limit: 1000 }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ClipLookupError)
    expect(error).toMatchObject({ code: 'invalid_parameter', status: 400, parameter: 'limit' })
    expect((error as ClipLookupError).requestId).toMatch(/\w/)
    await expect(client.getClip({ clipId: 'nosuchclip' })).rejects.toMatchObject({ code: 'not_found' })
    const stranger = new ClipLookup({ baseUrl: `${service.origin}/v1/` })
    await expect(stranger.getUsage()).rejects.toMatchObject({ code: 'invalid_key', status: 401 })
  })

  test('unknown fields and unknown codes are passed on', async () => {
    const bodies = [
      new Response('{"newField":1,"words":[],"nextCursor":null}'),
      new Response('{"error":{"code":"too_early","message":"Wait."}}', { status: 425 }),
      new Response('<p>Bad gateway</p>', { status: 400 }),
    ]
    const client = new ClipLookup({ baseUrl: 'http://service.example', fetch: async () => bodies.shift()! })
    expect(await client.listWords()).toMatchObject({ newField: 1 })
    await expect(client.listWords()).rejects.toMatchObject({ code: 'too_early', message: 'Wait.' })
    await expect(client.listWords()).rejects.toMatchObject({ code: 'bad_response', status: 400 })
  })

  test.each([
    [new TypeError('fetch failed', { cause: new Error('other side closed') }), 'other side closed'],
    // Node reports several refused addresses with an error that has no message.
    [new TypeError('fetch failed', { cause: { message: '', code: 'ECONNREFUSED' } }), 'ECONNREFUSED'],
    [new TypeError('Failed to fetch'), 'Failed to fetch'],
  ])('a network error says why there is no response: %s', async (cause, reason) => {
    const fetch = () => Promise.reject(cause)
    const client = new ClipLookup({ baseUrl: 'http://service.example', fetch, retries: 0 })
    await expect(client.listWords()).rejects.toMatchObject({ message: `no response: ${reason}`, cause })
  })

  test('refuses a word that a URL cannot contain, without sending a request', async () => {
    const { client, counted } = await newClient('ample')
    await expect(client.listWordClips({ word: '..' })).rejects.toMatchObject({ parameter: 'word' })
    await expect(client.getClip('cat-sitter' as never)).rejects.toMatchObject({ parameter: 'clipId' })
    expect(counted.requests).toEqual([])
  })
})

describe('pages', () => {
  test('a walk through a feed returns each clip once even if filters change on the way', async () => {
    const { client } = await newClient('ample')
    const parameters = { limit: 1, exclude: [] as string[], seed: 'walk' }
    const videoIds: string[] = []
    for await (const { clip } of client.items('getFeed', parameters)) {
      videoIds.push(clip.videoId)
      parameters.exclude = ['watchmaker']
    }
    const expected = englishVideoIds.filter((id) => id !== 'watchmaker' || videoIds[0] === id)
    expect(videoIds.sort()).toEqual(expected)
  })

  test('a parameter that the cursor fixes keeps its value, and a warning names it', async () => {
    const warnings: string[] = []
    const { client, counted } = await newClient('ample', { warn: (text) => void warnings.push(text) })
    const parameters = { q: 'c', limit: 1, in: 'spellings' as const }
    const words: string[] = []
    for await (const { word } of client.items('listWords', parameters)) {
      words.push(word)
      parameters.q = 'x'
    }
    expect(words.length).toBeGreaterThan(2)
    expect(counted.requests).toHaveLength(words.length)
    expect(warnings).toEqual(['listWords: q cannot change from page to page and stays "c"'])
  })
})

describe('the minute window', () => {
  test('200 calls in the background send few more than 200 requests over four windows', async () => {
    stopTime('2026-03-01T12:00:10Z')
    const { client, counted } = await newClient('slow', { mode: 'background' })
    const calls = Promise.all(Array.from({ length: 200 }, () => client.listWordClips(catClips)))
    const answers = await moveTime(calls, () => counted.inFlight)
    expect(answers.every(({ word }) => word.word === 'cat')).toBe(true)
    expect(counted.requests.length).toBeLessThanOrEqual(210)
    expect(Date.now()).toBeLessThan(Date.parse('2026-03-01T12:03:15Z'))
  })

  test('200 calls send few more than 200 requests even if another program uses up most of each window', async () => {
    stopTime('2026-03-01T12:00:10Z')
    const { client, counted, key } = await newClient('slow', { mode: 'background' })
    let minute = 0
    const rival = async () => {
      const now = Math.floor(Date.now() / 60_000)
      if (now === minute) return
      minute = now
      for (let i = 0; i < 40; i++) await service.get('/words/cat', { key })
    }
    await rival()
    const calls = Promise.all(Array.from({ length: 200 }, () => client.listWordClips(catClips)))
    expect(await moveTime(calls, () => counted.inFlight, rival)).toHaveLength(200)
    expect(counted.requests.length).toBeLessThanOrEqual(210)
  })

  test('200 calls fail after one request if the window reopens later than they may wait', async () => {
    stopTime('2026-03-01T12:00:10Z')
    const { client, counted, key } = await newClient('slow')
    for (let i = 0; i < 60; i++) await service.get('/words/cat', { key })
    const calls = Promise.allSettled(Array.from({ length: 200 }, () => client.listWordClips(catClips)))
    const outcomes = await moveTime(calls, () => counted.inFlight)
    for (const outcome of outcomes) {
      const error = (outcome as PromiseRejectedResult).reason as ClipLookupError
      expect(error.is('rate_limited') && error.retryAfter).toBeGreaterThan(40)
    }
    expect(counted.requests).toHaveLength(1)
    expect(Date.now()).toBeLessThan(Date.parse('2026-03-01T12:00:12Z'))
  })

  test('calls share a wait that is short enough', async () => {
    stopTime('2026-03-01T12:00:53Z')
    const { client, counted, key } = await newClient('slow')
    for (let i = 0; i < 60; i++) await service.get('/words/cat', { key })
    const calls = Promise.all(Array.from({ length: 50 }, () => client.listWordClips(catClips)))
    expect(await moveTime(calls, () => counted.inFlight)).toHaveLength(50)
    expect(counted.requests.filter((path) => path !== '/v1/usage').length).toBeLessThanOrEqual(51)
    expect(Date.now()).toBeLessThan(Date.parse('2026-03-01T12:01:03Z'))
  })

  test('sends few requests to a service that refuses them all, for as long as calls may wait', async () => {
    stopTime('2026-03-01T12:00:10Z')
    const refusal = '{"error":{"code":"rate_limited","message":"Wait.","retryAfter":1}}'
    const counted = countedFetch(() => new Response(refusal, { status: 429 }))
    const client = new ClipLookup({ baseUrl: 'http://service.example', fetch: counted.fetch })
    const clips = Array.from({ length: 200 }, () => client.getClip({ clipId: 'a' }))
    const outcomes = await moveTime(Promise.allSettled([...clips, client.getUsage()]), () => counted.inFlight)
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
    expect(counted.requests.length).toBeLessThan(25)
    expect(Date.now()).toBeGreaterThan(Date.parse('2026-03-01T12:00:18Z'))
    expect(Date.now()).toBeLessThan(Date.parse('2026-03-01T12:00:21Z'))
  })

  test('a response that arrives late does not reopen the window', async () => {
    const reset = String(Math.ceil(Date.now() / 1000) + 50)
    let places = 5
    let replyLate = () => {}
    const upstream = await startUpstream((_, res) => {
      const headers = { 'X-RateLimit-Remaining': String(--places), 'X-RateLimit-Reset': reset }
      const reply = () => res.writeHead(200, headers).end('{"words":[]}')
      if (places === 3) replyLate = reply
      else reply()
      if (places === 0) setTimeout(replyLate, 50)
    })
    const client = new ClipLookup({ baseUrl: upstream.address })
    await Promise.all(Array.from({ length: 5 }, () => client.listWords()))
    await expect(client.listWords()).rejects.toMatchObject({ code: 'rate_limited', status: 0 })
    expect(places).toBe(0)
  })

  test('calls a service without rate headers in parallel', async () => {
    let most = 0
    const counted = countedFetch()
    const upstream = await startUpstream((_, res) => {
      most = Math.max(most, counted.inFlight)
      setTimeout(() => res.end('{"words":[]}'), 20)
    })
    const client = new ClipLookup({ baseUrl: upstream.address, fetch: counted.fetch })
    await client.listWords()
    await Promise.all(Array.from({ length: 5 }, () => client.listWords()))
    expect(most).toBe(5)
  })
})

describe('the quota', () => {
  test('the client refuses calls itself from the end of the quota to the end of the period', async () => {
    stopTime('2026-03-01T12:00:10Z')
    const { client, counted } = await newClient('small')
    for (let i = 0; i < 3; i++) await client.getWord(catClips)
    const fail = async () =>
      (await client.getWord(catClips).catch((error: unknown) => error)) as ClipLookupError
    const first = await fail()
    expect(first).toMatchObject({ code: 'quota_exceeded', retryAfter: 31 * 86_400 })
    vi.setSystemTime('2026-03-31T12:00:10Z')
    const timers = vi.getTimerCount()
    expect(await fail()).toMatchObject({ code: 'quota_exceeded', message: first.message, retryAfter: 86_400 })
    expect(counted.requests).toHaveLength(4)
    expect(vi.getTimerCount()).toBe(timers)
    vi.setSystemTime('2026-04-01T12:00:11Z')
    expect(await client.getWord(catClips)).toMatchObject({ word: 'cat' })
    expect(counted.requests).toHaveLength(5)
  })

  test('a larger plan takes effect once the usage has been read', async () => {
    const { client, account } = await newClient('small')
    for (let i = 0; i < 3; i++) await client.getWord(catClips)
    await expect(client.getWord(catClips)).rejects.toMatchObject({ code: 'quota_exceeded' })
    await client.getUsage()
    await expect(client.getWord(catClips)).rejects.toMatchObject({ code: 'quota_exceeded' })
    await setPlan({ store: service.store, plans }, account, 'ample')
    await client.getUsage()
    expect(await client.getWord(catClips)).toMatchObject({ word: 'cat' })
  })
})

describe('faults', () => {
  /** Returns a client of a service that handles its first requests badly, then answers. */
  async function unreliableClient(faults: ('drop' | 503 | 500 | 'silence')[], options = {}) {
    let requests = 0
    const upstream = await startUpstream((_, res) => {
      const fault = faults[requests++]
      if (fault === 'drop') res.destroy()
      else if (typeof fault === 'number')
        res.writeHead(fault).end(`{"error":{"code":"${fault === 503 ? 'unavailable' : 'internal'}"}}`)
      else if (fault !== 'silence') res.end('{"words":[]}')
    })
    const client = new ClipLookup({ baseUrl: upstream.address, ...options })
    return { client, upstream, requests: () => requests }
  }

  test('repeats a call after dropped connections and 503, but only a few times', async () => {
    const brief = await unreliableClient(['drop', 503])
    expect(await brief.client.listWords()).toEqual({ words: [] })
    expect(brief.requests()).toBe(3)
    const long = await unreliableClient(Array.from({ length: 9 }, () => 503 as const))
    await expect(long.client.listWords()).rejects.toMatchObject({ code: 'unavailable', status: 503 })
    expect(long.requests()).toBe(3)
    const gone = await unreliableClient(
      Array.from({ length: 9 }, () => 'drop' as const),
      { retries: 1 },
    )
    await expect(gone.client.listWords()).rejects.toMatchObject({ code: 'network', status: 0 })
    expect(gone.requests()).toBe(2)
  })

  test('does not repeat a call after other errors', async () => {
    const { client, requests } = await unreliableClient([500])
    await expect(client.listWords()).rejects.toMatchObject({ code: 'internal' })
    expect(requests()).toBe(1)
  })

  test('a call ends at its deadline and closes its connection', async () => {
    const upstream = await startUpstream(() => {})
    const client = new ClipLookup({ baseUrl: upstream.address })
    await expect(client.listWords({}, { timeoutMs: 100 })).rejects.toMatchObject({ code: 'timeout' })
    await vi.waitFor(() => expect(upstream.sockets.size).toBe(0), { timeout: 30_000 })
  })

  test('a call rejects with the reason of its signal, during a request and during a wait', async () => {
    const { client } = await unreliableClient(['silence', 503, 503])
    const controller = new AbortController()
    const call = client.listWords({}, { signal: controller.signal })
    const waiting = client.listWords({}, { signal: controller.signal })
    controller.abort('gone')
    await expect(call).rejects.toBe('gone')
    await expect(waiting).rejects.toBe('gone')
    await expect(client.listWords({}, { signal: controller.signal })).rejects.toBe('gone')
  })

  test('a call that is aborted during a wait leaves no timer that would keep the process running', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const fetch = async () => new Response('', { status: 503 })
    const client = new ClipLookup({ baseUrl: 'http://127.0.0.1/v1', fetch })
    const controller = new AbortController()
    const call = client.getCorpus({}, { signal: controller.signal })
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(vi.getTimerCount()).toBe(2)
    controller.abort('gone')
    await expect(call).rejects.toBe('gone')
    expect(vi.getTimerCount()).toBe(0)
  })
})
