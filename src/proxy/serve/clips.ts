import { notFound } from '#contract/errors.ts'
import type { ParameterValues } from '#contract/parameter-values.ts'
import { quoteValue } from '#contract/quote-value.ts'
import { toByteText, withCommas } from '#kit/byte-text.ts'
import { Body } from '../http/body.ts'
import type { Handler } from '../http/handler.ts'

/** GET /clips/{clipId} and its transcript: the published file, byte for byte. */
export function clipFile(fileName: 'recordFile' | 'transcriptFile'): Handler<{ clipId: string }> {
  return {
    answer({ clipId }, { release, files, client }) {
      const row = release.clips.find(clipId)
      if (row < 0) return notFound(`There is no clip with the id ${quoteValue(clipId)}.`)
      return files.read(release, release.clips[fileName](row), client)
    },
  }
}

/**
 * GET /clips (contract 1.6). The records come from the table, not from up to fifty files.
 */
export const clips: Handler<ParameterValues<'listClips'>> = {
  answer({ ids }, { release }) {
    // Each clip once, in the order of the request.
    const rows = new Set<number>()
    const missing = new Set<string>()
    for (const id of ids) {
      const row = release.clips.find(id)
      if (row < 0) missing.add(id)
      else rows.add(row)
    }
    const items = Array.from(rows, (row) => release.clips.recordJson(row))
    return new Body(`{"items":[${withCommas(items)}],"missing":${toByteText(JSON.stringify([...missing]))}}`)
  },
}
