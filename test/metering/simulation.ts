import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '#kit/clock.ts'
import { openStore } from '#metering/open-store.ts'
import type { MeterStore } from '#metering/meter-store.ts'
import { StoreUnavailable, type Decision, type Receipt } from '#metering/store.ts'
import { Chance } from '../harness/chance.ts'
import { holdStore } from '../harness/hold-store.ts'
import { carryOut, newKey, view } from './simulation-calls.ts'
import { modelsAfterAll, watchFor, type Event, type Process } from './simulation-events.ts'
import { SimulatedProcess, type Tamper, workAs } from './simulation-mishaps.ts'
import {
  lostPlan,
  Model,
  periodOf,
  simulatedPlans,
  type Ask,
  type Change,
  type View,
  type Who,
} from './simulation-model.ts'

/** Creates a meter, which is broken, from the real store, which it opens as it likes. */
export type Plant = (open: () => Promise<MeterStore>, clock: Clock) => Promise<MeterStore>

export interface HistoryOptions {
  seed: number
  /** The address of an unused store. */
  url: string
  plant?: Plant
  tamper?: Tamper
}

/** The outcome of a history. */
export interface History {
  /** How often each thing happened. */
  met: Map<string, number>
  /** Every step and every answer, in order, as functions that format them. */
  trace: (() => string)[]
}

/** The meter did something forbidden. */
export class BrokenInvariant extends Error {
  override name = 'BrokenInvariant'
}

/**
 * Runs the history of a seed: processes that share a store receive random batches of calls while
 * the clock runs, jumps and steps back, plans and keys change, the disk is full, another process
 * holds the file, and processes are killed at any statement. Every answer is checked against the
 * model, and so is everything visible in the store after each death: the work of a process has
 * taken effect completely or not at all, and completely if any of it was answered.
 *
 * Only on SQLite is each statement a step; elsewhere, no process is killed.
 *
 * @throws {BrokenInvariant} with the last steps
 */
export async function playHistory(options: HistoryOptions): Promise<History> {
  const play = new Play(options)
  try {
    await play.run()
    return play
  } catch (error) {
    if (!(error instanceof BrokenInvariant)) throw error
    const steps = play.trace.slice(-25).map((step) => step())
    throw new BrokenInvariant(`seed ${options.seed}: ${error.message}\n${steps.join('\n')}`)
  } finally {
    await play.end()
  }
}

/** The counts of an account without the model: units by their progress. */
type Units = { account: string; sent: number; answered: number; givenBack: number }

const planNames = simulatedPlans.map(({ name }) => name)
const beginnings = [
  '2026-01-31T08:00:00Z',
  '2027-12-30T23:59:59.999Z',
  '2028-02-29T00:00:00Z',
  '2026-08-15T12:34:56.789Z',
]
const minuteMs = 60_000
/** The maximum number of simultaneous processes. */
const maxProcesses = 3

class Play implements History {
  readonly met = new Map<string, number>()
  readonly trace: (() => string)[] = []
  readonly #options: HistoryOptions
  readonly #chance: Chance
  readonly #sqliteFile: string | undefined
  /** One, unless a process died and the effect of its work is not yet known. */
  #models = [new Model()]
  #processes: Process[] = []
  #names = 0
  #nowMs: number
  #latestMs: number
  /** The receipts of units that may be given back. */
  readonly #receipts: Receipt[] = []
  /** Keyed by the id of the account. */
  readonly #units = new Map<string, Units>()
  /** The latest window of each key and period of each account in an answer. */
  readonly #reached = new Map<string, number>()

  constructor(options: HistoryOptions) {
    this.#options = options
    this.#chance = new Chance(options.seed)
    this.#sqliteFile = /^sqlite:(.*)/.exec(options.url)?.[1]
    this.#nowMs = Date.parse(this.#chance.pick(beginnings))
    this.#latestMs = this.#nowMs
  }

