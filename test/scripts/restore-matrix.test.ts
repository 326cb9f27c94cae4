import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { longTest } from '../harness/fault-rounds.ts'
import { failure, type Outcome, run, runProcess } from '../harness/command.ts'
import { readLedger } from '../harness/ledger.ts'
import { startService, type Service } from '../harness/service.ts'
import { writeSourceFolder } from '../harness/source-folder.ts'
import { sharedFolder, tempFolder } from '../harness/temp-folder.ts'
import { clip, corpus, filesOf } from '../nightly/small-corpus.ts'

/** Tests the procedures of the page "Backups" for every loss, with a new and an older backup. */

/** The night after which a backup was made. The last build was on night 3. */
const nightOf = { tonight: 3, 'a week ago': 1 } as const
type Age = keyof typeof nightOf

/** Every night adds a clip, withdraws one and replaces one. */
const nightClips = (night: number) => [
  clip('stays'),
  clip('changes', `The cat runs ${'on and '.repeat(night)}on.`),
  ...Array.from({ length: 4 }, (_, i) => clip(`night${night + i}`)),
]

const command = (folder: string, line: string) => run(folder, line.split(' '))

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

/** Three nights; after the first and the last, a backup `night-<n>` of tree, store and ledger. */
const history = {
  folder: sharedFolder(),
  key: '',
  /** Walks through the feed that began after these nights. */
  walks: [] as { cursor: string; firstPage: string[] }[],
  /** The assigned ordinals, by clip. */
  ordinals: new Map<string, number>(),
}

beforeAll(async () => {
  const { folder } = history
  expect(await build(folder, 1)).toMatchObject({ code: 0 })
  const service = await startService({ folder })
  history.key = await service.newKey()
  for (const night of [1, 2, 3]) {
    if (night > 1) await build(folder, night)
    for (const { clipId, ordinal } of readLedger(join(folder, 'dist'))!.entries.values())
      history.ordinals.set(clipId, ordinal)
    if (night === 2) continue
    await service.refresh()
    const { ids, nextCursor } = await feedPage(service, history.key, 'limit=2&seed=walk')
    history.walks.push({ cursor: nextCursor, firstPage: ids })
    const backup = join(folder, `night-${night}`)
    cpSync(join(folder, 'dist'), join(backup, 'dist'), { recursive: true, preserveTimestamps: true })
    writeFileSync(join(backup, 'ledger.jsonl'), (await command(folder, 'releases export-ledger')).stdout)
    await service.store.backup(join(backup, 'store.sqlite'))
  }
  await service.stop()
})

/** A machine that loses something after night 3. Its trees were published to `public`. */
class Machine {
  readonly folder = tempFolder()

  static async create(): Promise<Machine> {
    const machine = new Machine()
    machine.restore('tonight', 'dist', 'store.sqlite')
    expect(await machine.publish()).toMatchObject({ code: 0 })
    return machine
  }

  lose(...paths: string[]): void {
    for (const path of paths) rmSync(join(this.folder, path), { recursive: true })
  }

  /** Replaces paths with those of a backup. */
  restore(age: Age, ...paths: string[]): void {
    for (const path of paths) {
      const [from, to] = [join(history.folder, `night-${nightOf[age]}`, path), join(this.folder, path)]
      rmSync(to, { recursive: true, force: true })
      cpSync(from, to, { recursive: true, preserveTimestamps: true })
    }
  }

  /** Copies the published files into the tree. */
  copyBack(): void {
    cpSync(join(this.folder, 'public'), join(this.folder, 'dist'), { recursive: true })
  }

  importLedger(age: Age): Promise<Outcome> {
    const ledger = readFileSync(join(history.folder, `night-${nightOf[age]}`, 'ledger.jsonl'), 'utf8')
    return runProcess(this.folder, ['releases', 'import-ledger'], {}, undefined, ledger)
  }

