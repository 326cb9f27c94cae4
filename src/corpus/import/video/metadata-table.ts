import { basename } from 'node:path'
import { readDataRows } from '#language/analysers/data-file.ts'
import { readCsv } from '../read-csv.ts'
import { Rejection } from '../rejection.ts'
import { dropMissing, type Metadata } from './metadata.ts'

/** The description of a video, and the subtitle file that it belongs to, if it is named. */
export interface Description extends Metadata {
  file?: string
}

type Column = keyof Description | 'link'

/** The columns, keyed by their possible names. */
const columns = new Map(
  readDataRows('columns.txt', import.meta.dirname).flatMap(([column, ...names]) =>
    names.map((name) => [name, column as Column]),
  ),
)

/**
 * Parses CSV with a header (see `readCsv`) that describes videos. Unknown columns are ignored.
 *
 * @throws {Rejection} it is not a table, a row is longer than the header, or no row names a video
 *   or a file
 */
export function parseMetadataTable(text: string): Description[] {
  const table = readCsv(text)
  const longRow = table.rows.find(({ extraCells }) => extraCells !== undefined)
  if (longRow)
    throw new Rejection(
      `has more cells on line ${longRow.line} than in the header. Quote a cell that contains the separator`,
    )
  const rows = table.rows.map(({ record }) => toRow(record))
  if (!rows.some(({ file, videoId }) => file !== undefined || videoId !== undefined))
    throw new Rejection(
      'names no video and no file. It must have a header with the column "id" or "file", and at least one row',
    )
  return rows
}

function toRow(cells: Record<string, string>): Description {
  const names: Partial<Record<Column, string>> = {}
  for (const [header, cell] of Object.entries(cells)) {
    const column = columns.get(header)
    if (column && cell.trim() !== '') names[column] ??= cell.trim()
  }
  const { link, durationS, videoId, ...rest } = names
  return dropMissing({ ...rest, videoId: videoId ?? videoIdOfUrl(link), durationS: secondsOf(durationS) })
}

/** Returns the id in a YouTube address: `watch?v=ID`, `youtu.be/ID`, `/embed/ID`, `/shorts/ID`. */
export function videoIdOfUrl(url = ''): string | undefined {
  const id = /(?:[?&]v=|youtu\.be\/|\/embed\/|\/shorts\/|\/live\/)([A-Za-z0-9_-]{11})(?![A-Za-z0-9_-])/
  return id.exec(url)?.[1]
}

/** Parses `185`, `185.2` or `3:05` as whole seconds, rounded up. */
function secondsOf(cell = ''): number | undefined {
  if (!/^(?:\d+:)?(?:\d+:)?\d+(?:\.\d+)?$/.test(cell)) return undefined
  return Math.ceil(cell.split(':').reduce((total, part) => total * 60 + Number(part), 0))
}

/** The descriptions of a run's videos in tables and JSON files, by file and by video. */
export type Descriptions = ReturnType<typeof indexDescriptions>

/** Indexes descriptions. Of several that match equally well, the first is used. */
export function indexDescriptions(descriptions: readonly Description[]) {
  const byFile = Map.groupBy(descriptions, ({ file }) => file && nameKey(file))
  const byVideo = Map.groupBy(descriptions, ({ videoId }) => videoId)
  return {
    /**
     * Returns the description of a subtitle file: the one whose path shares the longest end with
     * the file's path.
     */
    ofFile(path: string): Metadata {
      const matches = byFile.get(nameKey(path)) ?? []
      const ends = matches.map(({ file }) => commonEnd(file!, path))
      return matches[ends.indexOf(Math.max(...ends))] ?? {}
    },
    ofVideo(videoId: string | undefined): Metadata {
      return (videoId !== undefined && byVideo.get(videoId)?.[0]) || {}
    },
  }
}

/** Returns the name without extension and case, because tables often name the video's file. */
function nameKey(path: string): string {
  return basename(path.replaceAll('\\', '/'))
    .replace(/(?<=.)\.[^.]*$/, '')
    .normalize('NFC')
    .toLowerCase()
}

/** Returns the number of folders that two paths have in common, from the file upwards. */
function commonEnd(a: string, b: string): number {
  const [inA, inB] = [a, b].map((path) => path.normalize('NFC').split(/[\\/]/).toReversed())
  let count = 1
  while (inA![count] !== undefined && inA![count] === inB![count]) count++
  return count
}
