import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, describe, expect, test } from 'vitest'
import { currentVersion } from '#kit/stored-format.ts'
import { redisFormat } from '#metering/redis/store-format.ts'
import { sqliteFormat } from '#metering/sqlite/store-format.ts'
import { releaseFormat } from '#release/release-format.ts'
import { ledgerFormat } from '#tree/ledger-format.ts'
import { stateFormat } from '#tree/state-format.ts'
import { hasAllFaultRounds, longTest } from '../harness/fault-rounds.ts'
import { failure, type Outcome, programPath, run, runProcess, start } from '../harness/command.ts'
import { send } from '../harness/http-client.ts'
import { ownRedis, redisClient, redisProgram } from '../harness/redis-server.ts'
import { sharedFolder, tempFolder } from '../harness/temp-folder.ts'
import { filesOf } from '../nightly/small-corpus.ts'
import {
  freeze,
  frozenFolder,
  nightClips,
  thawRedis,
  writeNight,
  type FrozenFacts,
  type RedisEntry,
} from './freeze.ts'
import { writeNextVersion } from './next-version.ts'

/** A copy of frozen files, and a program that continues them. */
class Stand {
  readonly folder = tempFolder()
  readonly facts: FrozenFacts
  readonly #program: string

  constructor(frozen: string, program: string) {
    cpSync(frozen, this.folder, { recursive: true, preserveTimestamps: true })
    this.facts = JSON.parse(readFileSync(join(frozen, 'facts.json'), 'utf8')) as FrozenFacts
    this.#program = program
  }

