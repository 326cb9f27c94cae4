/**
 * A simulation of the whole service in one process: a source that changes, builds, publications,
 * rollbacks and prunes, two proxies that follow the published tree and share a store on SQLite or
 * Redis, clients, and an operator who makes and restores backups. A seed determines all of it, with
 * its faults: the operator's work is killed at any step, finds the disk full or loses the power, a
 * proxy is killed or cannot read the tree, connections are cut, Redis fails over, and the clock
 * steps.
 *
 * After each action, these invariants hold:
 *
 * 1. What is published is whole, and no name under `data/` ever has other bytes.
 * 2. No number of a release and no ordinal is given twice, and releases only go forward, except for
 *    a rollback, which lasts until the operator ends it.
 * 3. The clips in service are those of the source that the release was built from.
 * 4. A walk through the feed has each clip once, and all that were there from its beginning to its
 *    end.
 * 5. The units of the account are those that its answers cost.
 *
 * In the end, without faults, a build and a publication bring the source into service.
 *
 * To add an action, write a method and list it in `#actions` with its weight.
 */
import { cpSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { MissingFile } from '#release/tree.ts'
import { prune } from '#tree/prune.ts'
import { FolderTarget } from '#tree/publish/folder-target.ts'
import { publish } from '#tree/publish/publish.ts'
import { Refused } from '#tree/refused.ts'
import { resume, rollback } from '#tree/rollback.ts'
import { Chance } from '../harness/chance.ts'
import { testClock } from '../harness/clock.ts'
import { readLedger } from '../harness/ledger.ts'
import { startService } from '../harness/service.ts'
import { writeSourceFolder } from '../harness/source-folder.ts'
import { SimulatedProcess, workAs } from '../metering/simulation-mishaps.ts'
import { BrokenInvariant } from '../metering/simulation.ts'
import { clipIdOf } from '../model/indexed.ts'
import { buildTree, clip, corpus } from '../nightly/small-corpus.ts'
import { check, Clients, clipNumbers, type Titles } from './clients.ts'
import { FaultyTree } from './faulty-tree.ts'
import type { Plant } from './planted-bugs.ts'
import { PublishedTree } from './published-tree.ts'
import type { RedisPair } from './redis-pair.ts'
import type { SimulatedDisk } from './simulated-disk.ts'

export class Simulation {
  /** What happened, for the message of a broken invariant. */
  readonly trace: string[] = []
  readonly counts = new Map<string, number>()
  readonly chance: Chance
  /** The clips of each release that was built. */
  readonly titlesOf = new Map<string, Titles>()
  readonly published: PublishedTree
  readonly #clients = new Clients(this)
  readonly #folder: string
  readonly #dist: string
  readonly #disk: SimulatedDisk
  readonly #plant: Plant
  /** The store; without it, the store is a SQLite file. */
  readonly #redis: RedisPair | undefined
  readonly #clock = testClock()
  /** The version of each clip, by its number; 0 while it is not in the source. */
  readonly #versions: number[] = Array.from({ length: clipNumbers }, (_, i) => Number(i < 4))
  /** How many steps each kind of work last had. */
  readonly #steps = new Map<string, number>()
  #hasFaults = true
  readonly #proxies: SimulatedProcess[] = []
  #treeBackups = 0
  readonly #unitsOfBackups: number[] = []
  /** What is older than the latest tree: all of it or its ledger. */
  #restored: 'tree' | 'ledger' | null = null
  /** What is left to do for a tree that begins in place of a lost one. */
  #newTree: 'to build' | 'to publish' | null = null
  /** The release that a rollback holds, or null; undefined if that is not known. */
  #heldRelease: string | null | undefined = null

  constructor(folder: string, seed: number, disk: SimulatedDisk, plant: Plant = {}, redis?: RedisPair) {
    this.#folder = folder
    this.#dist = join(folder, 'dist')
    this.chance = new Chance(seed)
    this.#disk = disk
    this.#plant = plant
    this.#redis = redis
    this.published = new PublishedTree(join(folder, 'public'))
  }

  readonly #actions: [weight: number, action: () => unknown][] = [
    [4, () => this.#editSource()],
    [5, () => this.#build()],
    [5, () => this.#publish()],
    [1, () => this.#hold('rollback')],
    [1, () => this.#hold('resume')],
    [1, () => this.#prune()],
    [8, () => this.#clients.readPage()],
    [3, () => this.#readClips()],
    [2, () => this.#restartProxy()],
    [1, () => this.#stepClock()],
    [1, () => this.#clients.cutRequest()],
    [1, () => (this.#redis ? this.#failOver() : this.#backUpStore())],
    [1, () => (this.#redis ? this.#cutStore() : this.#restoreStore())],
    [1, () => this.#backUpTree()],
    [1, () => this.#restoreTree()],
    [0.5, () => this.#beginNewTree()],
  ]

  /** @throws {BrokenInvariant} */
  async run(actionCount: number): Promise<void> {
    try {
      await this.#redis?.empty()
      await this.#startProxies()
      this.#clients.key = await this.#clients.services[0]!.newKey()
      await this.#build()
      await this.#publish()
      for (let i = 0; i < actionCount; i++) {
        await this.#drawAction()()
        await this.#clients.checkUnits()
      }
      await this.#finish()
    } catch (error) {
      if (!(error instanceof BrokenInvariant)) throw error
      throw new BrokenInvariant(`${error.message}\n${this.trace.slice(-25).join('\n')}`)
    } finally {
      for (const service of this.#clients.services) await service.stop().catch(() => {})
    }
  }

  readonly note = (event: string, detail = ''): void => {
    detail = detail.replaceAll(this.#folder, '')
    this.trace.push(detail ? `${event}: ${detail}` : event)
    this.counts.set(event, (this.counts.get(event) ?? 0) + 1)
  }

  #drawAction(): () => unknown {
    let left = this.chance.next() * this.#actions.reduce((sum, [weight]) => sum + weight, 0)
    return this.#actions.find(([weight]) => (left -= weight) < 0)![1]
  }

  /** Does work of the operator in a process of its own. Returns null if it fails. */
  async #operate<T>(name: string, work: () => Promise<T>): Promise<T | null> {
    const process = new SimulatedProcess()
    if (this.#hasFaults && this.chance.happens(0.35)) {
      const kind = this.chance.happens(0.7) ? 'killed' : 'fault'
      const at = this.chance.below(this.#steps.get(name) ?? 100)
      process.arm({ kind, at, when: this.chance.pick(['before', 'halfway', 'after']) })
    }
    try {
      const result = await workAs(process, work)
      this.note(name, `${JSON.stringify(result)}`.slice(0, 100))
      if (process.mishaps === 0) this.#steps.set(name, process.steps)
      return result
    } catch (error) {
      const { message } = error as Error
      const isRefusal = error instanceof Refused || error instanceof MissingFile
      if (process.mishaps === 0 && !isRefusal) throw new BrokenInvariant(`${name}: ${message}`)
      const outcome = process.mishaps === 0 ? 'refused' : process.isAlive ? 'failed' : 'killed'
      this.note(`${name} ${outcome}`, message)
      return null
    } finally {
      if (!process.isAlive && this.chance.happens(0.4)) {
        this.#disk.losePower(this.chance)
        this.note('power failure')
      }
      process.kill()
    }
  }

  /** Whether the operator's last work was refused. */
  #wasRefused(reason = ''): boolean {
    return new RegExp(`^\\w+ refused.*${reason}`).test(this.trace.at(-1)!)
  }

  #editSource(): void {
    const number = this.chance.below(clipNumbers)
    const isRemoved = this.#versions[number]! > 0 && this.chance.happens(0.4)
    this.#versions[number] = isRemoved ? 0 : Math.max(...this.#versions) + 1
    this.note('edit', `clip ${number} has version ${this.#versions[number]}`)
  }

  /** The clips of the source. */
  #clips() {
    return this.#versions.flatMap((version, number) => {
      const text = version % 2 === 0 ? 'A moon ran.' : 'The cat runs.'
      return version === 0 ? [] : [clip(`v${number}`, text, { title: `version ${version}` })]
    })
  }

  #titles(): Titles {
    return new Map(this.#clips().map((each) => [clipIdOf(each), each.title]))
  }

  async #build(): Promise<void> {
    const source = join(this.#folder, 'source')
    rmSync(source, { recursive: true, force: true })
    await writeSourceFolder(source, corpus(this.#clips()))
    const isLedgerOld = this.#restored === 'ledger'
    await this.#plant.beforeBuild?.(this.#dist)
    const newTree = this.#newTree === 'to build'
    const fixed = { reproducible: true, analysers: false, maxShrink: 1, replace: 'all', threads: 0 } as const
    const options = { ...fixed, clock: this.#clock, newTree }
    const summary = await this.#operate('build', () => buildTree(source, this.#dist, options))
    check(isLedgerOld || !this.#wasRefused(), `a build is refused: ${this.trace.at(-1)}`)
    // A build that was killed may have made its release. An id names the content.
    const latest = summary?.release ?? readLedger(this.#dist)?.latest
    if (latest) this.titlesOf.getOrInsert(latest, this.#titles())
    if (!summary) return
    check(!isLedgerOld, `a build continues an older ledger`)
    const [expected, held] = [this.#heldRelease, summary.heldRelease]
    check(expected === undefined || expected === held, `${expected} is held, not ${held}`)
    this.#heldRelease = held
    if (!newTree) return
    check(readLedger(this.#dist)!.tree !== this.published.tree, 'a new tree has the id of the last one')
    this.#newTree = 'to publish'
  }

  async #publish(): Promise<void> {
    const isDeleting = this.chance.happens(0.5)
    const publishNow = (isRepairing: boolean) =>
      this.#operate('publish', () => {
        const target = new FolderTarget(this.published.folder, false)
        const isReplacingTree = this.#newTree === 'to publish'
        const options = { outFolder: this.#dist, target, isDeleting, isRepairing, isReplacingTree }
        this.#plant.publication?.(options)
        return publish(options)
      })
    const result = await publishNow(false)
    const isDamaged = this.#wasRefused('--repair')
    if (result ?? (isDamaged && (await publishNow(true)))) {
      this.#newTree = this.#newTree === 'to publish' ? null : this.#newTree
      // The older tree goes on, and what was lost is given up.
      if (this.#restored === 'tree') this.#restored = null
    }
    await this.published.check()
    for (const service of this.#clients.services) await service.refresh()
  }

  /** Begins a rollback, or ends it. */
  async #hold(name: 'rollback' | 'resume'): Promise<void> {
    const isBeginning = name === 'rollback'
    const result = await this.#operate(name, () =>
      isBeginning ? rollback(this.#dist, undefined, this.#clock) : resume(this.#dist),
    )
    if (result) this.#heldRelease = isBeginning ? result.to : null
    else if (!this.#wasRefused()) this.#heldRelease = undefined
  }

  async #prune(): Promise<void> {
    const options = { outFolder: this.#dist, keep: 1 + this.chance.below(3), dryRun: false }
    await this.#operate('prune', () => prune({ ...options, onPlan: () => {} }))
  }

  async #readClips(): Promise<void> {
    this.#clients.isTreeFaulty = this.chance.happens(0.3)
    await this.#clients.readClips()
    this.#clients.isTreeFaulty = false
    if (this.chance.happens(0.3)) await this.#restartProxy()
  }

  async #startProxies(): Promise<void> {
    for (const index of [0, 1]) await this.#startProxy(index)
  }

  async #startProxy(index: number): Promise<void> {
    const tree = new FaultyTree(this.published.folder, this.chance, () => this.#clients.isTreeFaulty)
    this.#plant.tree?.(tree)
    const storeUrl = this.#redis?.url ?? `sqlite:${this.#storeFile('')}`
    const options = { folder: this.#folder, tree, storeUrl, clock: this.#clock }
    const process = (this.#proxies[index] = new SimulatedProcess())
    const service = await workAs(process, () => startService(options))
    this.#clients.services[index] = service
    await this.#plant.service?.(service)
  }

  /** Stops a proxy or kills it, and starts it again. */
  async #restartProxy(): Promise<void> {
    const index = this.chance.below(2)
    const isKilled = this.chance.happens(0.5)
    if (isKilled) this.#proxies[index]!.kill()
    const stopping = this.#clients.services[index]!.stop()
    await (isKilled ? stopping.catch(() => {}) : stopping)
    await this.#startProxy(index)
    this.note(isKilled ? 'kill proxy' : 'restart proxy', `${index}`)
  }

  #stepClock(): void {
    const minutes = this.chance.below(90) - 30
    this.#clock.ms += minutes * 60_000
    this.note('clock', `${minutes} min`)
  }

  #storeFile(name: string | number): string {
    return join(this.#folder, `store${name}.sqlite`)
  }

  async #backUpStore(): Promise<void> {
    const number = this.#unitsOfBackups.push(this.#clients.units) - 1
    await this.#clients.services[0]!.store.backup(this.#storeFile(number))
    this.note('back up store')
  }

  async #restoreStore(): Promise<void> {
    if (this.#unitsOfBackups.length === 0) return
    const number = this.chance.below(this.#unitsOfBackups.length)
    for (const service of this.#clients.services) await service.stop()
    for (const suffix of ['-wal', '-shm']) rmSync(this.#storeFile('') + suffix, { force: true })
    cpSync(this.#storeFile(number), this.#storeFile(''))
    this.#clients.units = this.#unitsOfBackups[number]!
    await this.#startProxies()
    this.note('restore store', `${this.#clients.units} units`)
  }

  async #failOver(): Promise<void> {
    await this.#redis!.failOver()
    await this.#clients.waitForStore()
    this.note('Redis fails over')
  }

  async #cutStore(): Promise<void> {
    this.#redis!.cutConnections()
    await this.#clients.waitForStore()
    this.note('cut connections to Redis')
  }

  #backUpTree(): void {
    if (this.#restored || !readLedger(this.#dist)) return
    copyFolder(this.#dist, join(this.#folder, `tree-${this.#treeBackups++}`))
    this.note('back up tree')
  }

  /** Restores a backup of the tree or of its ledger, and the next time what was lost. */
  #restoreTree(): void {
    const lost = join(this.#folder, 'lost')
    if (this.#restored) copyFolder(lost, this.#dist)
    else if (this.#treeBackups === 0) return
    else copyFolder(this.#dist, lost)
    const backup = join(this.#folder, `tree-${this.chance.below(this.#treeBackups)}`)
    this.#restored = this.#restored ? null : this.chance.pick(['tree', 'ledger'])
    if (this.#restored === 'tree') copyFolder(backup, this.#dist)
    const [ledger, state] = [backup, this.#dist].map((tree) => join(tree, '.build/state.sqlite'))
    if (this.#restored === 'ledger') cpSync(ledger!, state!)
    this.note('restore', this.#restored ?? 'the latest tree')
    const isUpToDate = readLedger(this.#dist)?.releases === readLedger(lost)?.releases
    if (this.#restored === 'ledger' && isUpToDate) this.#restored = null
    this.#heldRelease = undefined
  }

  /** Begins a new tree with the files that are published, after everything else was lost. */
  async #beginNewTree(): Promise<void> {
    if (!existsSync(join(this.published.folder, 'current.json'))) return
    copyFolder(this.published.folder, this.#dist)
    this.note('begin new tree')
    this.#newTree = 'to build'
    this.#heldRelease = null
    this.#restored = null
    this.#treeBackups = 0
    await this.#build()
  }

  /** Ends the faults and the rollback, and brings the source into service. */
  async #finish(): Promise<void> {
    this.#hasFaults = false
    if (this.#restored) this.#restoreTree()
    await this.#build()
    if (this.#heldRelease) await this.#hold('resume')
    await this.#publish()
    const titles = await this.#clients.titlesInService()
    const isUpToDate = isDeepStrictEqual(titles, this.#titles())
    check(isUpToDate, 'after the last publication, the clips in service are not those of the source')
    await this.#clients.readClips()
    await this.#clients.checkUnits()
  }
}

function copyFolder(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true })
  if (existsSync(from)) cpSync(from, to, { recursive: true, preserveTimestamps: true })
}