  build(more = ''): Promise<Outcome> {
    return build(this.folder, 4, more)
  }

  publish(more = ''): Promise<Outcome> {
    return command(this.folder, `publish --to public${more}`)
  }

  /** Returns every published file by its path. */
  async published(): Promise<Record<string, string>> {
    return existsSync(join(this.folder, 'public')) ? await filesOf(join(this.folder, 'public')) : {}
  }

  /** Builds and publishes a new tree, whose release numbers continue and which changes no name. */
  async expectNewTree(): Promise<void> {
    const before = await this.published()
    this.lose('dist/.build')
    expect(JSON.parse((await this.build(' --new-tree')).stdout).release).toMatch(/^000004-/)
    await this.expectRefusal(() => this.publish(), /--replace-tree/)
    expect(await this.publish(' --replace-tree')).toMatchObject({ code: 0 })
    await this.expectSoundTarget(before)
  }

  /**
   * Builds and publishes the next night, and checks that releases, ordinals, names and walks
   * continue.
   */
  async expectToContinue(options = ''): Promise<void> {
    const before = await this.published()
    const { code, stdout, stderr } = await this.build()
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout).release).toMatch(/^000004-/)
    expect(await command(this.folder, 'verify')).toMatchObject({ code: 0 })
    for (const { clipId, ordinal } of readLedger(join(this.folder, 'dist'))!.entries.values())
      if (history.ordinals.has(clipId)) expect(ordinal).toBe(history.ordinals.get(clipId))
      else expect([...history.ordinals.values()]).not.toContain(ordinal)
    expect(await this.publish(options)).toMatchObject({ code: 0 })
    await this.expectSoundTarget(before)
    await this.expectWalks()
  }

  /** Checks that no published file is damaged, and that no file under `data/` has changed. */
  async expectSoundTarget(before: Record<string, string>): Promise<void> {
    expect(await command(this.folder, 'verify --out public')).toMatchObject({ code: 0 })
    const after = await this.published()
    for (const [path, text] of Object.entries(before))
      if (path.startsWith('data/')) expect(after[path], path).toBe(text)
  }

  async expectWalks(): Promise<void> {
    const service = await startService({ folder: this.folder })
    try {
      for (const { cursor, firstPage } of history.walks) {
        const { status, ids } = await feedPage(service, history.key, `limit=100&cursor=${cursor}`)
        expect(status).toBe(200)
        expect(new Set([...firstPage, ...ids]).size).toBe(firstPage.length + ids.length)
        expect(ids.length).toBeGreaterThan(0)
      }
    } finally {
      await service.stop()
    }
  }

  /** Checks that the work is refused with advice, and that the published files do not change. */
  async expectRefusal(work: () => Promise<Outcome>, advice: RegExp): Promise<void> {
    const before = await this.published()
    const { code, stdout, stderr } = await work()
    expect({ code, stdout, stderr }).toEqual(failure(1, advice))
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(await this.published()).toEqual(before)
  }
}

const state = 'dist/.build/state.sqlite'
const pointers = ['dist/current.json', 'dist/index.json']
const oldLedger = /ends with release 00000\d-\w+, but the tree has release 000003-\w+\. /

function testContinued(title: string, damage: (machine: Machine) => unknown): void {
  test(`${title}: the next night continues the tree`, async () => {
    const machine = await Machine.create()
    await damage(machine)
    await machine.expectToContinue()
  })
}

testContinued('a lost ledger that is restored', async (machine) => {
  machine.lose(state)
  await machine.expectRefusal(() => machine.build(), /is lost/)
  machine.restore('tonight', state)
})

testContinued('a lost .build that is restored', (machine) => machine.restore('tonight', 'dist/.build'))
testContinued('a lost tree that is copied back from the target, with an imported ledger', async (machine) => {
  machine.lose('dist')
  machine.copyBack()
  await machine.expectRefusal(() => machine.build(), /is lost/)
  expect(await machine.importLedger('tonight')).toMatchObject({ code: 0 })
})

