import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '#kit/digest.ts'
import { namedFiles, openNamingTables } from '#release/named-files.ts'
import { releaseNumber } from '#release/paths.ts'
import { openRelease } from '#release/release.ts'
import { FolderTree } from '#release/tree.ts'
import { faultsOf } from '../harness/faults-of.ts'
import { readJson } from '../nightly/small-corpus.ts'
import { check } from './clients.ts'

/** The place where a tree is published, with all that was ever seen there. */
export class PublishedTree {
  readonly folder: string
  /** The id of the tree in service. */
  tree = ''
  #release = '0'
  readonly #digestByPath = new Map<string, string>()
  readonly #releaseByNumber = new Map<number, string>()
  readonly #clipByOrdinal = new Map<string, string>()
  readonly #ordinalByClip = new Map<string, string>()

  constructor(folder: string) {
    this.folder = folder
  }

  /**
   * Checks that the release in service is whole, and that it changes no name, number or ordinal.
   *
   * @throws {BrokenInvariant}
   */
  async check(): Promise<void> {
    if (!existsSync(join(this.folder, 'current.json'))) return
    const { release, rollbackSince } = await readJson(this.folder, 'current.json')
    const [fault] = await faultsOf(this.folder, release)
    check(!fault, `"${fault?.path}" of what is published is ${fault?.received}`)
    const isForward = releaseNumber(release) >= releaseNumber(this.#release)
    check(isForward || rollbackSince !== undefined, `release ${release} follows ${this.#release}`)
    this.#release = release
    same(this.#releaseByNumber, releaseNumber(release), release, 'release')
    const tree = new FolderTree(this.folder)
    for (const path of namedFiles(await openNamingTables(tree, release)))
      same(this.#digestByPath, path, sha256(readFileSync(join(this.folder, path))).toString('hex'), 'file')
    using opened = await openRelease(tree, release)
    this.tree = opened.manifest.tree
    const { base } = opened.clips.rangeOf('en')
    for (const row of opened.clips.liveRows()) {
      const [clip, ordinal] = [opened.clips.clipId(row), row - base].map((part) => `${this.tree} ${part}`)
      same(this.#clipByOrdinal, ordinal!, clip!, 'ordinal')
      same(this.#ordinalByClip, clip!, ordinal!, 'clip')
    }
  }
}

/** @throws {BrokenInvariant} the key had another value before */
function same<K>(values: Map<K, string>, key: K, value: string, what: string): void {
  const before = values.getOrInsert(key, value)
  check(before === value, `${what} ${key} was ${before}, and is ${value}`)
}
