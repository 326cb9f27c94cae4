/**
 * Freezes what a version of the program stores: a small source corpus and the tree of two nights of
 * it, its ledger, a store on SQLite and the same store as the contents of a Redis, with a key and a
 * cursor that belong to them. Every later version must continue it.
 *
 *     node test/compatibility/freeze.ts
 *
 * writes `test/compatibility/frozen/<version>/`, once for each released version.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { createClient } from 'redis'
import packageInfo from '../../package.json' with { type: 'json' }
import { freePort } from '../harness/free-port.ts'
import { writeSourceFolder } from '../harness/source-folder.ts'
import { catalogue, clip, word } from '../nightly/small-corpus.ts'

export const frozenFolder = join(import.meta.dirname, 'frozen')

/** Facts that the frozen files do not contain: `facts.json`. */
export interface FrozenFacts {
  version: string
  /** The releases of the two nights. */
  releases: string[]
  key: string
  /** Continues a walk through the feed whose first page had these clips. */
  cursor: string
  firstPage: string[]
  /** The units that the account "ann" has used. */
  requests: number
}

/** A Redis key with its contents. */
export type RedisEntry =
  | { key: string; type: 'string'; value: string }
  | { key: string; type: 'list'; value: string[] }
  | { key: string; type: 'hash'; value: Record<string, string> }

/** Returns the clips in the source of a night, counted from 1: each night has one more. */
export function nightClips(night: number) {
  return Array.from({ length: night + 2 }, (_, i) => clip(`v${i}`))
}

export async function writeNight(folder: string, night: number): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  await writeSourceFolder(folder, {
    catalogues: { en: [...catalogue, word(9, 'the')] },
    forms: {},
    clips: nightClips(night),
  })
}

/** Freezes in a folder what the program at a path stores. */
export async function freeze(folder: string, program: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const env = { PATH: process.env.PATH, INIT_CWD: folder, CLIP_LOOKUP_NO_SITE: '1', CLIP_LOOKUP_OUT: 'tree' }
  const runProgram = async (...args: string[]) =>
    (await promisify(execFile)(process.execPath, [program, ...args], { env })).stdout
  const releases: string[] = []
  for (const night of [1, 2]) {
    await writeNight(join(folder, 'source'), night)
    const summary = await runProgram('build', '--corpus', 'source', '--max-shrink', '100%', '--json')
    releases.push((JSON.parse(summary) as { release: string }).release)
  }
  writeFileSync(join(folder, 'ledger.jsonl'), await runProgram('releases', 'export-ledger'))
  const store = ['--store', 'sqlite:store.sqlite']
  const created = await runProgram('keys', 'create', '--account', 'ann', ...store, '--json')
  const { key } = JSON.parse(created) as { key: string }
  const { items, nextCursor } = await firstPage(program, ['--data', 'tree', ...store], env, key)
  const facts: FrozenFacts = {
    version: packageInfo.version,
    releases,
    key,
    cursor: nextCursor,
    firstPage: items.map(({ clip }) => clip.clipId),
    requests: 1,
  }
  writeFileSync(join(folder, 'facts.json'), JSON.stringify(facts, null, 2) + '\n')
  await freezeRedis(folder, (url) => runProgram('store', 'copy', 'sqlite:store.sqlite', url))
}

type FeedPage = { items: { clip: { clipId: string } }[]; nextCursor: string }

async function firstPage(program: string, args: string[], env: NodeJS.ProcessEnv, key: string) {
  const child = spawn(process.execPath, [program, 'serve', ...args, '--port', '0'], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  try {
    for await (const line of createInterface(child.stderr)) {
      const [, origin] = /^listening on (\S+)$/.exec(line) ?? []
      if (origin === undefined) continue
      child.stderr.resume()
      const headers = { authorization: `Bearer ${key}` }
      const response = await fetch(`${origin}/v1/feed?seed=walk&limit=2`, { headers })
      return (await response.json()) as FeedPage
    }
    throw new Error('the service ended before it started listening')
  } finally {
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    await exited
  }
}

async function freezeRedis(folder: string, copyTo: (url: string) => Promise<string>): Promise<void> {
  const port = String(await freePort())
  const server = spawn('redis-server', ['--port', port, '--bind', '127.0.0.1', '--save', ''])
  try {
    for await (const line of createInterface(server.stdout))
      if (line.includes('Ready to accept connections')) break
    const url = `redis://127.0.0.1:${port}`
    await copyTo(url)
    const client = await createClient({ url }).connect()
    const readEntry = async (key: string): Promise<RedisEntry> => {
      const type = await client.type(key)
      if (type === 'list') return { key, type, value: await client.lRange(key, 0, -1) }
      if (type === 'hash') return { key, type, value: await client.hGetAll(key) }
      return { key, type: 'string', value: (await client.get(key))! }
    }
    const entries = await Promise.all((await client.keys('*')).sort().map(readEntry))
    client.destroy()
    writeFileSync(join(folder, 'redis.json'), JSON.stringify(entries, null, 1) + '\n')
  } finally {
    server.kill()
  }
}

/** Puts the contents of a frozen Redis into an empty one. */
export async function thawRedis(url: string, entries: readonly RedisEntry[]): Promise<void> {
  const client = await createClient({ url }).connect()
  for (const { key, type, value } of entries) {
    if (type === 'list') await client.rPush(key, value)
    else if (type === 'hash') await client.hSet(key, value)
    else await client.set(key, value)
  }
  client.destroy()
}

if (import.meta.main) {
  const folder = join(frozenFolder, packageInfo.version)
  if (existsSync(folder)) throw new Error(`"${folder}" exists: raise the version in package.json first`)
  await freeze(folder, join(import.meta.dirname, '../../scripts/clip-lookup.mjs'))
}
