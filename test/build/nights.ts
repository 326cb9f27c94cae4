import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach } from 'vitest'
import type { BuildOptions } from '#build/build-options.ts'
import type { BuildSummary } from '#build/build.ts'
import { writeSourceFolder } from '../harness/source-folder.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import type { SourceClip } from '../model/source.ts'
import { buildTree, catalogue, corpus } from './small-corpus.ts'

/** A source folder, and a tree that is built from it night after night. */
export class Nights {
  src = ''
  dist = ''

  constructor() {
    beforeEach(() => {
      const folder = tempFolder()
      this.src = join(folder, 'src')
      this.dist = join(folder, 'dist')
    })
  }

  /** Builds from these clips, and these words if they are given. */
  async build(
    clips: SourceClip[],
    options: Partial<BuildOptions> = {},
    words = catalogue,
  ): Promise<BuildSummary> {
    await rm(this.src, { recursive: true, force: true })
    await writeSourceFolder(this.src, corpus(clips, words))
    return await buildTree(this.src, this.dist, options)
  }
}
