import { TranscriptReader } from '#release/clips/transcript-reader.ts'
import type { DataFile } from '#release/paths.ts'
import type { Context } from '../http/handler.ts'

/** The cost of reading a transcript, in the units of a job. */
const workPerByte = 1

/**
 * Calls a function with the transcripts of clips, in the order of their rows, and returns its
 * results. A transcript must not be used after the call, because the next one may reuse its memory.
 *
 * @param work the work of each call, in the units of a job
 */
export async function mapTranscripts<T>(
  rows: readonly number[],
  { release, files, job }: Context,
  work: number,
  map: (transcript: TranscriptReader, index: number) => T,
): Promise<T[]> {
  const transcriptFiles = rows.map((row) => release.clips.transcriptFile(row))
  // The files of an origin are read all at once, those of a folder one by one.
  const bodies = release.readTemporarily ? null : await readAll(transcriptFiles, { release, files })
  const results: T[] = []
  for (const [i, file] of transcriptFiles.entries()) {
    const transcript = new TranscriptReader(bodies ? bodies[i]! : release.readTemporarily!(file))
    results.push(map(transcript, i))
    await job.spend(work + transcript.sizeBytes * workPerByte)
  }
  return results
}

async function readAll(
  dataFiles: readonly DataFile[],
  { release, files }: Pick<Context, 'release' | 'files'>,
): Promise<Buffer[]> {
  const reads = dataFiles.map(async (file) => await files.read(release, file))
  // If a read fails, the others end first. Otherwise, the next request would share them.
  await Promise.allSettled(reads)
  return (await Promise.all(reads)).map(({ bytes }) => bytes)
}
