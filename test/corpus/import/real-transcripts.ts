import { readFileSync } from 'node:fs'
import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The formats that the importer reads, best first. The best of a video's files is used. */
const formats = ['words-json', 'vtt', 'srt']

/** Reads the rows of `transcripts/INDEX.tsv` in the test data. */
export function readIndex(dataFolder: string) {
  const [, ...rows] = readFileSync(join(dataFolder, 'transcripts/INDEX.tsv'), 'utf8').trimEnd().split('\n')
  return rows.map((row) => {
    const [path, kind, format, language, videoId, title, , , lastEnd] = row.split('\t') as string[]
    const all = { path, kind, format, language, videoId, title, lastEnd }
    return { ...(all as Record<keyof typeof all, string>), absolute: join(dataFolder, 'transcripts', path!) }
  })
}

/**
 * Copies the English transcripts of the test data that are short enough for a clip and have a real
 * video id into `target`, one for each video, with a plain metadata sidecar. Returns their number.
 *
 * @param dataFolder the test data (`CLIP_LOOKUP_TEST_DATA`)
 */
export async function prepareRealTranscripts(dataFolder: string, target: string): Promise<number> {
  const short = readIndex(dataFolder).filter(
    ({ language, videoId, lastEnd }) =>
      /^en(-|$)/.test(language) && videoId !== '' && lastEnd !== '' && Number(lastEnd) <= 180,
  )
  const chosen = new Map(
    formats.toReversed().flatMap((format) =>
      short
        .filter((row) => row.format === format)
        .toReversed()
        .map((row) => [row.videoId, row]),
    ),
  )
  await mkdir(target, { recursive: true })
  for (const { absolute, format, videoId, title, kind } of chosen.values()) {
    const [extension, sidecar] = format === 'words-json' ? ['json', 'meta.json'] : [format, 'json']
    await copyFile(absolute, join(target, `${videoId}.${extension}`))
    // The index names no channels, so the collection is used as one.
    const metadata = { videoId, title: title || videoId, channel: { id: kind, name: kind } }
    await writeFile(join(target, `${videoId}.${sidecar}`), JSON.stringify(metadata))
  }
  return chosen.size
}
