import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { HttpAnswer } from '../../harness/http-client.ts'
import { startService } from '../../harness/service.ts'
import { sharedSmallService, startSmallService } from '../small-service.ts'

const service = sharedSmallService()

const get = (path: string): Promise<HttpAnswer> => service.get(path, { key: service.key })

async function cursorOf(path: string): Promise<string> {
  const { status, json } = await get(path)
  expect({ path, status }).toEqual({ path, status: 200 })
  expect(typeof json.nextCursor).toBe('string')
  return json.nextCursor
}

async function expectRefusal(path: string, parameter: string): Promise<void> {
  const { status, json } = await get(path)
  expect({ path, status, code: json.error?.code, parameter: json.error?.parameter }).toEqual({
    path,
    status: 400,
    code: 'invalid_parameter',
    parameter,
  })
}

/**
 * An endpoint with a first page, what its cursor is bound to (as asked, and another value), and
 * what may change.
 */
interface Paged {
  path: string
  first: string
  bound: Record<string, [same: string, other: string]>
  free: Record<string, string>
}

const endpoints: Paged[] = [
  {
    path: '/feed',
    first: 'seed=monday&language=en&limit=2',
    bound: { seed: ['monday', 'tuesday'], language: ['en', 'tr'] },
    free: { limit: '1', gloss: 'es', exclude: 'bonjour', level: 'B1' },
  },
  {
    path: '/words',
    first: 'q=a&language=en&level=A1,A2,B1&hasClips=true&limit=2',
    bound: { q: ['a', 'c'], language: ['en', 'tr'], level: ['B1,A2,A1', 'A1'], hasClips: ['true', 'false'] },
    free: { limit: '1', gloss: 'es' },
  },
  {
    path: '/words/run/clips',
    first: 'language=en&level=A1,C1&limit=1',
    bound: { language: ['en', 'tr'], level: ['C1,A1', 'A1'] },
    free: { limit: '5', gloss: 'es' },
  },
]

describe.each(endpoints)('a cursor of $path', ({ path, first, bound, free }) => {
  let cursor: string
  let next: unknown[]
  const itemsOf = ({ json }: HttpAnswer): unknown[] => json.items ?? json.words
  beforeAll(async () => {
    cursor = await cursorOf(`${path}?${first}`)
    next = itemsOf(await get(`${path}?cursor=${cursor}`))
  })

  test('is safe in a query and has at most 512 characters', () => {
    expect(cursor).toMatch(/^[\w-]{1,512}$/)
  })

  test('goes on where the page before ended', async () => {
    const whole = itemsOf(await get(`${path}?${first.replace(/limit=\d+/, 'limit=100')}`))
    const before = itemsOf(await get(`${path}?${first}`))
    expect([...before, ...next]).toEqual(whole.slice(0, before.length + next.length))
    expect(next.length).toBeGreaterThan(0)
  })

  test('stands for every bound parameter that is left out', async () => {
    const all = Object.entries(bound).map(([name, [same]]) => `&${name}=${encodeURIComponent(same)}`)
    const answer = await get(`${path}?cursor=${cursor}${all.join('')}`)
    expect(itemsOf(answer)).toEqual(next)
  })

  test.each(Object.entries(bound))('goes with the same %s', async (name, [same]) => {
    const answer = await get(`${path}?cursor=${cursor}&${name}=${encodeURIComponent(same)}`)
    expect(itemsOf(answer)).toEqual(next)
    expect(itemsOf(await get(`${path}?cursor=${cursor}&${name}=`))).toEqual(next)
  })

  test.each(Object.entries(bound))('refuses another %s', async (name, [, other]) => {
    await expectRefusal(`${path}?cursor=${cursor}&${name}=${other}`, name)
  })

  test.each(Object.entries(free))('lets %s change', async (name, value) => {
    expect((await get(`${path}?cursor=${cursor}&${name}=${value}`)).status).toBe(200)
  })

  test('is refused with any one character altered', async () => {
    for (let at = 0; at < cursor.length; at++) {
      const other = cursor[at] === 'x' ? 'y' : 'x'
      await expectRefusal(`${path}?cursor=${cursor.slice(0, at)}${other}${cursor.slice(at + 1)}`, 'cursor')
    }
  })

  test('is refused cut short or with something added', async () => {
    for (const bad of [
      cursor.slice(1),
      cursor.slice(0, -1),
      `${cursor}A`,
      `${cursor}=`,
      `${cursor}+`,
      `+${cursor}`,
    ])
      await expectRefusal(`${path}?cursor=${bad}`, 'cursor')
  })

  test('is refused at every other endpoint', async () => {
    for (const other of endpoints)
      if (other.path !== path) await expectRefusal(`${other.path}?cursor=${cursor}`, 'cursor')
  })
})

