import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A row of `transcripts/INDEX.tsv` in the test data. */
interface Row {
  path: string
  kind: string
  format: string
  language: string
  videoId: string
  title: string
  lastEnd: string
}

/**
 * The formats that the importer reads, best first: the one taken where a video has several files.
 */
const formats = ['words-json', 'vtt', 'srt']

/**
 * Copies the English transcripts of the test data that are short enough for a clip and have a real
 * video id into `target`, one a video, each with a plain metadata sidecar. Gives how many.
 *
 * @param dataFolder the test data (`CLIP_LOOKUP_TEST_DATA`)
 */
export async function prepareRealTranscripts(dataFolder: string, target: string): Promise<number> {
  const transcripts = join(dataFolder, 'transcripts')
  const rows = chooseRows(parseIndex(await readFile(join(transcripts, 'INDEX.tsv'), 'utf8')))
  await mkdir(target, { recursive: true })
  for (const row of rows) {
    const words = row.format === 'words-json'
    await copyFile(join(transcripts, row.path), join(target, `${row.videoId}.${words ? 'json' : row.format}`))
    await writeFile(
      join(target, `${row.videoId}.${words ? 'meta.json' : 'json'}`),
      JSON.stringify(describe(row)),
    )
  }
  return rows.length
}

function parseIndex(text: string): Row[] {
  const [head, ...lines] = text.trimEnd().split('\n')
  const keys = head!.split('\t')
  return lines.map(
    (line) => Object.fromEntries(line.split('\t').map((field, i) => [keys[i], field])) as unknown as Row,
  )
}

function chooseRows(rows: readonly Row[]): Row[] {
  const chosen = new Map<string, Row>()
  for (const format of formats) {
    for (const row of rows) {
      const fits =
        row.format === format &&
        /^en(-|$)/.test(row.language) &&
        row.lastEnd !== '' &&
        Number(row.lastEnd) <= 180
      if (fits && row.videoId !== '' && !chosen.has(row.videoId)) chosen.set(row.videoId, row)
    }
  }
  return [...chosen.values()]
}

/** The index names no channels: the collection stands for one. */
function describe({ videoId, title, kind }: Row) {
  return { videoId, title: title || videoId, channel: { id: kind, name: kind } }
}
