import { basename } from 'node:path'
import { decodeUtf8 } from './decode-text.ts'
import { parseMetadata } from './metadata.ts'
import { MetadataTable } from './metadata-table.ts'
import { readBytes } from './read-bytes.ts'
import { Rejection } from './rejection.ts'

/**
 * Reads what describes the videos of a run: a CSV file that the user names, and JSON files found beside the subtitles. A JSON file that
 * cannot be read is only a problem when it is the sidecar of a subtitle file, which is told there.
 *
 * @throws {Rejection} the CSV file cannot be read
 */
export async function describeVideos(
  csv: string | undefined,
  jsonFiles: readonly string[],
): Promise<MetadataTable> {
  const table = csv === undefined ? new MetadataTable() : MetadataTable.parse(await readText(csv))
  for (const path of jsonFiles) {
    try {
      table.addVideo(parseMetadata(JSON.parse(await readText(path))))
    } catch (error) {
      if (!(error instanceof Rejection || error instanceof SyntaxError)) throw error
    }
  }
  return table
}

async function readText(path: string): Promise<string> {
  const text = decodeUtf8(await readBytes(path))
  if (text === null) throw new Rejection(`${basename(path)} is not UTF-8`)
  return text
}
