import type { Corpus } from '#contract/corpus.ts'
import { toDate } from '#contract/dates.ts'
import { shortDigest } from '#kit/digest.ts'
import { textBody } from '../http/body.ts'
import type { Answer, Context } from '../http/handler.ts'

/** GET /corpus (contract 1.5). */
export function prepareCorpus(_values: object, { release }: Context): () => Answer {
  return () => {
    const { manifest, coverage } = release
    const corpus: Corpus = { release: manifest.release, builtAt: toDate(manifest.builtAtMs), ...coverage }
    const json = JSON.stringify(corpus)
    return { body: textBody(json), digest: shortDigest(json) }
  }
}
