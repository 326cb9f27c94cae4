import { basename } from 'node:path'
import { parseMetadata } from './metadata.ts'
import { MetadataTable } from './metadata-table.ts'
import { readUtf8 } from '../read-bytes.ts'
import { Rejection } from '../rejection.ts'

/**
 * Reads the descriptions of the videos of a run: CSV files that the user names, and JSON files
 * found beside the subtitles. A JSON file that cannot be read is only a problem if it is the
 * sidecar of a subtitle file, which reports it.
 *
 * @throws {Rejection} a CSV file cannot be read, with its name
 */
export async function describeVideos(
  csvFiles: readonly string[],
  jsonFiles: readonly string[],
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
  for (const path of jsonFiles) {
    try {
      table.addVideo(parseMetadata(JSON.parse(await readUtf8(path))))
    } catch (error) {
      if (!(error instanceof Rejection || error instanceof SyntaxError)) throw error
    }
  }
  return table
}
