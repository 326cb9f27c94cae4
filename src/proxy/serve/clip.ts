import { notFound } from '#contract/errors.ts'
import { quoteValue } from '#contract/quote-value.ts'
import type { ClipTable } from '#release/clips/reader.ts'
import type { DataFile } from '#release/paths.ts'
import type { Handler } from '../http/handler.ts'

/** GET /clips/{clipId} and its transcript: the published file, byte for byte. */
export function clipFile(fileOf: (clips: ClipTable, row: number) => DataFile): Handler<{ clipId: string }> {
  return {
    answer({ clipId }, { release, files, client }) {
      const row = release.clips.find(clipId)
      if (row < 0) return notFound(`no clip has the id ${quoteValue(clipId)}`)
      return files.read(release, fileOf(release.clips, row), client)
    },
  }
}
