import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { damagedFile, FolderTree, MissingFile } from '#release/tree.ts'
import type { Chance } from '../harness/chance.ts'

/** A tree whose files under `data/` are missing, cut or wrong now and then, while it is faulty. */
export class FaultyTree extends FolderTree {
  /** The proxy looks for another release only at `refresh`. */
  override readonly followEveryMs = 2 ** 31 - 1
  override readonly retryUpToMs = 2 ** 31 - 1
  readonly #chance: Chance
  readonly #isFaulty: () => boolean

  constructor(folder: string, chance: Chance, isFaulty: () => boolean) {
    super(folder)
    this.#chance = chance
    this.#isFaulty = isFaulty
  }

  override async readChecked(path: string, isRight: (bytes: Uint8Array) => boolean): Promise<Buffer> {
    return this.readTemporarily(path, isRight)
  }

  override readTemporarily(path: string, isRight: (bytes: Uint8Array) => boolean): Buffer {
    const bytes = readFileSync(join(this.folder, path))
    const mayFail = this.#isFaulty() && path.startsWith('data/')
    const fault = mayFail ? this.#chance.pick(['missing', 'cut', 'wrong', null]) : null
    if (fault === 'missing') throw new MissingFile(path, `there is no file "${path}"`)
    if (fault === 'wrong') bytes[bytes.length >> 1]! ^= 1
    const received = fault === 'cut' ? bytes.subarray(0, bytes.length >> 1) : bytes
    if (!isRight(received)) throw damagedFile(path)
    return received
  }
}
