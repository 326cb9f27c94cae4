import { TranscriptReader } from '#release/clips/transcript-reader.ts'
import type { Context } from '../http/handler.ts'

/** Reads the transcripts of clips, in the order of their rows. */
export async function readTranscripts(
  rows: readonly number[],
  { release, files }: Pick<Context, 'release' | 'files'>,
): Promise<TranscriptReader[]> {
  const reads = rows.map(async (row) => files.read(release, release.clips.transcriptFile(row)))
  // If one fails, the others end first: the next request would share those that go on.
  await Promise.allSettled(reads)
  const bodies = await Promise.all(reads)
  return bodies.map(({ bytes }) => new TranscriptReader(bytes))
}
