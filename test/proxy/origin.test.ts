import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { glob, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { createServer, request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openDigestedFile } from '#release/digested-file.ts'
import { DiskCache } from '#release/origin/disk-cache.ts'
import { HttpTree } from '#release/origin/http-tree.ts'
import { OriginClient } from '#release/origin/origin-client.ts'
import { newManifest, type Manifest } from '#release/manifest.ts'
import { sentencesPath } from '#release/paths.ts'
import { segmentName } from '#release/sentences/layout.ts'
import { noRanges, type Tree } from '#release/tree.ts'
import { englishVideoIds } from '../fixtures/small-corpus.ts'
import { faultyModes, startFaultyOrigin, type FaultyOrigin } from '../harness/faulty-origin.ts'
import { freePort } from '../harness/free-port.ts'
import { send } from '../harness/http-client.ts'
import { isNginxHere, startNginx } from '../harness/nginx-server.ts'
import { startService, type Service } from '../harness/service.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import { startUpstream } from '../harness/upstream.ts'
import { startSmallService, type SmallService } from './small-service.ts'

/** No test waits for these limits, however busy the machine is. */
const patient = { firstByteMs: 60_000, wholeMs: 60_000 }
/** For an origin that does not respond, or whose response does not end. */
const impatient = { firstByteMs: 500, wholeMs: 1_000 }

let local: SmallService
let origin: FaultyOrigin
beforeEach(async () => {
  local = await startSmallService()
  origin = await startFaultyOrigin(join(local.folder, 'dist'))
})
afterEach(async () => {
  await origin.close()
  await local.stop()
})

function treeAt(address: string, cacheFolder: string, token?: string, allowed = patient): Tree {
  const client = new OriginClient(new URL(`${address}/`), token, allowed)
  onTestFinished(() => client.close())
  return new HttpTree(client, new DiskCache(cacheFolder), 50)
}

interface Remote extends Service {
  key: string
  folder: string
  look(path: string, headers?: Record<string, string>): ReturnType<typeof send>
  requests(): Promise<number>
}

async function startRemote(
  address = origin.address,
  options: { token?: string; cacheFolder?: string; allowed?: typeof patient } = {},
): Promise<Remote> {
  const folder = tempFolder()
  const cacheFolder = options.cacheFolder ?? join(folder, 'cache')
  const tree = treeAt(address, cacheFolder, options.token, options.allowed)
  const service = await startService({ folder, tree })
  onTestFinished(() => service.stop())
  const key = await service.newKey()
  return {
    ...service,
    key,
    folder,
    look: (path, headers = {}) => send(service.origin, `/v1${path}`, { key, headers }),
    requests: async () => ((await service.get('/usage', { key })).json as { requests: number }).requests,
  }
}

const [first, second] = englishVideoIds as [string, string]
/** Requests that read a file and, with a search, parts of the index. */
const bodies = [`/clips/${first}/transcript`, '/words/look/clips']
const fromFiles = [...bodies, '/sentences?q=look']

describe('a release behind an HTTP origin', () => {
  test('gives the same bytes as a folder, in every operation', async () => {
    const remote = await startRemote()
    const key = await local.newKey()
    const searches = ['/sentences?q=look', '/sentences?q=look&match=exact', '/sentences?q=nothing+like+it']
    const paths = ['/corpus', '/words', '/feed?seed=a', `/clips/${first}`, ...bodies, ...searches]
    for (const path of paths) {
      const here = await local.get(path, { key })
      const there = await remote.look(path)
      expect([there.status, there.text], path).toEqual([here.status, here.text])
      expect(there.headers.etag).toBe(here.headers.etag)
    }
  })

  test('gets its own credential and nothing of the client, and its headers are not passed on', async () => {
    const remote = await startRemote(origin.address, { token: 's3cret' })
    const sent = { cookie: 'a=b', 'x-forwarded-for': '192.0.2.1', 'user-agent': 'client' }
    const { headers } = await remote.look(bodies[0]!, sent)
    expect(headers['x-origin']).toBeUndefined()
    expect(origin.asked.length).toBeGreaterThan(4)
    for (const asked of origin.asked) {
      expect(asked.headers).toMatchObject({ authorization: 'Bearer s3cret', 'accept-encoding': 'identity' })
      for (const name of Object.keys(sent)) expect(asked.headers[name]).toBeUndefined()
      expect(JSON.stringify(asked)).not.toContain(remote.key)
    }
  })

  test('does not receive the body of a GET', async () => {
    const remote = await startRemote()
    const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n'
    const { hostname, port } = new URL(remote.origin)
    const headers = { authorization: `Bearer ${remote.key}`, 'content-length': smuggled.length }
    const path = `/v1/clips/${first}/transcript`
    const req = request({ hostname, port, path, headers }).end(smuggled)
    const [res] = (await once(req, 'response')) as [IncomingMessage]
    expect(res.statusCode).toBe(200)
    await res.resume().toArray()
    await remote.look(`/clips/${second}/transcript`)
    expect(origin.asked.filter(({ path, body }) => path === '/smuggled' || body !== '')).toEqual([])
    const asked = origin.asked.find(({ path }) => path.startsWith('/data/transcripts/'))
    expect(asked!.headers).toMatchObject({ host: new URL(origin.address).host })
    expect(asked!.headers['content-length']).toBeUndefined()
  })

  test('still serves other clients that wait for a file after one disconnects', async () => {
    const remote = await startRemote()
    const open = origin.holdBack()
    const controller = new AbortController()
    const path = `/clips/${first}/transcript`
    const leaving = fetch(`${remote.origin}/v1${path}`, {
      headers: { authorization: `Bearer ${remote.key}` },
      signal: controller.signal,
    })
    const asked = () => dataAsked().filter((each) => each.startsWith('/data/transcripts/'))
    await expect.poll(() => asked().length).toBe(1)
    const staying = remote.look(path)
    await expect.poll(() => remote.requests()).toBe(2)
    controller.abort()
    await expect(leaving).rejects.toThrow('aborted')
    await expect.poll(() => asked().length).toBe(2)
    open()
    expect((await staying).status).toBe(200)
  })

  const dataAsked = () => origin.asked.map(({ path }) => path).filter((path) => path.startsWith('/data/'))

  test('is asked once for a body that many requests want at the same time, and never again', async () => {
    const remote = await startRemote()
    for (const path of bodies) {
      const before = dataAsked().length
      const open = origin.holdBack()
      const waiting = Array.from({ length: 20 }, () => remote.look(path))
      await expect.poll(() => dataAsked().length).toBeGreaterThan(before)
      open()
      for (const { status } of await Promise.all(waiting)) expect(status).toBe(200)
      const asked = dataAsked().slice(before)
      expect(new Set(asked).size).toBe(asked.length)
      await remote.look(path)
      expect(dataAsked()).toHaveLength(before + asked.length)
    }
  })

  test.each(faultyModes)('that is %s: returns 503 unavailable, and refunds the unit', async (mode) => {
    const allowed = mode === 'silent' || mode === 'endless' ? impatient : patient
    const remote = await startRemote(origin.address, { allowed })
    // It may have had to wait for the release.
    await expect.poll(async () => (await remote.look('/corpus')).status).toBe(200)
    origin.mode = mode
    for (const path of fromFiles) {
      const { status, json, headers } = await remote.look(path)
      expect([status, json.error.code], path).toEqual([503, 'unavailable'])
      expect(headers['cache-control']).toBe('no-store')
    }
    expect(await remote.requests()).toBe(0)
    expect((await remote.look('/words')).status).toBe(200)
    const [told] = remote.errors.filter((line) => line.includes('"operation"'))
    expect(told).toMatch(/"operation":"getTranscript","requestId":"[0-9a-f-]{36}","path":"\/?data/)
    origin.mode = 'right'
    for (const path of fromFiles)
      await expect.poll(async () => (await remote.look(path)).status, { message: path }).toBe(200)
    expect(await remote.requests()).toBe(1 + fromFiles.length)
  })

  test('that is down: returns 503 with a line in the log, but serves what is in memory', async () => {
    const remote = await startRemote()
    await remote.look(bodies[0]!)
    await origin.close()
    expect((await remote.look(`/clips/${second}/transcript`)).status).toBe(503)
    expect(await remote.look(bodies[0]!)).toMatchObject({ status: 200 })
    const told = remote.errors.filter((line) => line.includes('cannot read "data/transcripts'))
    expect(told).toHaveLength(1)
    origin = await startFaultyOrigin(join(local.folder, 'dist'))
  })

  test('that fails once goes unnoticed: the proxy requests the body again on another connection', async () => {
    const remote = await startRemote()
    const videoIds = [...englishVideoIds]
    for (const mode of ['cut', 'reset', 'wrong'] as const) {
      origin.nextMode = mode
      expect((await remote.look(`/clips/${videoIds.pop()}/transcript`)).status).toBe(200)
    }
  })
})

describe('the response of an origin', () => {
  const manifestPath = () => {
    const current = readFileSync(join(local.folder, 'dist/current.json'), 'utf8')
    return `/releases/${(JSON.parse(current) as { release: string }).release}/manifest.json`
  }
  /** Returns the manifest of the release with other fields, and the matching digest. */
  const manifestWith = (altered: (manifest: Manifest) => Partial<Manifest>): Buffer => {
    const text = readFileSync(join(local.folder, 'dist', manifestPath()), 'utf8')
    const { digest: _, ...manifest } = JSON.parse(text) as Manifest
    return Buffer.from(JSON.stringify(newManifest({ ...manifest, ...altered(manifest as Manifest) })))
  }

  test('is abandoned at the limit of its kind if it does not end', async () => {
    const remote = await startRemote()
    origin.mode = 'endless'
    expect(await remote.look(bodies[0]!)).toMatchObject({ status: 503 })
    // Requested twice; bytes on their way also count.
    expect(origin.sentBytes).toBeLessThan(80 * 1024 * 1024)
  })

  test('with a manifest that names files outside the cache is refused, and nothing is written there', async () => {
    const escaping = manifestWith(({ sentences }) => ({
      sentences: sentences.map((segment) => {
        const name = segmentName(segment)
        const head = readFileSync(join(local.folder, 'dist', sentencesPath(segment.language, name, 0)))
        const language = '../../../escaped'
        // The right bytes exist.
        origin.instead.set(`/${sentencesPath(language, name, 0)}`, head)
        origin.instead.set(`/escaped/${name}.bin`, head)
        return { ...segment, language }
      }),
    }))
    origin.instead.set(manifestPath(), escaping)
    const remote = await startRemote()
    expect((await remote.look('/words')).status).toBe(503)
    expect(await readdir(remote.folder, { recursive: true })).not.toContainEqual(
      expect.stringContaining('escaped'),
    )
  })

  test('is not cached if it is not the requested file', async () => {
    const other = manifestWith(() => ({ release: '000009-00000000' }))
    const cacheFolder = join(tempFolder(), 'cache')
    for (const wrong of [other, Buffer.from('{"error":"busy"}'), Buffer.alloc(0)]) {
      origin.instead.set(manifestPath(), wrong)
      const remote = await startRemote(origin.address, { cacheFolder })
      expect((await remote.look('/words')).status).toBe(503)
    }
    origin.instead.clear()
    const remote = await startRemote(origin.address, { cacheFolder })
    expect((await remote.look('/words')).status).toBe(200)
  })

  test('arrives a second later if the origin’s connection queue was full', async () => {
    const server = createServer((_req, res) => res.end('{}')).listen(0, '127.0.0.1', 1)
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const client = new OriginClient(new URL(`http://127.0.0.1:${port}/`), undefined, patient)
    onTestFinished(() => client.close())
    // The queue holds two of them, which connect before the server can accept one.
    const answers = await Promise.all(Array.from({ length: 4 }, () => client.read({ path: 'current.json' })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  })

  test('with an error of the proxying library is a fault of the origin', async () => {
    const client = new OriginClient(new URL(`${origin.address}/`), 'a\nb', patient)
    onTestFinished(() => client.close())
    const site = await startUpstream((req, res) => {
      client.read({ path: 'current.json', client: { req, res } }).catch((error: Error) => res.end(error.name))
    })
    expect(await (await fetch(site.address)).text()).toBe('TreeFault')
  })

  test('is cached in files that other users cannot read', async () => {
    const cacheFolder = join(tempFolder(), 'cache')
    await startRemote(origin.address, { cacheFolder })
    const modes = new Set<string>()
    for (const name of await readdir(cacheFolder, { recursive: true }))
      modes.add((statSync(join(cacheFolder, name)).mode & 0o777).toString(8))
    expect([...modes].sort()).toEqual(['640', '750'])
  })
})

test('can be downloaded by another process after one is killed while it downloads a table', async () => {
  const folder = join(tempFolder(), 'cache')
  const path = 'releases/000001-00000000/clips.bin'
  const bytes = new Uint8Array([1, 2, 3])
  const digest = createHash('sha256').update(bytes).digest('hex')
  // A promise that nothing can settle would be garbage-collected, and the lock with it.
  const source = `import { setTimeout } from 'node:timers/promises'
    import { DiskCache } from '#release/origin/disk-cache.ts'
    await new DiskCache('${folder}').table('${path}', '${digest}', () => Promise.reject(new Error('no copy')), () => {
      process.stdout.write('downloading')
      return setTimeout(3_600_000)
    })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', source])
  await once(child.stdout, 'data')
  const open = (place: string) => openDigestedFile(place, noRanges, () => new Error('damaged'), 0)
  const wanted = new DiskCache(folder).table(path, digest, open, () => Promise.resolve({ bytes, digest }))
  expect(await Promise.race([wanted, sleep(300, 'waiting')])).toBe('waiting')
  child.kill('SIGKILL')
  expect([...(await wanted).start]).toEqual([...bytes])
})

test('with large texts stays in the cache on disk, and damage there returns 503', async () => {
  const cacheFolder = join(tempFolder(), 'cache')
  const client = new OriginClient(new URL(`${origin.address}/`), undefined, patient)
  onTestFinished(() => client.close())
  const tree = new HttpTree(client, new DiskCache(cacheFolder), 50, { inMemoryMax: 0 })
  const service = await startService({ folder: tempFolder(), tree })
  onTestFinished(() => service.stop())
  const key = await service.newKey()
  const path = `/clips?ids=${first},${second}`
  const { text } = await local.get(path, { key: await local.newKey() })
  expect((await service.get(path, { key })).text).toBe(text)
  const [table] = await Array.fromAsync(glob('releases/*/clips.bin', { cwd: cacheFolder }))
  const bytes = readFileSync(join(cacheFolder, table!))
  bytes.write('X', bytes.indexOf(`"videoId":"${second}"`) + '"videoId":"'.length)
  await writeFile(join(cacheFolder, table!), bytes)
  expect((await service.get(`/clips?ids=${second}`, { key })).status).toBe(503)
  expect(service.errors.join()).toContain(`cannot read "${table}": it does not match the release`)
})

describe('a start with an origin', () => {
  test('downloads no table that is on disk, and works without the origin', async () => {
    const cacheFolder = join(tempFolder(), 'cache')
    const before = await startRemote(origin.address, { cacheFolder })
    const tables = () => origin.asked.filter(({ path }) => /^\/?releases\/.*\.bin$/.test(path))
    expect(tables()).toHaveLength(3)
    const again = await startRemote(origin.address, { cacheFolder })
    expect(tables()).toHaveLength(3)
    const { text } = await before.look('/words')
    expect(again.errors).toEqual([])
    expect((await again.look('/words')).text).toBe(text)
    origin.mode = 'error'
    const alone = await startRemote(origin.address, { cacheFolder })
    expect((await alone.look('/words')).text).toBe(text)
    expect(alone.errors.join()).toBe('')
  })

  test('downloads a table again that was damaged on disk', async () => {
    const cacheFolder = join(tempFolder(), 'cache')
    await startRemote(origin.address, { cacheFolder })
    const { release } = JSON.parse(readFileSync(join(local.folder, 'dist/current.json'), 'utf8')) as {
      release: string
    }
    const table = join(cacheFolder, 'releases', release, 'words.bin')
    expect(existsSync(table)).toBe(true)
    await writeFile(table, 'damaged')
    await rm(join(cacheFolder, 'releases', release, 'manifest.json'))
    const again = await startRemote(origin.address, { cacheFolder })
    expect(again.errors).toEqual([])
    expect((await again.look('/words')).status).toBe(200)
    expect(readFileSync(table).length).toBeGreaterThan(100)
  })

  test('is repeated until there is a release', async () => {
    origin.mode = 'html'
    const remote = await startRemote()
    expect((await remote.look('/words')).status).toBe(503)
    expect(remote.errors.join()).toContain('do not match the digest in the release')
    origin.mode = 'right'
    await expect.poll(async () => (await remote.look('/words')).status).toBe(200)
  })
})

test.skipIf(!isNginxHere)(
  'reads a pointer again that changes twice in a second and keeps its ETag',
  async () => {
    const root = tempFolder()
    const nginx = await startNginx('tree.conf', await freePort(), {
      'root /srv/clip-lookup/dist;': `root ${root};`,
    })
    onTestFinished(() => nginx.end())
    const tree = treeAt(nginx.origin, join(tempFolder(), 'cache'))
    const modifiedAt = new Date()
    const publish = async (release: string): Promise<void> => {
      await writeFile(join(root, 'current.json'), JSON.stringify({ release }))
      await utimes(join(root, 'current.json'), modifiedAt, modifiedAt)
    }
    for (const release of ['000002-2c8999d7', '000003-c7c2a4c1', '000002-2c8999d7']) {
      await publish(release)
      expect(JSON.parse((await tree.read('current.json')).toString())).toEqual({ release })
    }
  },
)

test.skipIf(!isNginxHere)(
  'the nginx configuration serves the tree with the headers that are needed',
  async () => {
    const root = join(local.folder, 'dist')
    const nginx = await startNginx('tree.conf', await freePort(), {
      'root /srv/clip-lookup/dist;': `root ${root};`,
    })
    onTestFinished(() => nginx.end())
    const remote = await startRemote(nginx.origin)
    expect(remote.errors).toEqual([])
    for (const path of bodies) expect((await remote.look(path)).status).toBe(200)
    const read = (path: string, init: RequestInit = {}) => fetch(nginx.origin + path, init)
    const current = await read('/current.json')
    expect(current.headers.get('cache-control')).toBe('public, max-age=60')
    expect(current.headers.get('access-control-allow-origin')).toBeNull()
    const { release } = (await current.json()) as { release: string }
    const changes = await read(`/releases/${release}/changes.json`)
    expect(Object.fromEntries(changes.headers)).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'access-control-allow-origin': '*',
      'content-type': 'application/json; charset=utf-8',
    })
    const etag = (await read('/index.json')).headers.get('etag')!
    const again = await read('/index.json', { headers: { 'if-none-match': etag } })
    expect([again.status, again.headers.get('access-control-allow-origin')]).toEqual([304, '*'])
    for (const hidden of '/.build/ledger.jsonl /.build/ /_headers /.git/config /data/ /nothing'.split(' '))
      expect((await read(hidden)).status, hidden).toBe(404)
    expect((await read('/index.json', { method: 'POST' })).status).toBe(405)
    const preflight = await read('/data/x.json', { method: 'OPTIONS' })
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
    for (const [missing, allowed] of [
      ['/data/none.json', '*'],
      ['/releases/none.json', '*'],
      ['/nothing', null],
    ] as const) {
      const { status, headers } = await read(missing)
      const fields = ['cache-control', 'access-control-allow-origin'].map((name) => headers.get(name))
      expect([status, ...fields], missing).toEqual([404, 'public, max-age=60', allowed])
    }
  },
)
