import type { ParameterValues } from '#contract/parameter-values.ts'
import { pieceOf } from '#kit/byte-writer.ts'
import { clipOpening } from '#release/clips/layout.ts'
import { writtenBody } from '../http/body.ts'
import type { Handler } from '../http/handler.ts'

const beforeItems = pieceOf('{"items":[')
const beforeClip = pieceOf(clipOpening)
const comma = 44

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
    return writtenBody((out) => {
      out.piece(beforeItems)
      for (const [i, row] of [...rows].entries()) {
        if (i > 0) out.byte(comma)
        out.piece(beforeClip)
        release.clips.writeRecordRest(out, row)
      }
      out.text(`],"missing":${JSON.stringify([...missing])}}`)
    })
  },
}
