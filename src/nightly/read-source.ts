import { readFile } from 'node:fs'
import { join } from 'node:path'
import { readClipFile } from '#corpus/clip-files.ts'
import { notRegular } from '#corpus/read-texts.ts'
import { batches } from '#kit/batches.ts'
import type { ListedSource } from './digests.ts'
import type { OnProgress } from './build-options.ts'
import type { FaultyText, SoundText } from './source-text.ts'
import type { WorkerPool } from './worker-pool.ts'

/** The approximate bytes of source that a worker checks in a call, and the most texts. */
const callBytes = 1 << 20
const callTexts = 256

/** The texts of a source, by file and line. */
export type Source = Awaited<ReturnType<typeof readSource>>

export async function readSource(
  corpusFolder: string,
  { files, irregular }: ListedSource,
  pool: WorkerPool,
  onProgress: OnProgress | undefined,
) {
  const sound: SoundText[] = []
  const faulty: FaultyText[] = irregular.map((file) => ({ file, line: 0, reason: notRegular }))
  const totalBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  let doneBytes = 0
  let ahead = 0
  const texts = files.values().flatMap(({ file }, i) => {
    // Makes the system read a later file ahead, because reading it would otherwise wait.
    const later = files[i + callTexts]
    if (later && later.sizeBytes <= callBytes && ahead < callTexts) {
      ahead++
      readFile(join(corpusFolder, later.file), () => ahead--)
    }
    return readClipFile(corpusFolder, file)
  })
  const calls = batches(texts, ({ from, to }) => to - from, callBytes, callTexts)
  for await (const [batch, results] of pool.each('read', calls)) {
    for (const result of results) {
      if ('reason' in result) faulty.push(result)
      else sound.push(result)
    }
    for (const { from, to } of batch) doneBytes += to - from
    onProgress?.({ step: 'read', done: doneBytes, total: totalBytes })
  }
  faulty.sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1))
  return { sound, faulty }
}