  async run(): Promise<void> {
    await this.#open()
    await this.#makeAccounts()
    for (let turns = 12 + this.#chance.below(12); turns > 0; turns--) await this.#turn()
    await this.#inspect()
  }

  async end(): Promise<void> {
    for (const { store } of this.#processes) await store.close()
  }

  async #makeAccounts(): Promise<void> {
    const [{ store, clock }] = this.#processes as [Process]
    const [model] = this.#models as [Model]
    for (const account of ['ann', 'bob', 'eve'].slice(0, 1 + this.#chance.below(3))) {
      const plan = this.#chance.pick(planNames)
      const { id } = (await store.directory.createAccount(account, plan))!
      model.accounts.set(account, { id, plan, createdAtMs: clock.now(), counted: new Map() })
      this.#units.set(id, { account, sent: 0, answered: 0, givenBack: 0 })
      for (let keys = 1 + this.#chance.below(3); keys > 0; keys--) {
        const key = this.#newName('key_')
        await store.directory.addKey(account, newKey(key))
        model.addKey(key, account)
      }
    }
    for (const address of ['192.0.2.1', '2001:db8::/64'])
      model.addresses.set(address, { minute: 0, count: 0 })
  }

  async #turn(): Promise<void> {
    this.#moveClock()
    await this.#comeAndGo()
    const file = this.#sqliteFile
    if (file !== undefined && this.#chance.happens(0.03)) await this.#whileAnotherHolds(file)
    else await this.#atOnce()
    this.#processes = this.#processes.filter(({ sqlite }) => sqlite.isAlive)
    if (this.#models.length > 1 || this.#chance.happens(0.1)) await this.#inspect()
  }

  /**
   * Moves the clock mostly forward, a little or to the edge of a minute or of a period, and
   * occasionally back, but by less than the hour for which windows are kept.
   */
  #moveClock(): void {
    const edge = () => this.#chance.below(3) - 1
    const { createdAtMs } = this.#chance.pick([...this.#models[0]!.accounts.values()])
    const kind = this.#chance.next()
    if (kind < 0.55) this.#nowMs += this.#chance.below(5_000)
    else if (kind < 0.75) this.#nowMs += minuteMs - (this.#nowMs % minuteMs) + edge()
    else if (kind < 0.85) this.#nowMs = periodOf(createdAtMs, this.#nowMs).end + edge()
    else if (kind < 0.9) this.#nowMs += this.#chance.below(70 * 86_400_000)
    else this.#nowMs -= this.#chance.below(kind < 0.97 ? 90_000 : 45 * minuteMs)
    if (this.#nowMs < this.#latestMs) this.#meet('clock behind')
    this.#nowMs = Math.max(this.#nowMs, this.#latestMs - 50 * minuteMs)
    this.#latestMs = Math.max(this.#latestMs, this.#nowMs)
    const nowMs = this.#nowMs
    this.#tell(() => `it is ${new Date(nowMs).toISOString()}`)
  }

  /** Starts and ends processes. */
  async #comeAndGo(): Promise<void> {
    if (this.#processes.length > 0 && this.#chance.happens(0.04)) {
      const [process] = this.#processes.splice(this.#chance.below(this.#processes.length), 1) as [Process]
      await process.store.close()
      this.#tell(() => `${process.name} ends`)
    }
    while (
      this.#processes.length === 0 ||
      (this.#processes.length < maxProcesses && this.#chance.happens(0.1))
    )
      await this.#open()
  }

  async #open(unknownPlans: 'refuse' | 'allow' = 'refuse'): Promise<void> {
    const { url, tamper, plant = (open) => open() } = this.#options
    // The clocks of processes differ slightly.
    const skewMs = this.#chance.pick([0, 0, 0, -25_000, 40_000])
    const clock = { now: () => this.#nowMs + skewMs }
    const isImpatient = this.#chance.happens(0.3) && this.#sqliteFile !== undefined
    const sqlite = new SimulatedProcess(tamper)
    if (this.#sqliteFile !== undefined && this.#chance.happens(0.08)) this.#arm(sqlite)
    const options = { plans: simulatedPlans, clock, time: 'clock', unknownPlans, mayCreate: true } as const
    const patienceMs = isImpatient ? 0 : 10_000
    const open = () => openStore(url, { ...options, patienceMs })
    const name = this.#newName('p')
    const isRefused =
      unknownPlans === 'refuse' &&
      this.#models.some(({ accounts }) => [...accounts.values()].some(({ plan }) => plan === lostPlan))
    try {
      const store = await workAs(sqlite, () => plant(open, clock))
      if (isRefused) throw new BrokenInvariant(`${name} was opened with an account on a plan that it lacks`)
      this.#processes.push({ name, store, sqlite, clock, isImpatient })
      sqlite.arm(null)
      this.#tell(() => `${name} begins${isImpatient ? ', impatient' : ''}`)
    } catch (error) {
      const isStruck = sqlite.mishaps > 0
      if (error instanceof BrokenInvariant || (!isStruck && !isRefused)) throw error
      this.#meet(isStruck ? 'mishap while opening' : 'refused to open')
      await this.#open(isStruck ? unknownPlans : 'allow')
    }
  }

  /** Makes calls on several processes in one turn, of which only the outcomes are known. */
  async #atOnce(): Promise<void> {
    if (this.#sqliteFile !== undefined && this.#chance.happens(0.15))
      this.#arm(this.#chance.pick(this.#processes).sqlite)
    const watches = new Map(this.#processes.map((process) => [process, watchFor(process)]))
    const asked = Array.from({ length: 1 + this.#chance.below(6) }, () =>
      this.#call(
        this.#chance.pick(this.#processes),
        this.#chance.happens(0.12) ? this.#someChange() : this.#someAsk(),
      ),
    )
    const events = await Promise.all(asked)
    for (const event of events) {
      const hit = watches.get(event.process)!()
      if (hit !== 'fault' || event.outcome === 'unavailable') event.hit = hit
    }
    for (const { sqlite } of this.#processes) sqlite.arm(null)
    this.#take(events)
  }

  /**
   * Makes calls on a process while another one is writing. The other one ends soon or, if the
   * process is impatient, only after the process has stopped waiting.
   */
  async #whileAnotherHolds(file: string): Promise<void> {
    const process = this.#chance.pick(this.#processes)
    const letGo = holdStore(file)
    const calls = Array.from({ length: 1 + this.#chance.below(4) }, () => this.#someAsk())
    const told = Promise.all(calls.map((call) => this.#call(process, call)))
    await (process.isImpatient ? told : turnOfLoop())
    letGo()
    const events = await told
    if (process.isImpatient)
      for (const event of events) if (event.outcome === 'unavailable') event.hit = 'fault'
    this.#meet('file held')
    this.#take(events)
  }

  #arm(sqlite: SimulatedProcess): void {
    sqlite.arm({
      kind: this.#chance.happens(0.7) ? 'killed' : 'fault',
      at: this.#chance.happens(0.3) ? 'COMMIT' : this.#chance.below(14),
      when: this.#chance.pick(['before', 'after']),
    })
  }

  #someAsk(): Ask {
    const kind = this.#chance.next()
    if (kind < 0.08 && this.#receipts.length > 0) {
      const [receipt] = this.#receipts.splice(this.#chance.below(this.#receipts.length), 1) as [Receipt]
      return { verb: 'giveBack', receipt }
    }
    const who = this.#someone()
    return kind < 0.2
      ? { verb: 'peek', who }
      : { verb: 'consume', who, units: this.#chance.happens(0.85) ? 1 : 0 }
  }

  #someone(): Who {
    const { keys, addresses } = this.#models[0]!
    if (this.#chance.happens(0.15)) return { address: this.#chance.pick([...addresses.keys()]) }
    return { key: this.#chance.happens(0.02) ? 'nobody' : this.#chance.pick([...keys.keys()]) }
  }

  #someChange(): Change {
    const { keys, accounts } = this.#models[0]!
    const account = this.#chance.pick([...accounts.keys()])
    const key = this.#chance.pick([...keys.keys()])
    const kind = this.#chance.next()
    if (kind < 0.4) {
      const plan = this.#chance.happens(0.12) ? lostPlan : this.#chance.pick(planNames)
      return { verb: 'setPlan', account, plan }
    }
    if (kind < 0.75) return { verb: 'setEnabled', key, enabled: this.#chance.happens(0.6) }
    if (kind < 0.85) return { verb: 'addKey', account, key: this.#newName('key_') }
    const overlapMs = this.#chance.below(3) * this.#chance.below(100_000)
    return { verb: 'rotate', key, next: this.#newName('key_'), overlapMs }
  }

  /** Makes the call now, and returns its outcome. */
  async #call(process: Process, call: Ask | Change): Promise<Event> {
    const event: Event = { process, nowMs: process.clock.now(), call, outcome: 'lost', hit: null }
    try {
      const result = await carryOut(process.store, call)
      event.outcome = call.verb === 'consume' || call.verb === 'peek' ? (result as Decision) : undefined
    } catch (error) {
      if (!process.sqlite.isAlive) return event
      if (!(error instanceof StoreUnavailable)) throw new BrokenInvariant((error as Error).stack)
      event.outcome = 'unavailable'
    }
    return event
  }

  /** Applies to the models what happened, in any possible order. */
  #take(events: readonly Event[]): void {
    for (const event of events) this.#note(event)
    this.#models = modelsAfterAll(this.#models, events)
    if (this.#models.length === 0) throw new BrokenInvariant('the model answers so in no order')
  }

  /** Records an outcome, and checks it against the limits and the requests, without the model. */
  #note({ process, hit, call, outcome }: Event): void {
    if (hit) this.#meet(hit)
    const told = typeof outcome === 'object' ? outcome.outcome : (outcome ?? 'done')
    this.#meet(call.verb === 'consume' || call.verb === 'peek' ? `${call.verb} ${told}` : call.verb)
    if (typeof outcome === 'object' && outcome.outcome !== 'unknown_key') {
      if ('who' in call) this.#reach('minute', JSON.stringify(call.who), outcome.window.resetAtS)
      if (outcome.quota) this.#reach('period', outcome.quota.account, outcome.quota.period.startMs)
    }
    const fate = hit ? ` (${hit})` : ''
    this.#tell(() => `${process.name} ${textOf(call)} → ${textOf(outcome) ?? 'done'}${fate}`)
    if (call.verb === 'giveBack') this.#units.get(call.receipt.accountId)!.givenBack++
    if (call.verb !== 'consume' || call.units === 0 || !('key' in call.who)) return
    const { keys, accounts } = this.#models[0]!
    const account = keys.get(call.who.key)?.account
    if (account) this.#units.get(accounts.get(account)!.id)!.sent++
    if (typeof outcome !== 'object' || outcome.outcome !== 'admitted' || !outcome.receipt) return
    const { requests, plan } = outcome.quota!
    const limit = plan.perPeriod
    if (limit !== null && requests > limit)
      throw new BrokenInvariant(`${requests} units of ${limit} were admitted`)
    this.#units.get(outcome.receipt.accountId)!.answered++
    this.#receipts.push(outcome.receipt)
  }

  /** Checks everything that the store shows, and keeps only the models that agree with it. */
  async #inspect(): Promise<void> {
    if (this.#processes.length === 0) await this.#open('allow')
    const process = this.#chance.pick(this.#processes)
    const nowMs = process.clock.now()
    const seen = await view(process.store, this.#models[0]!, this.#sqliteFile)
    for (const { account, sent, answered, givenBack } of this.#units.values()) {
      const stored = seen.counted
        .filter((row) => row.startsWith(account))
        .reduce((sum, row) => sum + Number(row.split(' ')[2]), 0)
      if (stored > sent || (stored < answered - givenBack && this.#sqliteFile !== undefined))
        throw new BrokenInvariant(
          `of ${account} ${sent} units were sent, ${answered} answered, ${givenBack} given back, ${stored} stored`,
        )
    }
    const agreeing = this.#models.filter((model) => isDeepStrictEqual(this.#expectedView(model, nowMs), seen))
    if (agreeing.length === 0) {
      const wanted = this.#models.map((model) => JSON.stringify(this.#expectedView(model, nowMs)))
      throw new BrokenInvariant(
        `${process.name} shows ${JSON.stringify(seen)}\nthe model ${wanted.join('\nor ')}`,
      )
    }
    if (this.#models.length === 2 && agreeing.length === 1)
      this.#meet(agreeing[0] === this.#models[0] ? 'killed, with effect' : 'killed, without effect')
    // A window that is over may be invisible until the clock steps back. Both models are then kept,
    // unless they are equal.
    this.#models = agreeing.filter(
      (model, i) => !agreeing.slice(0, i).some((other) => isDeepStrictEqual(model, other)),
    )
  }

  #expectedView(model: Model, nowMs: number): View {
    const view = model.view(nowMs)
    return this.#sqliteFile === undefined ? { ...view, counted: [] } : view
  }

  #reach(kind: string, of: string, until: number): void {
    if (until > (this.#reached.get(kind + of) ?? Infinity)) this.#meet(`${kind} rolled over`)
    this.#reached.set(kind + of, until)
  }

  #newName(prefix: string): string {
    return `${prefix}${this.#names++}`
  }

  #meet(what: string): void {
    this.met.set(what, (this.met.get(what) ?? 0) + 1)
  }

  #tell(step: () => string): void {
    this.trace.push(step)
  }
}

/** Returns a value as JSON without the ids of accounts, which differ each time it is played. */
function textOf(value: unknown): string | undefined {
  return JSON.stringify(value, (name, part: unknown) => (name === 'accountId' ? undefined : part))
}
