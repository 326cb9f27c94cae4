import { batches } from '#kit/batches.ts'
import type { LedgerEntry } from '#tree/ledger.ts'
import type { State } from '#tree/state.ts'
import type { OnProgress } from './progress.ts'
import type { ClipToRender, RenderedClip } from './tasks.ts'
import type { WorkerPool } from './worker-pool.ts'

/** About how many bytes of source a worker renders in one call, and the most clips. */
const callBytes = 1 << 20
const callClips = 64

/** A row of the table `publish`. */
type Publication = ClipToRender &
  Pick<LedgerEntry, 'videoId' | 'language' | 'ordinal' | 'firstRelease'> & { digest: string }

/** A clip that this build publishes. */
export interface Published {
  entry: LedgerEntry
  rendered: RenderedClip
}

/**
 * Renders the clips to publish, stores each in the state and yields it, in the order of their
 * files.
 */
export async function* renderClips(
  state: State,
  pool: WorkerPool,
  total: number,
  onProgress: OnProgress,
): AsyncGenerator<Published> {
  const sent: Publication[][] = []
  let done = 0
  const publications = state.rows<Publication>('SELECT * FROM publish ORDER BY rowid')
  const calls = batches(publications, ({ from, to }) => to - from, callBytes, callClips).map(
    (clips): [ClipToRender[]] => {
      sent.push(clips)
      return [
        clips.map(({ file, from, to, raw, clipId, revision }) => ({ file, from, to, raw, clipId, revision })),
      ]
    },
  )
  for await (const results of pool.each('render', calls)) {
    for (const [i, publication] of sent.shift()!.entries()) {
      const rendered = results[i]!
      const entry = toEntry(publication, rendered)
      state.enter(entry)
      yield { entry, rendered }
    }
    onProgress({ step: 'render', done: (done += results.length), total })
  }
}

function toEntry(publication: Publication, rendered: RenderedClip): LedgerEntry {
  const { clipId, videoId, language, ordinal, revision, firstRelease, file, digest } = publication
  const { recordDigest, transcriptDigest, traits } = rendered
  return {
    clipId,
    videoId,
    language,
    ordinal,
    revision,
    firstRelease,
    source: file,
    sourceDigest: digest,
    recordDigest,
    transcriptDigest,
    traits,
  }
}
