import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { run, runProcess, type Outcome } from '../harness/command.ts'
import { freePort } from '../harness/free-port.ts'
import { readLedger } from '../harness/ledger.ts'
import { startService, type Service } from '../harness/service.ts'
import { writeSourceFolder } from '../harness/source-folder.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import { clip, corpus, filesOf } from '../nightly/small-corpus.ts'

/**
 * The paths of the page "Backups", for every loss and age of the backup, and for a tree that is
 * published to a folder or to S3.
 */

/** The night after which a backup was made. The last build was that of night 4. */
const nightOf = { tonight: 4, 'last night': 3, 'a week ago': 1 } as const
type Age = keyof typeof nightOf

/** Every night adds a clip, withdraws one and replaces one. */
const nightClips = (night: number) => [
  clip('stays'),
  clip('changes', `The cat runs ${'on and '.repeat(night)}on.`),
  ...Array.from({ length: 4 }, (_, i) => clip(`night${night + i}`)),
]

const command = (folder: string, line: string, settings = {}) => run(folder, line.split(' '), settings)

async function build(folder: string, night: number, more = ''): Promise<Outcome> {
  rmSync(join(folder, 'source'), { recursive: true, force: true })
  await writeSourceFolder(join(folder, 'source'), corpus(nightClips(night)))
  return await command(folder, `build --corpus source --max-shrink 100% --replace-changed --json${more}`)
}

async function feedPage(service: Service, key: string, query: string) {
  const { status, json } = await service.get(`/feed?${query}`, { key })
  const items = (json.items ?? []) as { clip: { clipId: string } }[]
  return { status, ids: items.map(({ clip }) => clip.clipId), nextCursor: json.nextCursor as string }
}

interface Walk {
  cursor: string
  firstPage: string[]
}

/** Four nights, each with its backup: `night-<n>` has the tree, the store and the ledger. */
interface History {
  folder: string
  key: string
  /** Walks through the feed that began after nights 1 and 4. */
  walks: Walk[]
  /** The ordinals that were given, by clip. */
  ordinals: Map<string, number>
}

const history: History = {
  folder: mkdtempSync(join(tmpdir(), 'clip-lookup-restore-')),
  key: '',
  walks: [],
  ordinals: new Map(),
}
afterAll(() => rmSync(history.folder, { recursive: true, force: true }))

beforeAll(async () => {
  const { folder } = history
  expect(await build(folder, 1)).toMatchObject({ code: 0 })
  const service = await startService({ folder })
  history.key = await service.newKey()
  for (const night of [1, 2, 3, 4]) {
    if (night > 1) await build(folder, night)
    await service.refresh()
    const { ids, nextCursor } = await feedPage(service, history.key, 'limit=2&seed=walk')
    if (night === 1 || night === 4) history.walks.push({ cursor: nextCursor, firstPage: ids })
    const backup = join(folder, `night-${night}`)
    cpSync(join(folder, 'dist'), join(backup, 'dist'), { recursive: true, preserveTimestamps: true })
    const { stdout } = await command(folder, 'releases export-ledger')
    writeFileSync(join(backup, 'ledger.jsonl'), stdout)
    await service.store.backup(join(backup, 'store.sqlite'))
    for (const { clipId, ordinal } of readLedger(join(folder, 'dist'))!.entries.values())
      history.ordinals.set(clipId, ordinal)
  }
  await service.stop()
})

/** A place that the tree was published to every night. */
interface Target {
  readonly address: string
  settings: Record<string, string>
  /** Copies what is there into a folder. */
  download(folder: string): Promise<void>
}

const targets: Record<string, (folder: string) => Promise<Target>> = {
  'a folder': async (folder) => ({
    address: 'public',
    settings: {},
    download: async (to) => {
      if (existsSync(join(folder, 'public'))) cpSync(join(folder, 'public'), to, { recursive: true })
    },
  }),
  S3: async () => {
    const prefix = `tree-${prefixes++}/`
    return {
      address: `s3://${bucket}/${prefix}`,
      settings: { AWS_ENDPOINT_URL: endpoint },
      download: (to) => downloadBucket(prefix, to),
    }
  },
}

const bucket = 'clips'
let endpoint = ''
let prefixes = 0

beforeAll(async () => {
  const S3rver = createRequire(import.meta.url)('s3rver') as new (options: object) => {
    run(): Promise<unknown>
    close(): Promise<void>
  }
  const directory = mkdtempSync(join(tmpdir(), 'clip-lookup-s3-'))
  const port = await freePort()
  const options = {
    port,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: bucket }],
  }
  const server = new S3rver(options)
  await server.run()
  endpoint = `http://127.0.0.1:${port}`
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'S3RVER')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'S3RVER')
  vi.stubEnv('AWS_REGION', 'us-east-1')
  return async () => {
    vi.unstubAllEnvs()
    await server.close()
    rmSync(directory, { recursive: true, force: true })
  }
})