testContinued('a lost target', (machine) => machine.lose('public'))
testContinued('a target of a week ago', async (machine) => {
  machine.lose('public')
  machine.restore('a week ago', 'dist')
  expect(await machine.publish()).toMatchObject({ code: 0 })
  machine.restore('tonight', 'dist')
})

testContinued('a store of a week ago', (machine) => machine.restore('a week ago', 'store.sqlite'))

testContinued('everything, restored from tonight', (machine) => {
  machine.lose('public')
  machine.restore('tonight', 'dist', 'store.sqlite')
})

testContinued('lost releases that are copied back from the target', (machine) => {
  machine.lose('dist/releases')
  machine.copyBack()
})

testContinued('a lost current.json', (machine) => machine.lose(...pointers))
testContinued('data of a week ago that the target completes', (machine) => {
  machine.restore('a week ago', 'dist/data')
  machine.copyBack()
})

longTest('the ledger continues the tree without its releases', async () => {
  const machine = await Machine.create()
  machine.lose('dist/releases')
  await machine.expectToContinue(' --replace-tree')
})

test('after a total loss, a backup from a week ago is restored and published to an empty target, and every walk continues', async () => {
  const machine = await Machine.create()
  machine.lose('public')
  machine.restore('a week ago', 'dist', 'store.sqlite')
  expect(await machine.build()).toMatchObject({ code: 0 })
  expect(await machine.publish()).toMatchObject({ code: 0 })
  await machine.expectSoundTarget({})
  await machine.expectWalks()
})

test('build and import refuse an old ledger, and a new tree continues the numbers and the names', async () => {
  const machine = await Machine.create()
  machine.restore('a week ago', 'dist/.build')
  await machine.expectRefusal(() => machine.build(), oldLedger)
  machine.lose('dist/.build')
  await machine.expectRefusal(() => machine.importLedger('a week ago'), oldLedger)
  await machine.expectNewTree()
})

longTest('a lost tree with an old backup becomes a new tree with the files of the target', async () => {
  const machine = await Machine.create()
  machine.restore('a week ago', 'dist')
  machine.copyBack()
  await machine.expectRefusal(() => machine.build(), oldLedger)
  await machine.expectNewTree()
})

test('an old tree is never published over later releases, whatever is built on it', async () => {
  const machine = await Machine.create()
  machine.restore('a week ago', 'dist')
  await machine.expectRefusal(() => machine.publish(), /was not built from the tree/)
  expect(await machine.build()).toMatchObject({ code: 0 })
  await machine.expectRefusal(() => machine.publish(), /was not built from the tree/)
  await machine.expectRefusal(() => machine.publish(' --replace-tree'), /a published file never changes/)
})

longTest('an old ledger is refused even without the releases and current.json', async () => {
  const machine = await Machine.create()
  machine.restore('a week ago', 'dist/.build')
  machine.lose('dist/releases')
  await machine.expectRefusal(() => machine.build(), oldLedger)
  machine.lose(...pointers)
  await machine.expectRefusal(() => machine.build(), /has lost current.json and release .*Copy/)
  machine.copyBack()
  await machine.expectRefusal(() => machine.build(), oldLedger)
})

longTest('neither a lost .build and current.json nor old copies remove a later release', async () => {
  const machine = await Machine.create()
  machine.lose('dist/.build', ...pointers)
  const before = await filesOf(join(machine.folder, 'dist'))
  await machine.expectRefusal(() => machine.build(), /is lost/)
  machine.restore('a week ago', 'dist/.build', ...pointers)
  await machine.expectRefusal(() => machine.build(), oldLedger)
  await machine.expectRefusal(() => machine.importLedger('a week ago'), oldLedger)
  machine.lose(...pointers)
  await machine.expectNewTree()
  expect(await filesOf(join(machine.folder, 'dist'))).toMatchObject(before)
})