  run(...args: string[]): Promise<Outcome> {
    // This version needs no process of its own, unless it serves.
    return this.#program === programPath && args[0] !== 'serve'
      ? run(this.folder, args, this.#settings)
      : runProcess(this.folder, args, this.#settings, this.#program)
  }

  async json(...args: string[]) {
    const { code, stdout, stderr } = await this.run(...args, '--json')
    expect(stderr + stdout, args.join(' ')).not.toContain('    at ')
    expect({ code, stderr }, args.join(' ')).toMatchObject({ code: 0 })
    return JSON.parse(stdout)
  }

  async build(night: number) {
    await writeNight(join(this.folder, 'source'), night)
    return await this.json('build', '--corpus', 'source')
  }

  /** Serves the tree. Returns its address. */
  async serve(store: string): Promise<string> {
    const args = ['serve', '--data', 'tree', '--store', store, '--port', '0', '--workers', '1']
    const service = start(this.folder, args, this.#settings, this.#program)
    return (await service.says(/^listening on (\S+)$/m))[1]!
  }

  importLedger(): Promise<Outcome> {
    const ledger = readFileSync(join(this.folder, 'ledger.jsonl'), 'utf8')
    return runProcess(this.folder, ['releases', 'import-ledger'], this.#settings, this.#program, ledger)
  }

  /** Starts a server with the frozen Redis. */
  async redis(): Promise<string> {
    const { url } = await ownRedis()
    const entries = JSON.parse(readFileSync(join(this.folder, 'redis.json'), 'utf8')) as RedisEntry[]
    await thawRedis(url, entries)
    return url
  }

  /** Returns the units that the account used in its first month. */
  async requests(store: string): Promise<number> {
    const [{ createdAt }] = await this.json('accounts', 'list', '--store', store)
    const month = String(createdAt).slice(0, 7)
    return (await this.json('accounts', 'usage', 'ann', '--period', month, '--store', store)).requests
  }

  /** Checks that the walk from the frozen tree returns all of its clips, each once. */
  async expectWalkToContinue(origin: string): Promise<void> {
    const { key, cursor, firstPage } = this.facts
    const rest = await send(origin, `/v1/feed?limit=100&cursor=${cursor}`, { key })
    expect(rest.status).toBe(200)
    const ids = (rest.json.items as { clip: { clipId: string } }[]).map(({ clip }) => clip.clipId)
    const walk = new Set([...firstPage, ...ids])
    expect(walk.size).toBe(firstPage.length + ids.length)
    expect(walk.size).toBeGreaterThanOrEqual(nightClips(2).length)
  }

  get #settings() {
    return { CLIP_LOOKUP_OUT: 'tree' }
  }
}

/** The current versions of the formats. */
const state = currentVersion(stateFormat)
const ledger = currentVersion(ledgerFormat)
const release = currentVersion(releaseFormat)
const sqliteStore = currentVersion(sqliteFormat)
const redisStore = currentVersion(redisFormat)

const folder = sharedFolder()
const fresh = join(folder, 'fresh')
const nextProgram = { path: '' }
const versions = existsSync(frozenFolder) ? readdirSync(frozenFolder) : []
const sqlite = 'sqlite:store.sqlite'

beforeAll(async () => {
  if (!hasAllFaultRounds) return
  await freeze(fresh, programPath)
  nextProgram.path = writeNextVersion(join(folder, 'next'))
})

type Case = [title: string, stand: () => Stand]
/** The program that represents the next version runs in many processes. */
const nextCase: Case = [
  'What this version stored, in a version in which every format differs,',
  () => new Stand(fresh, nextProgram.path),
]
const cases: Case[] = [
  ...versions.map((name): Case => [
    `What version ${name} stored`,
    () => new Stand(join(frozenFolder, name), programPath),
  ]),
  ...(hasAllFaultRounds ? [nextCase] : []),
]

describe.skipIf(!redisProgram).each(cases)('%s', (_, newStand) => {
  test('is served: the release, the key, its counts and the walk continue', async () => {
    const stand = newStand()
    const { facts } = stand
    const origin = await stand.serve(sqlite)
    expect((await send(origin, '/v1/corpus')).json.release).toBe(facts.releases[1])
    await stand.expectWalkToContinue(origin)
    expect((await send(origin, '/v1/words?language=en&q=cat', { key: facts.key })).json.words).toHaveLength(1)
    expect(await stand.requests(sqlite)).toBeGreaterThanOrEqual(facts.requests)
  })

  test('can be built on, rolled back and resumed', async () => {
    const stand = newStand()
    const { facts } = stand
    const third = await stand.build(3)
    expect(third).toMatchObject({ clips: nightClips(3).length, changed: 1, kept: 0 })
    expect(third.release).toMatch(/^000003-/)
    for (const release of ['1', '2', '3']) await stand.json('verify', '--release', release)
    expect(await stand.json('releases', 'diff', '1', '3')).toMatchObject({ clips: { withdrawn: [] } })
    const origin = await stand.serve(sqlite)
    await stand.expectWalkToContinue(origin)
    expect(await stand.json('releases', 'rollback')).toMatchObject({ to: facts.releases[1] })
    await expect.poll(async () => (await send(origin, '/v1/corpus')).json.release).toBe(facts.releases[1])
    await stand.expectWalkToContinue(origin)
    expect(await stand.json('releases', 'resume')).toMatchObject({ to: third.release })
    expect(await stand.json('releases', 'list')).toHaveLength(3)
  })

  longTest('has a ledger that can be imported, exported and built on', async () => {
    const stand = newStand()
    renameSync(join(stand.folder, 'tree/.build/state.sqlite'), join(stand.folder, 'lost'))
    expect(await stand.importLedger()).toMatchObject({ code: 0, stderr: '' })
    const { stdout } = await stand.run('releases', 'export-ledger')
    writeFileSync(join(stand.folder, 'ledger.jsonl'), stdout)
    expect(await stand.importLedger()).toMatchObject({ code: 0, stderr: '' })
    expect(await stand.build(3)).toMatchObject({ changed: 1, kept: 0 })
    await stand.json('verify')
  })

  longTest('has a store in Redis whose keys, counts and log continue', async () => {
    const stand = newStand()
    const url = await stand.redis()
    const origin = await stand.serve(url)
    await stand.expectWalkToContinue(origin)
    expect(await stand.requests(url)).toBeGreaterThanOrEqual(stand.facts.requests)
    await stand.json('keys', 'create', '--account', 'bob', '--store', url)
    expect(await stand.json('keys', 'list', '--store', url)).toHaveLength(2)
  })
})

describe.skipIf(!redisProgram || !hasAllFaultRounds)(
  'An older version, given formats of a later one,',
  () => {
    const meets = (version: number) => `has format version ${version + 1}, but this program reads version`
    const refusal = (version: number) =>
      new RegExp(
        `${meets(version)}.*\\. It was written by a later version of the program: run that version, or restore a backup from before the upgrade\\.?\n$`,
      )

    test('refuses the tree, ledger and stores, and changes nothing', async () => {
      const stand = new Stand(fresh, programPath)
      const later = new Stand(stand.folder, nextProgram.path)
      await later.build(3)
      await later.json('keys', 'list', '--store', sqlite)
      const { stdout } = await later.run('releases', 'export-ledger')
      const url = await later.redis()
      await later.json('keys', 'create', '--account', 'bob', '--store', url)
      rmSync(join(stand.folder, 'tree'), { recursive: true })
      for (const name of ['tree', 'store.sqlite'])
        cpSync(join(later.folder, name), join(stand.folder, name), { recursive: true })
      const before = await filesOf(stand.folder)
      const stateBytes = readFileSync(join(stand.folder, 'tree/.build/state.sqlite'))

      const build = ['build', '--corpus', 'source']
      for (const args of [build, ['releases', 'rollback'], ['releases', 'export-ledger'], ['prune']])
        expect(await stand.run(...args)).toEqual(failure(1, refusal(state)))
      expect(await stand.run('verify')).toMatchObject({
        code: 1,
        stdout: expect.stringContaining(meets(release)),
      })
      for (const store of [sqlite, url]) {
        const args = ['--store', store]
        for (const command of [
          ['keys', 'list'],
          ['keys', 'create', '--account', 'eve'],
          ['serve', '--data', 'tree'],
        ])
          expect(await stand.run(...command, ...args)).toEqual(
            failure(1, refusal(store === sqlite ? sqliteStore : redisStore)),
          )
        const { code, stdout, stderr } = await stand.run('doctor', '--data', 'tree', ...args)
        expect(code).toBe(1)
        expect(stdout).toContain(meets(store === sqlite ? sqliteStore : redisStore))
        expect(stdout).toContain(meets(release))
        expect(stdout + stderr).not.toContain('    at ')
      }
      expect(await filesOf(stand.folder)).toEqual(before)
      expect(readFileSync(join(stand.folder, 'tree/.build/state.sqlite')).equals(stateBytes)).toBe(true)

      rmSync(join(stand.folder, 'tree/.build'), { recursive: true })
      writeFileSync(join(stand.folder, 'ledger.jsonl'), stdout)
      const { code, stderr } = await stand.importLedger()
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(refusal(ledger)) })
    })

    test('serves the tree after a rollback, with the store from before the upgrade', async () => {
      const later = new Stand(fresh, nextProgram.path)
      await later.build(3)
      await later.json('keys', 'list', '--store', sqlite)
      await later.json('releases', 'rollback')
      const stand = new Stand(later.folder, programPath)
      cpSync(join(fresh, 'store.sqlite'), join(stand.folder, 'store.sqlite'))
      await stand.expectWalkToContinue(await stand.serve(sqlite))
    })
  },
)

test.skipIf(!redisProgram || !hasAllFaultRounds)(
  'Old and new proxies share a Redis until an old one reconnects',
  async () => {
    const old = new Stand(fresh, programPath)
    const { key, requests } = old.facts
    const url = await old.redis()
    const oldOrigin = await old.serve(url)
    const newOrigin = await new Stand(fresh, nextProgram.path).serve(url)
    const ask = async (origin: string) => (await send(origin, '/v1/words?language=en&q=cat', { key })).status
    for (const origin of [oldOrigin, newOrigin, oldOrigin]) expect(await ask(origin)).toBe(200)
    expect((await send(newOrigin, '/v1/usage', { key })).json.requests).toBe(requests + 3)

    const client = await redisClient(url)
    await client.sendCommand(['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes'])
    await expect.poll(() => ask(newOrigin)).toBe(200)
    await expect.poll(() => ask(oldOrigin)).toBe(503)
    expect((await send(newOrigin, '/v1/usage', { key })).json.requests).toBe(requests + 4)
  },
)

// The tests of each format cover this, too.
describe.skipIf(!redisProgram)('Formats from before 1.0.0', () => {
  longTest('are refused with both versions and advice', async () => {
    const stand = new Stand(fresh, programPath)
    const inFolder = (path: string) => join(stand.folder, path)
    const old =
      /has format version (\d), but this program reads versions? \d.*\. It is from before 1\.0\.0\. [A-Z].*\n$/
    const expectRefusal = async (outcome: Promise<Outcome>) => {
      const { code, stderr } = await outcome
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(old) })
    }
    const alter = (file: string, sql: string) => {
      const db = new DatabaseSync(inFolder(file))
      db.exec(sql)
      db.close()
    }
    alter('store.sqlite', `UPDATE meta SET value = ${sqliteStore - 1} WHERE name = 'schema_version'`)
    await expectRefusal(stand.run('keys', 'list', '--store', sqlite))
    const url = await stand.redis()
    await (await redisClient(url)).set('clip-lookup:store', `clip-lookup meter ${redisStore - 1}`)
    await expectRefusal(stand.run('keys', 'list', '--store', url))
    const manifest = inFolder(`tree/releases/${stand.facts.releases[1]}/manifest.json`)
    writeFileSync(
      manifest,
      readFileSync(manifest, 'utf8').replace(`"version": ${release}`, `"version": ${release - 1}`),
    )
    await expectRefusal(stand.run('build', '--corpus', 'source'))
    alter('tree/.build/state.sqlite', `PRAGMA user_version = ${state - 1}`)
    await expectRefusal(stand.run('build', '--corpus', 'source'))
    rmSync(inFolder('tree/.build'), { recursive: true })
    const lines = readFileSync(inFolder('ledger.jsonl'), 'utf8').replace(
      `"version":${ledger}`,
      `"version":${ledger - 1}`,
    )
    writeFileSync(inFolder('ledger.jsonl'), lines)
    await expectRefusal(stand.importLedger())
  })
})