async function downloadBucket(prefix: string, to: string): Promise<void> {
  const client = new S3Client({ endpoint, forcePathStyle: true })
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix }))
  for (const { Key } of Contents) {
    const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: Key! }))
    const path = join(to, Key!.slice(prefix.length))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, await Body!.transformToByteArray())
  }
  client.destroy()
}

/** A machine that lost something after night 4, and the target that its trees were published to. */
class Machine {
  readonly folder: string
  readonly kind: string
  target: Target

  private constructor(folder: string, kind: string, target: Target) {
    this.folder = folder
    this.kind = kind
    this.target = target
  }

  static async create(kind: string): Promise<Machine> {
    const folder = tempFolder()
    const machine = new Machine(folder, kind, await targets[kind]!(folder))
    machine.restore('dist', 'tonight')
    machine.restore('store.sqlite', 'tonight')
    expect(await machine.publish()).toMatchObject({ code: 0 })
    return machine
  }

  /** The next publication goes to an empty place. */
  async loseTarget(): Promise<void> {
    rmSync(join(this.folder, 'public'), { recursive: true, force: true })
    this.target = await targets[this.kind]!(this.folder)
  }

  lose(...paths: string[]): void {
    for (const path of paths) rmSync(join(this.folder, path), { recursive: true })
  }

  /** Copies a path from a backup. */
  restore(path: string, age: Age): void {
    const backup = join(history.folder, `night-${nightOf[age]}`)
    cpSync(join(backup, path), join(this.folder, path), { recursive: true, preserveTimestamps: true })
  }

  importLedger(age: Age): Promise<Outcome> {
    const ledger = readFileSync(join(history.folder, `night-${nightOf[age]}`, 'ledger.jsonl'), 'utf8')
    return runProcess(this.folder, ['releases', 'import-ledger'], {}, undefined, ledger)
  }

  build(more = ''): Promise<Outcome> {
    return build(this.folder, 5, more)
  }

  publish(more = ''): Promise<Outcome> {
    const { address, settings } = this.target
    return command(this.folder, `publish --to ${address}${more}`, settings)
  }

  /** What is published: every file by its path. */
  async published(): Promise<Record<string, string>> {
    const copy = tempFolder()
    await this.target.download(copy)
    return await filesOf(copy)
  }

  /**
   * Builds the next night, publishes it, and checks that all goes on where it was: releases,
   * ordinals, names and walks.
   */
  async expectToContinue({ walks = history.walks, options = '' } = {}): Promise<void> {
    const before = await this.published()
    const built = await this.build()
    expect(built).toMatchObject({ code: 0 })
    expect(JSON.parse(built.stdout).release).toMatch(/^000005-/)
    expect(await command(this.folder, 'verify')).toMatchObject({ code: 0 })
    for (const { clipId, ordinal } of readLedger(join(this.folder, 'dist'))!.entries.values())
      if (history.ordinals.has(clipId)) expect(ordinal).toBe(history.ordinals.get(clipId))
      else expect([...history.ordinals.values()]).not.toContain(ordinal)
    expect(await this.publish(options)).toMatchObject({ code: 0 })
    await this.expectSoundTarget(before)
    await this.expectWalks(walks)
  }

  /** Checks that what is published verifies, and that no name under `data/` has other bytes. */
  async expectSoundTarget(before: Record<string, string>): Promise<void> {
    const copy = tempFolder()
    await this.target.download(copy)
    expect(await command(copy, 'verify --out .')).toMatchObject({ code: 0 })
    const after = await filesOf(copy)
    for (const [path, text] of Object.entries(before))
      if (path.startsWith('data/')) expect(after[path], path).toBe(text)
  }

  async expectWalks(walks: readonly Walk[]): Promise<void> {
    const service = await startService({ folder: this.folder })
    try {
      for (const { cursor, firstPage } of walks) {
        const { status, ids } = await feedPage(service, history.key, `limit=100&cursor=${cursor}`)
        expect(status).toBe(200)
        expect(new Set([...firstPage, ...ids]).size).toBe(firstPage.length + ids.length)
        expect(ids.length).toBeGreaterThan(0)
      }
    } finally {
      await service.stop()
    }
  }

  /** Checks that the work is refused with advice, and that what is published stays as it was. */
  async expectRefusal(work: () => Promise<Outcome>, advice: RegExp): Promise<void> {
    const before = await this.published()
    const { code, stdout, stderr } = await work()
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(advice) })
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(await this.published()).toEqual(before)
  }
}

const oldLedger = /ends with release 00000\d-\w+, but the tree has release 000004-\w+\. Nothing was changed/

