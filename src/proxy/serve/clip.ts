import { notFound } from '#contract/errors.ts'
import { quoteValue } from '#contract/quote-value.ts'
import type { ClipTable } from '#release/clips/reader.ts'
import type { DataFile } from '#release/paths.ts'
import type { Answer, Context, LookUp } from '../http/handler.ts'
import type { FileCache } from './file-cache.ts'

/** GET /clips/{clipId} and its transcript: the published file, byte for byte. */
export function prepareClipFile(fileOf: (clips: ClipTable, row: number) => DataFile, files: FileCache) {
  return ({ clipId }: { clipId: string }, { release, client }: Context): LookUp =>
    () => {
      const row = release.clips.find(clipId)
      if (row < 0) return notFound(`no clip has the id ${quoteValue(clipId)}`)
      const file = fileOf(release.clips, row)
      const { digest } = file
      const body = files.read(release, file, client)
      return body instanceof Promise
        ? body.then((read): Answer => ({ body: read, digest }))
        : { body, digest }
    }
}
