import { basename } from 'node:path'
import { dropMissing, type Metadata } from './metadata.ts'
import { readUtf8 } from '../read-bytes.ts'
import { readCsv } from '../read-csv.ts'
import { Rejection } from '../rejection.ts'

/** A row of a metadata table, and the subtitle file that it names, if any. */
interface Row {
  file?: string
  metadata: Metadata
}

type Column = keyof Metadata | 'file' | 'link'

/** The possible names of the columns, in small letters and digits only. */
const columnNames: Partial<Record<Column, string>> = {
  videoId: 'id videoid youtubeid ytid video',
  link: 'link url watchurl videourl',
  title: 'title name videotitle',
  channelName: 'channel channelname author uploader',
  channelId: 'channelid',
  level: 'level cefr',
  durationS: 'duration durations seconds length lengthseconds',
  language: 'language lang',
  file: 'file filename path srt srtfilename subtitle subtitles',
}
const columns = new Map(
  Object.entries(columnNames).flatMap(([column, names]) =>
    names.split(' ').map((name) => [name, column as Column] as const),
  ),
)

/** What CSV files and JSON files say about many videos. Of duplicates the first counts. */
export class MetadataTable {
  readonly #byFile = new Map<string, Row[]>()
  readonly #byVideo = new Map<string, Metadata>()

  /**
   * Adds CSV with a header (see `readCsv`). Rows are found by the subtitle file that they name, or
   * by video id; unknown columns are ignored.
   *
   * @throws {Rejection} no table, or none that names videos or files
   */
  addCsv(text: string): void {
    const rows = readCsv<Record<string, string>>(text, { columns: true, relax_quotes: true }).map(toRow)
    if (!rows.some(({ file, metadata }) => file !== undefined || metadata.videoId !== undefined))
      throw new Rejection('names neither a video nor a file: wanted a header with "id" or "file", and rows')
    for (const row of rows) {
      if (row.file !== undefined) this.#byFile.getOrInsertComputed(nameKey(row.file), () => []).push(row)
      this.addVideo(row.metadata)
    }
  }

  /** What the table says about a subtitle file: the row that names the longest end of its path. */
  ofFile(path: string): Metadata | undefined {
    const rows = this.#byFile.get(nameKey(path)) ?? []
    const ends = rows.map(({ file }) => commonEnd(file!, path))
    const best = Math.max(...ends)
    return rows[ends.indexOf(best)]?.metadata
  }

  ofVideo(videoId: string): Metadata | undefined {
    return this.#byVideo.get(videoId)
  }

  /** Adds what a JSON file beside the subtitles says about its video. */
  addVideo(metadata: Metadata): void {
    const { videoId } = metadata
    if (videoId !== undefined && !this.#byVideo.has(videoId)) this.#byVideo.set(videoId, metadata)
  }
}

/**
 * What describes the videos of a run: CSV files that the user names, and what JSON files found
 * beside the subtitles say.
 *
 * @throws {Rejection} a CSV file cannot be read, with its name
 */
export async function describeVideos(
  csvFiles: readonly string[],
  found: readonly Metadata[],
): Promise<MetadataTable> {
  const table = new MetadataTable()
  for (const path of csvFiles) {
    try {
      table.addCsv(await readUtf8(path))
    } catch (error) {
      if (error instanceof Rejection) throw new Rejection(`${basename(path)}: ${error.message}`)
      throw error
    }
  }
  for (const metadata of found) table.addVideo(metadata)
  return table
}

function toRow(cells: Record<string, string>): Row {
  const found: Partial<Record<Column, string>> = {}
  for (const [header, cell] of Object.entries(cells)) {
    const column = columns.get(header.toLowerCase().replace(/[^a-z0-9]/g, ''))
    if (column !== undefined && cell.trim() !== '') found[column] ??= cell.trim()
  }
  const { file, link, durationS, videoId, ...rest } = found
  return {
    ...(file === undefined ? {} : { file }),
    metadata: dropMissing({
      ...rest,
      videoId: videoId ?? videoIdOfUrl(link),
      durationS: secondsOf(durationS),
    }),
  }
}

/** The id in a YouTube address: `watch?v=ID`, `youtu.be/ID`, `/embed/ID`, `/shorts/ID`. */
export function videoIdOfUrl(url = ''): string | undefined {
  const id = /(?:[?&]v=|youtu\.be\/|\/embed\/|\/shorts\/|\/live\/)([A-Za-z0-9_-]{11})(?![A-Za-z0-9_-])/
  return id.exec(url)?.[1]
}

/** `185`, `185.2` or `3:05` as whole seconds, rounded up. */
function secondsOf(cell: string | undefined): number | undefined {
  if (cell === undefined || !/^(?:\d+:)?(?:\d+:)?\d+(?:\.\d+)?$/.test(cell)) return undefined
  return Math.ceil(cell.split(':').reduce((total, part) => total * 60 + Number(part), 0))
}

/**
 * A file is matched by its name without extension, ignoring case, because tables often name the
 * video's.
 */
function nameKey(path: string): string {
  return basename(path.replaceAll('\\', '/'))
    .replace(/(?<=.)\.[^.]*$/, '')
    .normalize('NFC')
    .toLowerCase()
}

/** How many folders two paths have in common, from the file up. */
function commonEnd(a: string, b: string): number {
  const [inA, inB] = [a, b].map((path) => path.normalize('NFC').split(/[\\/]/).toReversed())
  let count = 1
  while (inA![count] !== undefined && inA![count] === inB![count]) count++
  return count
}
