import type { ParameterValues } from '#contract/parameter-values.ts'
import type { AnswerCache } from '../http/answer-cache.ts'
import type { Context, LookUp } from '../http/handler.ts'

/**
 * GET /clips (contract 1.6). The records come from the table, not from up to fifty files.
 */
export function prepareClips(answers: AnswerCache) {
  return ({ ids }: ParameterValues<'listClips'>, { release }: Context): LookUp =>
    () =>
      answers.answer(release, ids.join(), (out) => {
        // Each once, in the order of the request.
        const rows = new Set<number>()
        const missing = new Set<string>()
        for (const id of ids) {
          const row = release.clips.find(id)
          if (row < 0) missing.add(id)
          else rows.add(row)
        }
        const items = Array.from(rows, (row) => release.clips.recordJson(row))
        out.text(`{"items":[${items.join()}],"missing":${JSON.stringify([...missing])}}`)
      })
}
