import { notFound, type ErrorAnswer } from '#contract/errors.ts'
import { quoteValue } from '#contract/parameters.ts'
import type { DataFile, ClipRow } from '#release/tables.ts'
import type { Answer, Context } from '../handler.ts'
import type { Values } from '../read-parameters.ts'
import type { Bodies } from './bodies.ts'

/** GET /clips/{clipId} and its transcript: the published file, byte for byte. */
export function prepareClipFile(fileOf: (row: ClipRow) => DataFile, bodies: Bodies) {
  return (values: Values, { release }: Context) =>
    async (): Promise<Answer | ErrorAnswer> => {
      const { clipId } = values as { clipId: string }
      const row = release.clip(clipId)
      if (!row) return notFound(`no clip has the id ${quoteValue(clipId)}`)
      const file = fileOf(row)
      return { body: await bodies.read(release, file.path), digest: file.digest }
    }
}
