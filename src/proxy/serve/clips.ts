import type { ParameterValues } from '#contract/operations.ts'
import { ByteWriter, pieceOf } from '#kit/byte-writer.ts'
import { clipOpening } from '#release/clips/layout.ts'
import type { ClipTable } from '#release/clips/reader.ts'
import type { AnswerCache } from '../http/answer-cache.ts'
import type { Context, LookUp } from '../http/handler.ts'

/** The answer at hand: joined in the same memory each time. */
const out = new ByteWriter()
const beforeItems = pieceOf('{"items":[')
const beforeClip = pieceOf(clipOpening)
const comma = 44

/**
 * GET /clips (contract 1.6). The records come from the table: fifty files would cost fifty reads.
 */
export function prepareClips(answers: AnswerCache) {
  return ({ ids }: ParameterValues<'listClips'>, { release }: Context): LookUp => {
    return () => {
      const key = ids.join()
      const kept = answers.get(release, key)
      if (kept) return kept
      const { rows, missing } = findInOrder(ids, release.clips)
      release.clips.prefetch(rows)
      out.clear()
      out.piece(beforeItems)
      for (const [i, row] of rows.entries()) {
        if (i > 0) out.byte(comma)
        out.piece(beforeClip)
        release.clips.writeRecordRest(out, row)
      }
      out.text(`],"missing":${JSON.stringify(missing)}}`)
      return answers.create(release, key, out)
    }
  }
}

/** The rows that the ids name and the ids that name none, each once and in the order asked. */
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
