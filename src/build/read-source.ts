import { blocksOf, isLines } from '#corpus/clip-blocks.ts'
import { emptyFile } from '#corpus/read-clips.ts'
import { batches } from '#kit/batches.ts'
import type { SourceText } from '#tree/source-text.ts'
import type { State } from '#tree/state.ts'
import type { OnProgress } from './progress.ts'
import { readAhead } from './read-ahead.ts'
import { readingVersion, type Source } from './source.ts'
import type { BlockToRead } from './tasks.ts'
import type { WorkerPool } from './worker-pool.ts'

/** About how many bytes of source a worker reads in one call, and the most files. */
const callBytes = 1 << 20
const callFiles = 64

/**
 * Brings the state of the source up to date: reads the files that have changed, and deletes those
 * that are gone.
 *
 * The texts of a file that is read again are first stored beside the old ones, under the negative
 * of its id, because the old ones say which texts need no parsing. At the end they replace them.
 */
export async function readSource(
  corpusFolder: string,
  source: Source,
  state: State,
  pool: WorkerPool,
  onProgress: OnProgress,
): Promise<void> {
  const { files, stale, idOf, startedNs } = source
  const ids = enterFiles(state, source)
  const counts = new Map(stale.map(({ file }) => [file, { lines: 0, texts: 0 }]))
  const total = stale.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  let done = 0
  const blocks = batches(
    staleBlocks(corpusFolder, source, state),
    ({ from, to }) => to - from,
    callBytes,
    callFiles,
  )
  const calls = pool.hasThreads ? readAhead(corpusFolder, blocks) : blocks
  for await (const [read, results] of pool.each('read', calls)) {
    for (const [i, { file, from, to }] of read.entries()) {
      const { texts, lineCount } = results[i]!
      const count = counts.get(file)!
      for (const text of texts) enterText(state, ids.get(file)!, text, count.lines)
      count.lines += lineCount
      count.texts += texts.length
      done += to - from
    }
    onProgress({ step: 'read', done, total })
  }
  for (const [file, { texts }] of counts)
    if (texts === 0 && isLines(file))
      enterText(state, ids.get(file)!, { from: 0, to: 0, reason: emptyFile.reason }, 0)
  replaceTexts(state, ids)
  const there = new Set(files.map(({ file }) => file))
  for (const [file, id] of idOf) if (!there.has(file)) forget(state, id)
  state.run('DELETE FROM reading')
  state.run('INSERT INTO reading VALUES (?, ?)', String(startedNs), readingVersion)
}

/**
 * Stores the stamps of the files to be read. Returns the ids under which their texts are stored.
 */
function enterFiles(state: State, { stale, idOf }: Source): Map<string, number> {
  const insert = state.statement('INSERT INTO files (file, stamp) VALUES (?, ?)')
  return new Map(
    stale.map(({ file, stamp }) => {
      const id = idOf.get(file)
      if (id === undefined) return [file, Number(insert.run(file, stamp).lastInsertRowid)]
      state.run('UPDATE files SET stamp = ? WHERE id = ?', stamp, id)
      return [file, -id]
    }),
  )
}

function replaceTexts(state: State, ids: ReadonlyMap<string, number>): void {
  for (const id of ids.values()) {
    if (id > 0) continue
    state.run('DELETE FROM texts WHERE fileId = ?', -id)
    state.run('UPDATE texts SET fileId = -fileId WHERE fileId = ?', id)
  }
}

function forget(state: State, id: number): void {
  state.run('DELETE FROM texts WHERE fileId = ?', id)
  state.run('DELETE FROM files WHERE id = ?', id)
}

/** `linesBefore` is how many lines the blocks before have. */
function enterText(state: State, fileId: number, text: SourceText, linesBefore: number): void {
  const line = text.line === undefined ? 0 : linesBefore + text.line
  state.run(
    `INSERT INTO texts VALUES (:fileId, :line, :from, :to, :raw, :clipId, :videoId, :language, :digest, :field, :reason)`,
    { ...text, fileId, line },
  )
}

/** The blocks of the stale files. */
function* staleBlocks(corpusFolder: string, { stale, idOf }: Source, state: State): Generator<BlockToRead> {
  for (const clipFile of stale) {
    const id = idOf.get(clipFile.file)
    for (const block of blocksOf(corpusFolder, clipFile))
      yield { ...block, known: id === undefined ? [] : knownTexts(state, id, block) }
  }
}

/** The texts that began in a block when its file was last read. */
function knownTexts(state: State, fileId: number, { from, to }: { from: number; to: number }): SourceText[] {
  const rows = state
    .statement(
      `SELECT "from", "to", raw, clipId, videoId, language, digest, field, reason FROM texts
        WHERE fileId = ? AND "from" >= ? AND "from" < ? AND raw IS NOT NULL`,
    )
    .all(fileId, from, to)
  return rows.map(
    (row) =>
      Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as unknown as SourceText,
  )
}
