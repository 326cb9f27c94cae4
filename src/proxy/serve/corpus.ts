import type { Corpus } from '#contract/corpus.ts'
import { toDate } from '#contract/dates.ts'
import { jsonBody } from '../http/body.ts'
import type { Handler } from '../http/handler.ts'

/** GET /corpus (contract 1.5). */
export const corpus: Handler<object> = {
  answer(_, { release: { manifest, coverage } }) {
    const { release, builtAtMs } = manifest
    return jsonBody({ release, builtAt: toDate(builtAtMs), ...coverage } satisfies Corpus)
  },
}
