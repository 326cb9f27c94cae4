import { blocksOf, isLines } from '#corpus/clip-blocks.ts'
import { notRegular } from '#corpus/clip-files.ts'
import { emptyFile } from '#corpus/read-clips.ts'
import { batches } from '#kit/batches.ts'
import type { ListedSource } from './fingerprint.ts'
import type { OnProgress } from './progress.ts'
import type { FaultyText, SoundText } from './source-text.ts'
import type { WorkerPool } from './worker-pool.ts'

/** About how many bytes of source a worker reads in one call, and the most files. */
const callBytes = 1 << 20
const callFiles = 64

/** The texts of a source, by file and line. */
export interface Source {
  sound: SoundText[]
  faulty: FaultyText[]
}

/** Reads and checks all clips of a source. */
export async function readSource(
  corpusFolder: string,
  { files, irregular }: ListedSource,
  pool: WorkerPool,
  onProgress: OnProgress,
): Promise<Source> {
  const faulty = irregular.map((file) => ({ file, line: 0, reason: notRegular }))
  const source: Source = { sound: [], faulty }
  const counts = new Map(files.map(({ file }) => [file, { lines: 0, texts: 0 }]))
  const total = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  let done = 0
  const blocks = files.values().flatMap((file) => blocksOf(corpusFolder, file))
  const calls = batches(blocks, ({ from, to }) => to - from, callBytes, callFiles)
  for await (const [read, results] of pool.each('read', calls)) {
    for (const [i, { file, from, to }] of read.entries()) {
      const { texts, lineCount } = results[i]!
      const count = counts.get(file)!
      for (const text of texts) {
        // Lines are counted within the block.
        if (text.line > 0) text.line += count.lines
        if ('reason' in text) source.faulty.push(text)
        else source.sound.push(text)
      }
      count.lines += lineCount
      count.texts += texts.length
      done += to - from
    }
    onProgress({ step: 'read', done, total })
  }
  for (const [file, { texts }] of counts)
    if (texts === 0 && isLines(file)) source.faulty.push({ file, line: 0, reason: emptyFile.reason })
  source.faulty.sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1))
  return source
}
