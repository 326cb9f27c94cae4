import { AsyncLocalStorage } from 'node:async_hooks'
import { DatabaseSync, StatementSync } from 'node:sqlite'

/** A mishap at one step of a process: a statement or a change of the file system. */
export interface Mishap {
  /**
   * `killed`: all its connections are gone, as after kill -9. `fault`: the disk is full.
   */
  kind: 'killed' | 'fault'
  /** The step from now on, where the next one is 0, or the next one that commits. */
  at: number | 'COMMIT'
  /** Whether that step was still carried out; `halfway` is `before` for a step that is atomic. */
  when: 'before' | 'halfway' | 'after'
}

/** A step that is no statement: the error of a full disk and, if it is not atomic, half of it. */
export interface StepOptions {
  fault: Error
  halfway?: (() => unknown) | undefined
}

/** Intervenes between a statement and SQLite, to break a meter on purpose. */
export type Tamper = (sql: string, carryOut: () => unknown) => unknown

/** A process as SQLite sees it: connections, where each statement is a step at which it can end. */
export class SimulatedProcess {
  readonly connections = new Set<DatabaseSync>()
  readonly #tamper: Tamper | undefined
  #mishap: Mishap | null = null
  /** The number of its steps since it was last armed. */
  steps = 0
  isAlive = true
  /** The number of its mishaps. */
  mishaps = 0

  constructor(tamper?: Tamper) {
    this.#tamper = tamper
  }

  /** Null disarms it. */
  arm(mishap: Mishap | null): void {
    this.#mishap = mishap
    this.steps = 0
  }

  carryOut(sql: string, statement: () => unknown, options?: StepOptions): unknown {
    if (!this.isAlive) throw new Error('the process is dead')
    const mishap = this.#mishap
    const step = this.steps++
    const isDue = mishap && mishap.at === (mishap.at === 'COMMIT' ? sql : step)
    if (!isDue) return this.#reach(sql, statement)
    this.#mishap = null
    this.mishaps++
    if (mishap.when === 'halfway') options?.halfway?.()
    if (mishap.kind === 'fault') throw options?.fault ?? diskFull()
    if (mishap.when === 'after') this.#reach(sql, statement)
    this.kill()
    throw new Error('the process was killed')
  }

  /** Uncommitted work is undone, and its locks are released, as when a real process ends. */
  kill(): void {
    this.isAlive = false
    for (const connection of this.connections) if (connection.isOpen) connection.close()
  }

  #reach(sql: string, statement: () => unknown): unknown {
    return this.#tamper ? this.#tamper(sql, statement) : statement()
  }
}

function diskFull(): Error {
  return Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 })
}

const owners = new WeakMap<DatabaseSync, SimulatedProcess>()
const processes = new AsyncLocalStorage<SimulatedProcess>()

/** Returns the process whose work this is, even after its death; undefined outside of all. */
export function currentProcess(): SimulatedProcess | undefined {
  return processes.getStore()
}

/** Does work as a process, to which the connections that are first used there belong. */
export async function workAs<T>(process: SimulatedProcess, work: () => Promise<T>): Promise<T> {
  return await processes.run(process, work)
}

/** Puts the processes between node:sqlite and its users, until it is disposed of. */
export function interceptSqlite(): Disposable {
  const { exec, prepare } = DatabaseSync.prototype
  const { get, run, all } = StatementSync.prototype
  const statements = new WeakMap<StatementSync, { owner: SimulatedProcess; sql: string }>()

  DatabaseSync.prototype.exec = function (sql) {
    const owner = ownerOf(this)
    return owner ? void owner.carryOut(sql, () => exec.call(this, sql)) : exec.call(this, sql)
  }
  DatabaseSync.prototype.prepare = function (sql, ...more) {
    const statement = prepare.call(this, sql, ...more)
    const owner = ownerOf(this)
    if (owner) statements.set(statement, { owner, sql })
    return statement
  }
  const intercepted = <F extends (...args: never[]) => unknown>(real: F): F =>
    function (this: StatementSync, ...args: never[]) {
      const known = statements.get(this)
      return known ? known.owner.carryOut(known.sql, () => real.apply(this, args)) : real.apply(this, args)
    } as F
  Object.assign(StatementSync.prototype, {
    get: intercepted(get),
    run: intercepted(run),
    all: intercepted(all),
  })
  return {
    [Symbol.dispose]() {
      Object.assign(DatabaseSync.prototype, { exec, prepare })
      Object.assign(StatementSync.prototype, { get, run, all })
    },
  }
}

function ownerOf(connection: DatabaseSync): SimulatedProcess | undefined {
  const known = owners.get(connection)
  const process = currentProcess()
  if (known || !process) return known
  owners.set(connection, process)
  process.connections.add(connection)
  return process
}
