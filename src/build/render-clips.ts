import { batches } from '#kit/batches.ts'
import type { LedgerEntry } from '#tree/ledger.ts'
import type { State } from '#tree/state.ts'
import type { OnProgress } from './progress.ts'
import type { ClipToRender, RenderedClip } from './tasks.ts'
import type { WorkerPool } from './worker-pool.ts'

/** About how many bytes of source a worker renders in one call, and the most clips. */
const callBytes = 1 << 20
const callClips = 64

/**
 * Renders the clips to publish, stores each in the state and yields it, in the order of their
 * files.
 */
export async function* renderClips(
  state: State,
  pool: WorkerPool,
  total: number,
  onProgress: OnProgress,
): AsyncGenerator<[LedgerEntry, RenderedClip]> {
  let done = 0
  const publications = state.rows<ClipToRender>('SELECT * FROM publish ORDER BY rowid')
  const calls = batches(publications, ({ from, to }) => to - from, callBytes, callClips)
  for await (const [clips, results] of pool.each('render', calls)) {
    for (const [i, clip] of clips.entries()) {
      const rendered = results[i]!
      const entry = toEntry(clip, rendered)
      state.enter(entry)
      yield [entry, rendered]
    }
    onProgress({ step: 'render', done: (done += results.length), total })
  }
}

function toEntry(clip: ClipToRender, rendered: RenderedClip): LedgerEntry {
  const { file, from: _from, to: _to, raw: _raw, digest, ...rest } = clip
  const { recordDigest, transcriptDigest, traits } = rendered
  return { ...rest, source: file, sourceDigest: digest, recordDigest, transcriptDigest, traits }
}
