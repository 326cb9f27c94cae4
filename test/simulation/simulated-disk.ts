import fs from 'node:fs'
import fsPromises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import type { Chance } from '../harness/chance.ts'
import { currentProcess } from '../metering/simulation-mishaps.ts'

// oxlint-disable-next-line typescript/no-explicit-any
type Functions = Record<string, (...args: any[]) => any>

const changes = ['appendFile', 'mkdir', 'rename', 'rm', 'unlink', 'writeFile']
/** `TMPFS_MAGIC` of statfs(2): there is nothing to sync, so no command is run for it. */
const tmpfs = 0x01021994

/**
 * The disk of the simulated processes, until it is disposed of. Each of their changes is a step, at
 * which they may be killed or find it full, and which happens at once, so that a seed always gives
 * the same order. If the power fails, files lose what was not synced; names do not.
 */
export class SimulatedDisk implements Disposable {
  readonly #unsyncedPaths = new Set<string>()
  readonly #sync = pick(fs, ['readFileSync', ...changes.map((name) => `${name}Sync`)])
  readonly #async = pick(fsPromises, ['open', 'readFile', 'statfs', ...changes])

  constructor() {
    const [sync, async]: [Functions, Functions] = [{}, {}]
    for (const name of changes) {
      sync[`${name}Sync`] = (...args) => this.#change(`${name}Sync`, args)
      async[name] = async (...args) =>
        currentProcess() ? this.#change(`${name}Sync`, args) : this.#async[name]!(...args)
    }
    async.readFile = async (...args) =>
      currentProcess() ? this.#sync.readFileSync!(...args) : this.#async.readFile!(...args)
    async.open = (...args) => this.#open(args)
    async.statfs = async (folder: string) => {
      if (!currentProcess()) return this.#async.statfs!(folder)
      this.#carryOut('sync', () => this.#move(folder, null))
      return { type: tmpfs }
    }
    replace(sync, async)
  }

  [Symbol.dispose](): void {
    replace(this.#sync, this.#async)
  }

  /** Some of the files that were not synced lose their ends. */
  losePower(chance: Chance): void {
    for (const path of this.#unsyncedPaths) {
      const { size } = fs.statSync(path, { throwIfNoEntry: false }) ?? {}
      if (size && chance.happens(0.5)) fs.truncateSync(path, chance.below(size))
    }
    this.#unsyncedPaths.clear()
  }

  #change(name: string, args: unknown[]): unknown {
    const change = this.#sync[name]!
    const [path, second] = args as [string | number, string]
    const carryOut = () => {
      const result = change(...args)
      if (typeof path === 'number' || name === 'mkdirSync') return result
      if (name === 'renameSync') this.#move(path, second)
      else if (name === 'rmSync' || name === 'unlinkSync') this.#move(path, null)
      else this.#unsyncedPaths.add(path)
      return result
    }
    const isWriting = name === 'writeFileSync' || name === 'appendFileSync'
    const halfway = () => change(path, second.slice(0, second.length >> 1))
    return this.#carryOut(name, carryOut, isWriting ? halfway : undefined)
  }

  #carryOut(name: string, change: () => unknown, halfway?: () => unknown): unknown {
    const process = currentProcess()
    return process ? process.carryOut(name, change, { fault: noSpace(), halfway }) : change()
  }

  /** Moves the unsynced files at a path or below it; without `to`, they are synced or gone. */
  #move(from: string, to: string | null): void {
    for (const path of this.#unsyncedPaths) {
      if (path !== from && !path.startsWith(`${from}/`)) continue
      this.#unsyncedPaths.delete(path)
      if (to !== null) this.#unsyncedPaths.add(to + path.slice(from.length))
    }
  }

  /** Opens a file whose writes and whose sync are steps. */
  async #open(args: unknown[]): Promise<fsPromises.FileHandle> {
    const [path, flags = 'r'] = args as [string, string?]
    if (currentProcess()) this.#carryOut('open', () => flags !== 'r' && this.#unsyncedPaths.add(path))
    const handle = (await this.#async.open!(...args)) as fsPromises.FileHandle
    if (!currentProcess()) return handle
    const sync = () => this.#unsyncedPaths.delete(path)
    return Object.assign(handle, {
      writeFile: async (data: string | Uint8Array | Iterable<string | Uint8Array>) => {
        const pieces = typeof data === 'string' || data instanceof Uint8Array ? [data] : data
        for (const piece of pieces) this.#change('writeFileSync', [handle.fd, piece])
      },
      sync: async () => this.#carryOut('sync', sync),
    })
  }
}

function pick(module: object, names: readonly string[]): Functions {
  return Object.fromEntries(names.map((name) => [name, (module as Functions)[name]!]))
}

function replace(sync: Functions, async: Functions): void {
  Object.assign(fs, sync)
  Object.assign(fsPromises, async)
  syncBuiltinESMExports()
}

function noSpace(): Error {
  const message = 'ENOSPC: no space left on device, write'
  return Object.assign(new Error(message), { code: 'ENOSPC', errno: -28, syscall: 'write' })
}
