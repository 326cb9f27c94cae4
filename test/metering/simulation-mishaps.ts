import { DatabaseSync, StatementSync } from 'node:sqlite'

/** A mishap at one statement of a process. */
export interface Mishap {
  /**
   * `killed`: all its connections are gone, as after kill -9. `fault`: SQLite says that the disk is
   * full.
   */
  kind: 'killed' | 'fault'
  /** The statement from now on, where the next one is 0, or the next one that commits. */
  at: number | 'COMMIT'
  /** Whether that statement was still carried out. */
  when: 'before' | 'after'
}

/** Intervenes between a statement and SQLite, to break a meter on purpose. */
export type Tamper = (sql: string, carryOut: () => unknown) => unknown

/**
 * A process as SQLite sees it: some connections, where each statement is a step at which it can
 * end.
 */
export class SimulatedProcess {
  readonly connections = new Set<DatabaseSync>()
  readonly #tamper: Tamper | undefined
  #mishap: Mishap | null = null
  #statements = 0
  isAlive = true
  /** The number of its mishaps. */
  mishaps = 0

  constructor(tamper?: Tamper) {
    this.#tamper = tamper
  }

  /** Null disarms it. */
  arm(mishap: Mishap | null): void {
    this.#mishap = mishap
    this.#statements = 0
  }

  carryOut(sql: string, statement: () => unknown): unknown {
    if (!this.isAlive) throw new Error('the process is dead')
    const mishap = this.#mishap
    const isDue = mishap && mishap.at === (mishap.at === 'COMMIT' ? sql : this.#statements++)
    if (!isDue) return this.#reach(sql, statement)
    this.#mishap = null
    this.mishaps++
    if (mishap.kind === 'fault') throw diskFull()
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
let opening: SimulatedProcess | null = null

/** Connections first used during `open` belong to the process. Only one process at a time opens. */
export async function openAs<T>(process: SimulatedProcess, open: () => Promise<T>): Promise<T> {
  opening = process
  try {
    return await open()
  } finally {
    opening = null
  }
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
  if (known || !opening) return known
  owners.set(connection, opening)
  opening.connections.add(connection)
  return opening
}
