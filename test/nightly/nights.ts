import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach } from 'vitest'
import type { BuildOptions } from '#nightly/build-options.ts'
import type { BuildSummary } from '#nightly/build.ts'
import { openRelease, type Release } from '#release/release.ts'
import { FolderTree } from '#release/tree.ts'
import { writeSourceFolder } from '../harness/source-folder.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import type { SourceClip, SourceCorpus } from '../model/source.ts'
import { buildTree, corpus, filesOf, readJson, writeFiles } from './small-corpus.ts'

/** A source folder, and a tree that is built from it night after night: new ones for each test. */
export class Nights {
  src = ''
  dist = ''
  readonly #options: Partial<BuildOptions>

  /** `options` apply to every build. */
  constructor(options: Partial<BuildOptions> = {}) {
    this.#options = options
    beforeEach(() => {
      const folder = tempFolder()
      this.src = join(folder, 'src')
      this.dist = join(folder, 'dist')
    })
  }

  /** Builds from a corpus, or from clips with the usual catalogue. */
  async build(
    source: SourceClip[] | SourceCorpus,
    options: Partial<BuildOptions> = {},
  ): Promise<BuildSummary> {
    await rm(this.src, { recursive: true, force: true })
    await writeSourceFolder(this.src, Array.isArray(source) ? corpus(source) : source)
    return await this.again(options)
  }

  /** Builds from the current source. */
  again(options: Partial<BuildOptions> = {}): Promise<BuildSummary> {
    return buildTree(this.src, this.dist, { ...this.#options, ...options })
  }

  /** Writes files of the source. */
  write(files: Record<string, string | Uint8Array>): Promise<void> {
    return writeFiles(this.src, files)
  }

  /** A published file, parsed. */
  json(path: string) {
    return readJson(this.dist, path)
  }

  /** The id of the release in service. */
  async release(): Promise<string> {
    return (await this.json('current.json')).release
  }

  async open(): Promise<Release> {
    return openRelease(new FolderTree(this.dist), await this.release())
  }

  async changes() {
    return await this.json(`releases/${await this.release()}/changes.json`)
  }

  /** Returns every file below a folder of the tree with its text, except for the builds' state. */
  files(folder = ''): Promise<Record<string, string>> {
    return filesOf(join(this.dist, folder).replace(/\/$/, ''))
  }
}
