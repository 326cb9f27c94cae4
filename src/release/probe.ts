import type { Release } from './release.ts'

/**
 * Reads what requests read, past every cache: the record of a clip. Each call takes the next clip,
 * so that one damaged file counts once.
 */
export class TreeProbe {
  #row = 0

  /** @throws {TreeFault} the tree does not give it */
  async read(release: Release): Promise<void> {
    const { clips } = release
    for (let count = 0; count < clips.rowCount; count++) {
      const row = this.#row++ % clips.rowCount
      if (!clips.isLive(row)) continue
      return void (await release.read(clips.recordFile(row)))
    }
  }
}
