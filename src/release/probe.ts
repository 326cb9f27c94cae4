import type { Release } from './release.ts'

/**
 * Reads the record of a clip past every cache, as a test of the tree. Each call reads the next
 * clip, so that one damaged file counts once.
 */
export class TreeProbe {
  #row = 0

  /** @throws {TreeFault} the tree cannot provide the file */
  async read(release: Release): Promise<void> {
    const { clips } = release
    for (let count = 0; count < clips.rowCount; count++) {
      const row = this.#row++ % clips.rowCount
      if (!clips.isLive(row)) continue
      return void (await release.read(clips.recordFile(row)))
    }
  }
}
