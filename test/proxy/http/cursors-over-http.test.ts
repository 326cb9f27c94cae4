import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { Cursors } from '#proxy/http/cursor.ts'
import { readCurrent, readManifest } from '#release/release.ts'
import { FolderTree } from '#release/tree.ts'
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

/** 400, with a message that quotes the value. */
async function expectRefusal(path: string, parameter: string, value?: string): Promise<void> {
  const { status, json } = await get(path)
  const { code, parameter: named } = json.error ?? {}
  expect([path, status, code, named]).toEqual([path, 400, 'invalid_parameter', parameter])
  if (value !== undefined) expect(json.error.message).toContain(`, but it is "${value}`)
}

const language = 'tr'
/** Operations, each with the query of a first page, and with other values for bound parameters. */
const endpoints: [path: string, first: string, bound: Record<string, string>][] = [
  ['/feed', 'seed=monday&language=en&limit=2', { seed: 'tuesday', language }],
  [
    '/words',
    'q=a&language=en&level=A1,A2,B1&hasClips=true&limit=2',
    { q: 'c', language, level: 'A1', hasClips: 'false' },
  ],
  ['/words/run/clips', 'language=en&level=A1,C1&limit=1', { language, level: 'A1' }],
  ['/sentences', 'q=the+cat&match=exact&limit=1', { q: 'the', match: 'forms', language, level: 'A1' }],
]

describe.each(endpoints)('a cursor of %s', (path, first, bound) => {
  let cursor: string
  beforeAll(async () => void (cursor = await cursorOf(`${path}?${first}`)))

  test.each(Object.entries(bound))('refuses another %s', async (name, other) => {
    await expectRefusal(`${path}?cursor=${cursor}&${name}=${other}`, name, other)
  })

  test('is refused by every other operation', async () => {
    for (const [other] of endpoints)
      if (other !== path) await expectRefusal(`${other}?cursor=${cursor}`, 'cursor')
  })
})

describe('an invalid cursor is 400:', () => {
  test.each(['x', '0', 'A'.repeat(512), '%F0%9F%90%88', '..%2F..%2Fetc%2Fpasswd'])('%j', async (bad) => {
    const value = decodeURIComponent(bad).slice(0, 60)
    for (const [path] of endpoints) await expectRefusal(`${path}?cursor=${bad}`, 'cursor', value)
  })

  test.each([
    ['getFeed', '/feed', 'en', 'monday', '1e400'],
    ['getFeed', '/feed', 'en', 'monday', '4', '-1'],
    ['getFeed', '/feed', 'en', 'monday', '4', '1.5'],
    ['listWordClips', '/words/run/clips', 'en', ''],
  ])('one that is signed, but has other fields: %s %s %s %s', async (operation, path, ...fields) => {
    const tree = new FolderTree(join(service.folder, 'dist'))
    const manifest = await readManifest(tree, await readCurrent(tree))
    const cursors = new Cursors().use(await service.store.directory.cursorSecret())
    const cursor = cursors.seal(`${operation} ${manifest.tree}`, fields)
    await expectRefusal(`${path}?cursor=${cursor}`, 'cursor')
  })

  test('one of more than 512 characters, and the message says so', async () => {
    for (const [path] of endpoints) {
      const { status, json } = await get(`${path}?cursor=${'A'.repeat(513)}`)
      expect(status).toBe(400)
      expect(json.error.message).toContain('512')
    }
  })
})

test('the word in the path must be the cursor’s, but may have another spelling', async () => {
  const cursor = await cursorOf('/words/run/clips?limit=1')
  const next = (await get(`/words/run/clips?cursor=${cursor}`)).json.items
  for (const word of ['RUN', 'running', '1'])
    expect((await get(`/words/${word}/clips?cursor=${cursor}`)).json.items).toEqual(next)
  await expectRefusal(`/words/cat/clips?cursor=${cursor}`, 'word', 'cat')
  await expectRefusal(`/words/nothing/clips?cursor=${cursor}`, 'word')
})

test('the next page of a search is one of the same search', async () => {
  const first = (await get('/words?q=c&limit=1')).json
  const next = (await get(`/words?cursor=${first.nextCursor}`)).json
  expect(next.totalCount).toBe(first.totalCount)
  expect((await get('/words')).json.totalCount).toBeGreaterThan(first.totalCount)
})

test('binds defaults as well as given values', async () => {
  const words = await cursorOf('/words?limit=1')
  const defaults = 'language=en&hasClips=true&level=A1,A2,B1,B2,C1,C2'
  expect((await get(`/words?cursor=${words}&${defaults}`)).status).toBe(200)
  await expectRefusal(`/words?cursor=${words}&q=run`, 'q')
  await expectRefusal(`/words?cursor=${words}&hasClips=false`, 'hasClips')
  const feed = await cursorOf('/feed?limit=1')
  await expectRefusal(`/feed?cursor=${feed}&seed=monday`, 'seed')
})

test('a cursor still works after a restart, but not with another tree on the same store', async () => {
  await using before = await startSmallService()
  const key = await before.newKey()
  const first = (await before.get('/words?limit=1', { key })).json
  const corpusFolder = join(before.folder, 'source')
  const again = await startService({ folder: before.folder })
  const { status } = await again.get(`/words?limit=1&cursor=${first.nextCursor}`, { key })
  await again.stop()
  expect(status).toBe(200)
  await rm(join(before.folder, 'dist'), { recursive: true })
  const other = await startService({ folder: before.folder, corpusFolder })
  const refused = await other.get(`/words?cursor=${first.nextCursor}`, { key })
  await other.stop()
  expect(refused).toMatchObject({ status: 400, json: { error: { parameter: 'cursor' } } })
})
