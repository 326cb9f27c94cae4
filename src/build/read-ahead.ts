import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BlockToRead } from './tasks.ts'

/** How many calls are read ahead before the first is passed on. */
const ahead = 16
/** Most of a larger block is read while the disk works on its next piece. */
const smallBytes = 64 * 1024

/**
 * Passes on the blocks that threads read, small files with their bytes. With 100,000 files that
 * nobody read before, threads that wait for the disk file by file stand still for a fifth of the
 * build.
 */
export function* readAhead(corpusFolder: string, calls: Iterable<BlockToRead[]>): Generator<BlockToRead[]> {
  const waiting: BlockToRead[][] = []
  for (const blocks of calls) {
    setImmediate(addBytes, corpusFolder, blocks)
    waiting.push(blocks)
    if (waiting.length > ahead) yield waiting.shift()!
  }
  yield* waiting
}

/** Reads each small file. A thread that gets no bytes reads it itself, and reports its fault. */
function addBytes(corpusFolder: string, blocks: BlockToRead[]): void {
  for (const block of blocks) {
    try {
      // A copy, because sending a view to a thread sends the whole pool that it lies in.
      if (block.to <= smallBytes) block.bytes = new Uint8Array(readFileSync(join(corpusFolder, block.file)))
    } catch {
      continue
    }
  }
}