describe.each(Object.keys(targets))('Published to %s', (kind) => {
  test('a lost ledger that is restored from tonight continues', async () => {
    const machine = await Machine.create(kind)
    machine.lose('dist/.build/state.sqlite')
    await machine.expectRefusal(() => machine.build(), /is lost/)
    machine.lose('dist/.build/state.sqlite')
    machine.restore('dist/.build/state.sqlite', 'tonight')
    await machine.expectToContinue()
  })

  test('a lost .build that is restored from tonight continues', async () => {
    const machine = await Machine.create(kind)
    machine.lose('dist/.build')
    machine.restore('dist/.build', 'tonight')
    await machine.expectToContinue()
  })

  test('a lost .build whose exported ledger is imported continues', async () => {
    const machine = await Machine.create(kind)
    machine.lose('dist/.build')
    expect(await machine.importLedger('tonight')).toMatchObject({ code: 0 })
    await machine.expectToContinue()
  })

  test.each(['last night', 'a week ago'] as const)(
    'a ledger of %s is refused by build and import, and a new tree continues the numbers and the names',
    async (age) => {
      const machine = await Machine.create(kind)
      machine.lose('dist/.build')
      machine.restore('dist/.build', age)
      await machine.expectRefusal(() => machine.build(), oldLedger)
      machine.lose('dist/.build')
      await machine.expectRefusal(() => machine.importLedger(age), oldLedger)
      const before = await machine.published()
      machine.lose('dist/.build')
      const built = await machine.build(' --new-tree')
      expect(built).toMatchObject({ code: 0 })
      expect(JSON.parse(built.stdout).release).toMatch(/^000005-/)
      await machine.expectRefusal(() => machine.publish(), /--replace-tree/)
      expect(await machine.publish(' --replace-tree')).toMatchObject({ code: 0 })
      await machine.expectSoundTarget(before)
    },
  )

  test('a lost tree that is restored from tonight continues', async () => {
    const machine = await Machine.create(kind)
    machine.lose('dist')
    machine.restore('dist', 'tonight')
    await machine.expectToContinue()
  })

  test('a lost tree that is copied back from the target continues with the ledger of tonight', async () => {
    const machine = await Machine.create(kind)
    machine.lose('dist')
    await machine.target.download(join(machine.folder, 'dist'))
    await machine.expectRefusal(() => machine.build(), /is lost/)
    expect(await machine.importLedger('tonight')).toMatchObject({ code: 0 })
    await machine.expectToContinue()
  })

  test.each(['last night', 'a week ago'] as const)(
    'a tree of %s is not published over later releases, whatever is built on it',
    async (age) => {
      const machine = await Machine.create(kind)
      machine.lose('dist')
      machine.restore('dist', age)
      await machine.expectRefusal(() => machine.publish(), /was not built from the tree/)
      expect(await machine.build()).toMatchObject({ code: 0 })
      await machine.expectRefusal(() => machine.publish(), /was not built from the tree/)
      await machine.expectRefusal(() => machine.publish(' --replace-tree'), /a published file never changes/)
    },
  )

  test('a lost target is published again from the tree', async () => {
    const machine = await Machine.create(kind)
    await machine.loseTarget()
    await machine.expectToContinue()
  })

  test.each(['last night', 'a week ago'] as const)('a target of %s catches up', async (age) => {
    const machine = await Machine.create(kind)
    await machine.loseTarget()
    machine.lose('dist')
    machine.restore('dist', age)
    expect(await machine.publish()).toMatchObject({ code: 0 })
    machine.lose('dist')
    machine.restore('dist', 'tonight')
    await machine.expectToContinue()
  })

  test.each(['last night', 'a week ago'] as const)(
    'a lost tree whose backup is of %s becomes a new tree with the files of the target',
    async (age) => {
      const machine = await Machine.create(kind)
      machine.lose('dist')
      machine.restore('dist', age)
      await machine.target.download(join(machine.folder, 'dist'))
      await machine.expectRefusal(() => machine.build(), oldLedger)
      const before = await machine.published()
      machine.lose('dist/.build')
      expect(JSON.parse((await machine.build(' --new-tree')).stdout).release).toMatch(/^000005-/)
      await machine.expectRefusal(() => machine.publish(), /--replace-tree/)
      expect(await machine.publish(' --replace-tree')).toMatchObject({ code: 0 })
      await machine.expectSoundTarget(before)
    },
  )

  test('a lost tree and store whose backups are of tonight continue', async () => {
    const machine = await Machine.create(kind)
    machine.lose('dist', 'store.sqlite')
    machine.restore('dist', 'tonight')
    machine.restore('store.sqlite', 'tonight')
    await machine.expectToContinue()
  })

  test.each(['last night', 'a week ago'] as const)(
    'a tree of tonight and a store of %s continue: the store signs the same cursors',
    async (age) => {
      const machine = await Machine.create(kind)
      machine.lose('dist', 'store.sqlite')
      machine.restore('dist', 'tonight')
      machine.restore('store.sqlite', age)
      await machine.expectToContinue()
    },
  )

  test('everything lost is restored from tonight, and published to an empty target', async () => {
    const machine = await Machine.create(kind)
    await machine.loseTarget()
    machine.lose('dist', 'store.sqlite')
    machine.restore('dist', 'tonight')
    machine.restore('store.sqlite', 'tonight')
    await machine.expectToContinue()
  })

  test.each(['last night', 'a week ago'] as const)(
    'everything lost is restored from %s and published to an empty target: every walk goes on',
    async (age) => {
      const machine = await Machine.create(kind)
      await machine.loseTarget()
      machine.lose('dist', 'store.sqlite')
      machine.restore('dist', age)
      machine.restore('store.sqlite', age)
      expect(await machine.build()).toMatchObject({ code: 0 })
      expect(await command(machine.folder, 'verify')).toMatchObject({ code: 0 })
      expect(await machine.publish()).toMatchObject({ code: 0 })
      await machine.expectSoundTarget({})
      await machine.expectWalks(history.walks)
    },
  )

  test('lost releases are copied back from the target', async () => {
    const machine = await Machine.create(kind)
    machine.lose('dist/releases')
    await machine.target.download(join(machine.folder, 'dist'))
    await machine.expectToContinue()
  })

  test('without its releases the ledger continues the tree', async () => {
    const machine = await Machine.create(kind)
    machine.lose('dist/releases')
    await machine.expectToContinue({ options: ' --replace-tree' })
  })

  test('a lost current.json is written again', async () => {
    const machine = await Machine.create(kind)
    machine.lose('dist/current.json', 'dist/index.json')
    await machine.expectToContinue()
  })

  test('lost data is copied back from the target', async () => {
    const machine = await Machine.create(kind)
    machine.lose('dist/data')
    await machine.target.download(join(machine.folder, 'dist'))
    await machine.expectToContinue()
  })

  test.each(['last night', 'a week ago'] as const)(
    'a ledger of %s is refused without the releases, too',
    async (age) => {
      const machine = await Machine.create(kind)
      machine.lose('dist/.build', 'dist/releases')
      machine.restore('dist/.build', age)
      await machine.expectRefusal(() => machine.build(), oldLedger)
    },
  )

  test.each(['last night', 'a week ago'] as const)(
    'a ledger of %s without releases and current.json is refused until they are copied back',
    async (age) => {
      const machine = await Machine.create(kind)
      machine.lose('dist/.build', 'dist/releases', 'dist/current.json', 'dist/index.json')
      machine.restore('dist/.build', age)
      await machine.expectRefusal(() => machine.build(), /has lost current.json and release .*Copy/)
      await machine.target.download(join(machine.folder, 'dist'))
      await machine.expectRefusal(() => machine.build(), oldLedger)
    },
  )

  test('a lost .build and current.json remove no release, and a new tree changes no name', async () => {
    const machine = await Machine.create(kind)
    machine.lose('dist/.build', 'dist/current.json', 'dist/index.json')
    const before = await filesOf(join(machine.folder, 'dist'))
    await machine.expectRefusal(() => machine.build(), /is lost/)
    machine.lose('dist/.build')
    expect(JSON.parse((await machine.build(' --new-tree')).stdout).release).toMatch(/^000005-/)
    expect(await filesOf(join(machine.folder, 'dist'))).toMatchObject(before)
    expect(await machine.publish(' --replace-tree')).toMatchObject({ code: 0 })
  })

  test.each(['last night', 'a week ago'] as const)(
    'data of %s is completed with the files of the target',
    async (age) => {
      const machine = await Machine.create(kind)
      machine.lose('dist/data')
      machine.restore('dist/data', age)
      await machine.target.download(join(machine.folder, 'dist'))
      await machine.expectToContinue()
    },
  )

  test.each(['last night', 'a week ago'] as const)(
    'a ledger and current.json of %s remove no later release',
    async (age) => {
      const machine = await Machine.create(kind)
      for (const path of ['dist/.build', 'dist/current.json', 'dist/index.json']) {
        machine.lose(path)
        machine.restore(path, age)
      }
      const before = await filesOf(join(machine.folder, 'dist'))
      await machine.expectRefusal(() => machine.build(), oldLedger)
      await machine.expectRefusal(() => machine.importLedger(age), oldLedger)
      expect(await filesOf(join(machine.folder, 'dist'))).toEqual(before)
    },
  )
})
