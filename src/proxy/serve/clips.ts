import type { ParameterValues } from '#contract/parameter-values.ts'
import { pieceOf } from '#kit/byte-writer.ts'
import { clipOpening } from '#release/clips/layout.ts'
import type { ClipTable } from '#release/clips/reader.ts'
import type { AnswerCache } from '../http/answer-cache.ts'
import type { Context, LookUp } from '../http/handler.ts'

const beforeItems = pieceOf('{"items":[')
const beforeClip = pieceOf(clipOpening)
const comma = 44

/**
 * GET /clips (contract 1.6). The records come from the table, not from up to fifty files.
 */
export function prepareClips(answers: AnswerCache) {
  return ({ ids }: ParameterValues<'listClips'>, { release }: Context): LookUp =>
    () =>
      answers.answer(release, ids.join(), (out) => {
        const { rows, missing } = findInOrder(ids, release.clips)
        out.piece(beforeItems)
        for (const [i, row] of rows.entries()) {
          if (i > 0) out.byte(comma)
          out.piece(beforeClip)
          release.clips.writeRecordRest(out, row)
        }
        out.text(`],"missing":${JSON.stringify(missing)}}`)
      })
}

/** The rows of the ids and the ids that name no clip, each once, in the order of the request. */
function findInOrder(ids: readonly string[], clips: ClipTable): { rows: number[]; missing: string[] } {
  const rows = new Set<number>()
  const missing = new Set<string>()
  for (const id of ids) {
    const row = clips.find(id)
    if (row < 0) missing.add(id)
    else rows.add(row)
  }
  return { rows: [...rows], missing: [...missing] }
}
