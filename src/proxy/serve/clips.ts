import type { ParameterValues } from '#contract/parameter-values.ts'
import { textBody } from '../http/body.ts'
import type { Handler } from '../http/handler.ts'

/**
 * GET /clips (contract 1.6). The records come from the table, not from up to fifty files.
 */
export const clips: Handler<ParameterValues<'listClips'>> = {
  answer({ ids }, { release }) {
    // Each once, in the order of the request.
    const rows = new Set<number>()
    const missing = new Set<string>()
    for (const id of ids) {
      const row = release.clips.find(id)
      if (row < 0) missing.add(id)
      else rows.add(row)
    }
    const items = Array.from(rows, (row) => release.clips.recordJson(row))
    return textBody(`{"items":[${items.join()}],"missing":${JSON.stringify([...missing])}}`)
  },
}