describe('what is no cursor is 400', () => {
  test.each([
    'x',
    'null',
    'undefined',
    '0',
    'AAAA',
    'A'.repeat(512),
    '%F0%9F%90%88',
    '"quoted"',
    '..%2F..%2Fetc%2Fpasswd',
  ])('%j', async (bad) => {
    for (const { path } of endpoints) await expectRefusal(`${path}?cursor=${bad}`, 'cursor')
  })

  test('one of more than 512 characters, and the message says so', async () => {
    for (const { path } of endpoints) {
      const { status, json } = await get(`${path}?cursor=${'A'.repeat(513)}`)
      expect(status).toBe(400)
      expect(json.error.message).toContain('512')
    }
  })
})

describe('the word in the path', () => {
  test('may be spelled otherwise', async () => {
    const cursor = await cursorOf('/words/run/clips?limit=1')
    const next = (await get(`/words/run/clips?cursor=${cursor}`)).json.items
    for (const word of ['RUN', 'running', '1'])
      expect((await get(`/words/${word}/clips?cursor=${cursor}`)).json.items).toEqual(next)
  })

  test('must be the word of the cursor', async () => {
    const cursor = await cursorOf('/words/run/clips?limit=1')
    await expectRefusal(`/words/cat/clips?cursor=${cursor}`, 'word')
    await expectRefusal(`/words/nothing/clips?cursor=${cursor}`, 'word')
  })
})

test('defaults are bound like what was asked for', async () => {
  const words = await cursorOf('/words?limit=1')
  expect((await get(`/words?cursor=${words}&language=en&hasClips=true&level=A1,A2,B1,B2,C1,C2`)).status).toBe(
    200,
  )
  await expectRefusal(`/words?cursor=${words}&q=run`, 'q')
  await expectRefusal(`/words?cursor=${words}&hasClips=false`, 'hasClips')
  const feed = await cursorOf('/feed?limit=1')
  await expectRefusal(`/feed?cursor=${feed}&seed=monday`, 'seed')
})

test('a seed that the service made goes on with the cursor alone, and with the seed it echoed', async () => {
  const first = (await get('/feed?limit=2')).json
  const next = (await get(`/feed?cursor=${first.nextCursor}`)).json
  expect(next.seed).toBe(first.seed)
  expect((await get(`/feed?cursor=${first.nextCursor}&seed=${encodeURIComponent(first.seed)}`)).json).toEqual(
    next,
  )
})

test('the longest seed makes a cursor of at most 512 characters that works', async () => {
  for (const char of ['a', 'é', '猫', '🐈']) {
    const cursor = await cursorOf(`/feed?limit=1&seed=${encodeURIComponent(char.repeat(64))}`)
    expect(cursor.length).toBeLessThanOrEqual(512)
    expect((await get(`/feed?cursor=${cursor}`)).json.seed).toBe(char.repeat(64))
  }
})

test('pages laid end to end are the whole, and the last has no cursor', async () => {
  for (const { path, first } of endpoints) {
    const whole = (await get(`${path}?${first.replace(/limit=\d+/, 'limit=100')}`)).json
    expect(whole.nextCursor).toBeNull()
    const found: unknown[] = []
    let page = (await get(`${path}?${first}`)).json
    for (;;) {
      found.push(...(page.items ?? page.words))
      if (page.nextCursor === null) break
      page = (await get(`${path}?cursor=${page.nextCursor}&limit=1`)).json
    }
    expect(found).toEqual(whole.items ?? whole.words)
  }
})

test('a cursor outlives the process, and is refused by another tree on the same store', async () => {
  await using before = await startSmallService()
  const key = await before.newKey()
  const first = (await before.get('/words?limit=1', { key })).json
  const corpusFolder = join(before.folder, 'source')
  const again = await startService({ folder: before.folder })
  try {
    expect((await again.get(`/words?limit=1&cursor=${first.nextCursor}`, { key })).status).toBe(200)
  } finally {
    await again.stop()
  }
  await rm(join(before.folder, 'dist'), { recursive: true })
  const other = await startService({ folder: before.folder, corpusFolder })
  try {
    const answer = await other.get(`/words?cursor=${first.nextCursor}`, { key })
    expect(answer.status).toBe(400)
    expect(answer.json.error.parameter).toBe('cursor')
  } finally {
    await other.stop()
  }
})

test('a cursor is refused by a service with another store', async () => {
  await using other = await startSmallService()
  const otherKey = await other.newKey()
  const { nextCursor } = (await other.get('/words?limit=1', { key: otherKey })).json
  await expectRefusal(`/words?cursor=${nextCursor}`, 'cursor')
})
